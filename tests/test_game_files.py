"""Games by name and by file."""

from pathlib import Path

import pytest

from referee.engine.registry import PRESETS
from referee.errors import ConfigError
from referee.game_files import (
    LARGEST,
    all_games,
    examined_games,
    example_games,
    find_game,
    program_file,
    program_in_file,
)
from tests.rollouts.programs import SOUND


def written(directory: Path, content: bytes | str, name: str = "high-card.rcy") -> str:
    path = directory / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_found_by_its_name(name: str) -> None:
    assert find_game(name) is PRESETS[name]


@pytest.mark.parametrize("name", example_games())
def test_an_example_is_found_by_its_name(name: str) -> None:
    found = find_game(name if name not in PRESETS else f"{name}.rcy")
    assert (found.name, found.game().name) == (name, "recycle")
    assert found.first_dealer in found.game().dealers


def test_a_file_is_a_game_called_as_the_file(tmp_path: Path) -> None:
    found = find_game(written(tmp_path, SOUND))
    assert (found.name, found.meaning, found.first_dealer) == ("high-card", "2 players", 1)
    assert found.game({"hands": "4"}).rules._asdict()["hands"] == 4


def test_the_comment_before_a_program_says_what_it_is(tmp_path: Path) -> None:
    assert find_game(written(tmp_path, f";; High card\n{SOUND}")).meaning == "High card"


@pytest.mark.parametrize(
    "change", [("", "\ufeff"), ("\n", "\r\n"), ("(game\n", "Prose.\n\n(game\n")]
)
def test_the_same_program_in_another_dress_is_the_same_game(
    tmp_path: Path, change: tuple[str, str]
) -> None:
    dressed = SOUND.replace(*change, 1) if change[0] != "\n" else SOUND.replace(*change)
    plain, other = find_game(written(tmp_path, SOUND)), find_game(written(tmp_path, dressed))
    assert plain.game() == other.game()


def test_an_error_names_file_line_and_column(tmp_path: Path) -> None:
    path = written(tmp_path, SOUND.replace("shuffle", "shufle"))
    with pytest.raises(ConfigError, match=r"high-card\.rcy: line 6, column \d+: .*shufle"):
        find_game(path)


def test_an_error_in_a_page_names_the_line_of_the_page(tmp_path: Path) -> None:
    path = written(tmp_path, "Prose.\n\n" + SOUND.replace("shuffle", "shufle"))
    with pytest.raises(ConfigError, match="line 8, "):
        program_in_file(Path(path))


def test_what_is_not_utf_8_is_told_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, b";; Ta\xffrot\n" + SOUND.encode())
    with pytest.raises(ConfigError, match="line 1 is not UTF-8; save the file as UTF-8"):
        find_game(path)


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"longer than {LARGEST} bytes"):
        find_game(written(tmp_path, b" " * (LARGEST + 1)))


def test_a_preset_goes_before_an_example_of_its_name() -> None:
    assert find_game("euchre").game().name == "euchre"
    assert find_game("euchre.rcy").game().name == "recycle"


def test_a_file_of_the_same_name_goes_before_an_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, SOUND, "euchre.rcy")
    monkeypatch.chdir(tmp_path)
    assert find_game("euchre.rcy").meaning == "2 players"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("bridge", "there is no game 'bridge'; choose euchre, euchre-280, whist, black-lady, "),
        ("spades2", "there is no game 'spades2'; did you mean spades?"),
        ("no/such.rcy", "there is no file no/such.rcy; name the file of a game's program"),
        ("x" * 5000, "there is no game 'xxx"),
        ("nul\0", "there is no game 'nul"),
    ],
)
def test_a_name_that_is_none_is_answered_with_those_there_are(name: str, says: str) -> None:
    with pytest.raises(ConfigError) as raised:
        find_game(name)
    assert says in str(raised.value)


def test_a_directory_is_no_game(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no game"):
        find_game(str(tmp_path))


def test_a_built_in_game_has_no_program() -> None:
    with pytest.raises(ConfigError, match="euchre-280 is built in and has no program; choose"):
        program_file("euchre-280")


def test_who_plays_programs_is_examined_by_games_of_two_of_single_players_and_of_teams() -> None:
    games = [found.game() for found in examined_games(["recycle"])]
    assert {(len(game.seats), len(game.side_names)) for game in games} == {(4, 4), (2, 2), (4, 2)}


def test_who_plays_a_built_in_game_is_examined_by_its_presets() -> None:
    assert [found.name for found in examined_games(["euchre"])] == ["euchre", "euchre-280"]


def test_all_games_are_the_presets_and_the_examples() -> None:
    assert [game.name for game in all_games()] == [*PRESETS, *example_games()]

"""`upcard games`."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from referee.engine.registry import PRESETS
from referee.game_files import EXAMPLES, example_games
from tests.cli.conftest import Upcard
from tests.rollouts.programs import SOUND, WIDE

SEED = "c0" * 32


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "high-card.rcy"
    path.write_text(SOUND)
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Write a game that fails whenever player 2 is to show a card."""
    path = tmp_path / "broken.rcy"
    path.write_text(
        SOUND.replace("(move 'C", "((== 'C (top ((1 player) iloc HAND))) (move 'C", 1).replace(
            "vloc SHOWN)))))))", "vloc SHOWN))))))))", 1
        )
    )
    return path


def test_all_games_are_listed(upcard: Upcard) -> None:
    told = json.loads(upcard("games", "list", "--json").out)
    names = [f"{name}.rcy" if name in PRESETS else name for name in example_games()]
    assert [row["name"] for row in told] == [*PRESETS, *names]
    assert told[0] == {
        "name": "euchre",
        "kind": "built in",
        "players": 4,
        "sides": 2,
        "about": "alone allowed, dealer stuck, to 10",
    }


def test_the_list_as_a_table_and_as_csv_has_the_same_rows(upcard: Upcard) -> None:
    rows = list(csv.DictReader(io.StringIO(upcard("games", "list", "--csv").out)))
    shown = upcard("games", "list").out
    assert {row["kind"] for row in rows} == {"built in", "RECYCLE"}
    assert all(row["name"] in shown for row in rows)


def test_a_name_from_the_list_is_one_that_games_are_found_by(upcard: Upcard) -> None:
    for row in json.loads(upcard("games", "list", "--json").out):
        assert upcard("games", "show", row["name"]).code == 0


def test_show_prints_a_program_as_it_is(upcard: Upcard) -> None:
    assert upcard("games", "show", "scopa").out == (EXAMPLES / "scopa.rcy").read_text()


def test_show_prints_the_rules_of_a_built_in_game(upcard: Upcard) -> None:
    said = upcard("games", "show", "euchre-280").out
    assert "alone" in said
    assert "docs/rules/euchre.md" in said


def test_check_of_a_sound_program_says_so(upcard: Upcard, sound: Path) -> None:
    said = upcard("games", "check", sound, "--rollouts", 20)
    assert (said.code, said.err) == (0, "")
    assert "high-card: 2 players, each for himself; 6 cards, 6 of them different" in said.out
    assert "20 rollouts, of which 0 failed" in said.out
    assert "nothing looks like a mistake" in said.out


def test_check_of_a_program_that_fails_says_where_and_how_to_repeat_it(
    upcard: Upcard, broken: Path
) -> None:
    said = upcard("games", "check", broken, "--rollouts", 20, "--seed", SEED)
    assert said.code == 1
    assert f"{broken}:11:5: error: " in said.out
    assert f"games check {broken} --seed {SEED} --first 1 --rollouts 1" in said.out


def test_check_as_json_has_every_finding_with_its_line(upcard: Upcard, broken: Path) -> None:
    told = json.loads(upcard("games", "check", broken, "--rollouts", 20, "--json").out)
    assert (told["game"], told["failed"]) == ("broken", 10)
    assert {"level": "error", "line": 11, "column": 5}.items() <= told["findings"][0].items()


def test_check_plays_the_same_again_by_the_seed(upcard: Upcard, sound: Path) -> None:
    first, again = (
        upcard("games", "check", sound, "--rollouts", 20, "--seed", SEED).out for _ in "ab"
    )
    assert first == again


def test_graph_writes_a_picture(upcard: Upcard, sound: Path, tmp_path: Path) -> None:
    assert upcard("games", "graph", sound, tmp_path / "x.svg", "--seed", SEED).code == 0
    title = ET.parse(tmp_path / "x.svg").getroot()[0]  # noqa: S314 (our own)
    assert title.text == "high-card: how its cards move"


def test_a_graph_that_nobody_could_read_is_not_drawn(upcard: Upcard, tmp_path: Path) -> None:
    (tmp_path / "wide.rcy").write_text(WIDE)
    told = upcard("games", "graph", tmp_path / "wide.rcy", tmp_path / "x.svg")
    assert told.code == 2
    assert told.err.count("\n") == 1
    assert "too many for a drawing" in told.err
    assert not (tmp_path / "x.svg").exists()


def test_simulate_draws_the_graph_of_its_first_match(
    upcard: Upcard, sound: Path, tmp_path: Path
) -> None:
    few = ("--matches", 2, "--seed", SEED)
    assert upcard("simulate", sound, *few, "--graph", tmp_path / "a.svg").code == 0
    assert upcard("games", "graph", sound, tmp_path / "b.svg", "--seed", SEED).code == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("check", "whist.txt"), "there is no game 'whist.txt'; did you mean whist?"),
        (("check", "euchre-280"), "euchre-280 is built in and has no program; choose "),
        (("graph", "euchre", "x.svg"), "euchre is built in, and only programs have a graph"),
        (("graph", "scopa", "x.png"), "a graph is written as .svg; name such a file, not x.png"),
        (("show", "no.rcy"), "there is no file no.rcy; name the file of a game's program"),
        (("list", "--json", "--csv"), "choose one of --json and --csv"),
        (("check", "scopa", "--rollouts", "0"), "Invalid value for '--rollouts'"),
    ],
)
def test_wrong_words_are_answered_in_one_line(
    upcard: Upcard, words: tuple[str, ...], says: str
) -> None:
    said = upcard("games", *words)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)

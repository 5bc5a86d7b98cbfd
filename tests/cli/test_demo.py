"""`upcard demo`: real leagues, quick enough for somebody who only looks around."""

import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from referee.arena.limits import Terms, TimeLimits
from referee.bots.copying import copy_bundle
from referee.bots.demo_bots import DemoBots, choose_demo_bots, demo_bundle
from referee.bots.manifest import MANIFEST, read_manifest
from referee.cli import demo
from referee.cli.build_options import BuildOptions
from referee.errors import ConfigError
from tests.cli.bots import CRASHES, FIRST, Ran, run, write_bot
from tests.cli.command import LIMITS
from tests.cli.conftest import Upcard
from tests.workers import workers_as_threads

FEW = 4


@pytest.fixture(scope="module", autouse=True)
def _calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Play with the bots that need no build, the same everywhere, and with long time limits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(demo, "Terms", partial(Terms, limits=TimeLimits(*LIMITS)))
        yield


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run(tmp_path_factory.mktemp("shown"), "demo")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Keep the leagues of a demonstration that is shorter than usual."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "_DUELS", {True: (FEW, FEW)})
        return run(tmp_path_factory.mktemp("kept"), "demo", "--keep", "here", "--unsafe-no-sandbox")


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """Return two bots of the demonstration, to which a test adds a third."""
    for name in ("one", "two"):
        _marked(tmp_path / "examples", name)
    return tmp_path / "examples"


def _marked(examples: Path, name: str, *lines: str) -> Path:
    bot = write_bot(examples / name, FIRST, name=name)
    manifest = bot / MANIFEST
    manifest.write_text("\n".join((manifest.read_text(), "demo = true", *lines)))
    return bot


def test_it_plays_both_games_to_the_end_without_a_fault(shown: Ran) -> None:
    assert shown.code == 0
    # One for each game, before its first duel; and how far it is, if it takes long.
    told = [line for line in shown.err.splitlines() if "duels played" not in line]
    assert [line.split()[0] for line in told] == ["opening"] * 2
    assert "\neuchre (alone=on" in shown.out
    assert "\nwhist (target=10); complete" in shown.out
    assert shown.out.count("24 of 24 duels played") == 2


def test_it_shows_the_table_of_each_game(shown: Ran) -> None:
    assert shown.out.count("\n│  1 steady │ ") == 6  # each table in three parts, at this width
    assert shown.out.count("conser-") == 2


def test_it_plays_in_the_sandbox(shown: Ran) -> None:
    assert shown.out.count("guarantees enforced") == 2


def test_it_tells_a_hand_and_what_came_of_the_same_deal_in_the_other_room(shown: Ran) -> None:
    assert "turned up" in shown.out
    assert "The same deal in the other room" in shown.out


def test_it_says_what_to_do_next(shown: Ran) -> None:
    _, _, further = shown.out.partition("What next")
    assert further.count("\nupcard ") == 3


def test_it_leaves_nothing_behind(shown: Ran) -> None:
    assert list(shown.directory.iterdir()) == []


def test_it_keeps_its_leagues_where_it_is_told_to(kept: Ran) -> None:
    found = run(kept.directory, "duels", "whist", "--db", "here/upcard.db", "--json")
    assert len(found.json()["duels"]) == FEW


def test_what_it_says_to_do_with_them_can_be_done(kept: Ran) -> None:
    _, _, further = kept.out.partition("What next")
    commands = [shlex.split(line, comments=True) for line in further.splitlines()[1:]]
    assert [run(kept.directory, *words[1:]).code for words in commands] == [0, 0, 0]


def test_its_tables_say_that_there_was_no_sandbox(kept: Ran) -> None:
    assert "\nUNSANDBOXED: euchre" in kept.out
    assert "\nUNSANDBOXED: whist" in kept.out


def test_it_keeps_nothing_where_something_is(upcard: Upcard, tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    said = upcard("demo", "--keep", tmp_path)
    assert said.code == 2
    assert said.err == f"upcard: {tmp_path} is not empty; name a new directory\n"


def test_a_fault_is_told_and_ends_it_with_3(
    upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = (
        write_bot(tmp_path / "bad", CRASHES, name="bad"),
        write_bot(tmp_path / "good", FIRST),
    )
    monkeypatch.setattr(demo, "choose_demo_bots", lambda **_: DemoBots([bad, good], []))
    monkeypatch.setattr(demo, "_DUELS", {True: (1, 1)})  # each of its faults costs a process
    with workers_as_threads():
        said = upcard("demo", "--unsafe-no-sandbox")
    assert said.code == 3
    assert "\nbad: CRASHED in euchre 1-2/" in said.out


def test_nobody_is_left_out_who_can_play(examples: Path) -> None:
    assert choose_demo_bots(examples) == DemoBots([examples / "two", examples / "one"], [])


def test_who_is_not_marked_takes_no_part(examples: Path) -> None:
    write_bot(examples / "other", FIRST, name="other")
    assert examples / "other" not in choose_demo_bots(examples).playing
    assert choose_demo_bots(examples).left_out == []


def test_whose_runtime_is_missing_is_left_out_by_name(examples: Path) -> None:
    _marked(examples, "third", 'runtime = "cobol"')
    assert len(choose_demo_bots(examples).playing) == 2
    assert choose_demo_bots(examples).left_out == [
        "third: there is no cobol here that it could run on"
    ]


def test_who_is_not_built_is_left_out_by_name(
    examples: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    _marked(examples, "third", 'build = ["true"]')
    assert len(choose_demo_bots(examples).playing) == 2
    (why,) = choose_demo_bots(examples).left_out
    assert why == "third: it is not built yet; upcard check third builds it"


def test_who_is_built_already_plays(
    examples: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    third = _marked(examples, "third", 'build = ["true"]')
    BuildOptions().bundle(sandboxed=True)(third, tmp_path / "copy")
    assert third in choose_demo_bots(examples).playing


def test_who_has_to_be_built_is_left_out_without_the_sandbox(
    examples: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    third = _marked(examples, "third", 'build = ["true"]')
    BuildOptions().bundle(sandboxed=True)(third, tmp_path / "copy")
    assert third not in choose_demo_bots(examples, sandboxed=False).playing


def test_who_has_a_command_for_it_is_run_by_that(examples: Path, tmp_path: Path) -> None:
    third = _marked(examples, "third")
    manifest = third / MANIFEST
    told = manifest.read_text().replace("demo = true", 'demo = ["python", "bot.py", "--quick"]')
    manifest.write_text(told)
    demo_bundle(copy_bundle, third, tmp_path / "copy")
    assert read_manifest(tmp_path / "copy").run == ("python", "bot.py", "--quick")


def test_no_more_than_five_play(examples: Path) -> None:
    for name in ("b3", "b4", "b5", "b6"):
        _marked(examples, name)
    assert len(choose_demo_bots(examples).playing) == 5
    assert choose_demo_bots(examples).left_out == ["b3: 5 bots are enough"]


def test_one_bot_is_no_demonstration(examples: Path) -> None:
    (examples / "two" / MANIFEST).unlink()
    with pytest.raises(ConfigError, match="needs two example bots that can play here"):
        choose_demo_bots(examples)

"""`upcard new` begins a bot under its own name, and says how to go on."""

import subprocess
import sys
from pathlib import Path

import pytest

from referee.bots import sdks as all_sdks
from referee.bots.manifest import read_manifest
from tests.bots.toy_sdk import toy_sdk
from tests.cli.conftest import Upcard


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_language_it_is_in_python(upcard: Upcard, here: Path) -> None:
    assert upcard("new", "owl").code == 0
    assert read_manifest(here / "owl").run == ("python", "bot.py")


def test_it_is_called_as_it_is_wanted_in_both_spellings(
    upcard: Upcard, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy_sdk(here / "sdk")
    monkeypatch.setattr(all_sdks.sdk_for, "__defaults__", (here / "sdk",))
    upcard("new", "early-bird", "--language", "dough")
    said = (here / "early-bird" / "notes.txt").read_text()
    assert said == "module early_bird, bot early-bird\n"


def test_a_bot_for_a_player_of_eecs_280_is_in_cpp(upcard: Upcard, here: Path) -> None:
    assert upcard("new", "owl", "--eecs280").code == 0
    assert read_manifest(here / "owl").run == ("build/bot", "Simple")
    assert (here / "owl" / "Player.cpp").is_file()


def test_a_player_of_eecs_280_in_another_language_is_refused(upcard: Upcard, here: Path) -> None:
    said = upcard("new", "owl", "--eecs280", "--language", "go")
    assert (said.code, said.err) == (
        2,
        "upcard: a Player of EECS 280 is in C++; leave out --language go\n",
    )
    assert not (here / "owl").exists()


def test_a_place_may_be_named(upcard: Upcard, here: Path) -> None:
    (here / "bots").mkdir()
    upcard("new", "bots/owl")
    assert read_manifest(here / "bots" / "owl").name == "owl"


def test_it_says_how_to_go_on(upcard: Upcard) -> None:
    said = upcard("new", "owl").out
    venv = "python3 -m venv .venv && .venv/bin/python -m pip install ./.upcard"
    assert f"  # once, for your own tools:\n  (cd owl && {venv})\n" in said
    assert "  (cd owl && .venv/bin/python -m unittest)\n" in said


def test_it_prints_commands_as_it_was_called(
    upcard: Upcard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPCARD_COMMAND", "./upcard")
    Path("my bots").mkdir()
    said = upcard("new", "my bots/owl").out
    assert "  ./upcard check 'my bots/owl'\n" in said
    assert "  ./upcard try 'my bots/owl'\n" in said


def test_its_own_tests_pass(upcard: Upcard, here: Path) -> None:
    upcard("new", "owl")
    command = [sys.executable, "-m", "unittest"]
    done = subprocess.run(command, cwd=here / "owl", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["Owl", "1st", "-x", "a--b", "owl-", "ö", "a" * 41, "a.b", ""])
def test_a_name_that_some_language_cannot_write_is_refused(upcard: Upcard, name: str) -> None:
    said = upcard("new", "--", name)
    assert said.code == 2
    assert "cannot be a bot's name" in said.err


@pytest.mark.parametrize("name", ["build", "test", "upcard"])
def test_a_name_that_some_tool_chain_has_taken_is_refused(upcard: Upcard, name: str) -> None:
    said = upcard("new", name)
    assert (said.code, said.err) == (
        2,
        f"upcard: {name} means something else to tool chains; choose another name\n",
    )


def test_what_is_there_is_left_alone(upcard: Upcard, here: Path) -> None:
    (here / "owl").mkdir()
    said = upcard("new", "owl")
    assert (said.code, said.err) == (
        2,
        "upcard: owl exists; choose another name\n",
    )


def test_a_language_without_an_sdk_is_refused_with_those_that_have_one(upcard: Upcard) -> None:
    said = upcard("new", "owl", "--language", "cobol")
    assert said.code == 2
    assert "python" in said.err
    assert "docs/protocol.md" in said.err


def test_the_sdk_is_led_to_where_a_build_has_it(
    upcard: Upcard, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = toy_sdk(here / "sdk")
    monkeypatch.setattr(all_sdks.sdk_for, "__defaults__", (here / "sdk",))
    upcard("new", "owl", "--language", "Batter")
    assert (here / "owl" / ".upcard").resolve() == sdk.directory


def test_what_is_missing_to_build_it_is_told(
    upcard: Upcard, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy_sdk(here / "sdk", more='programs = [{ name = "no-such-oven", get = "buy one" }]\n')
    monkeypatch.setattr(all_sdks.sdk_for, "__defaults__", (here / "sdk",))
    said = upcard("new", "owl", "--language", "dough")
    assert said.out.endswith("you still need: there is no program no-such-oven: buy one\n")

"""`upcard languages` tells what bots can be written in here, and makes ready what can be."""

import json
from pathlib import Path

import pytest

from referee.cli import languages
from tests.bots.toy_sdk import toy_sdk
from tests.cli.conftest import Upcard


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.slow
def test_python_needs_no_building(upcard: Upcard) -> None:
    rows = json.loads(upcard("languages", "--json").out)
    (row,) = [row for row in rows if row["language"] == "python"]
    assert (row["builds"], row["missing"]) == ("not needed", "")


def test_what_is_fetched_beforehand_is_ready(
    upcard: Upcard, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = toy_sdk(here / "sdk")
    monkeypatch.setattr(languages, "sdks", lambda: (sdk,))
    before, after = upcard("languages", "--csv"), upcard("languages", "--prepare", "--csv")
    assert before.out.splitlines()[1] == "dough,native,ready after the first,"
    assert after.out.splitlines()[1] == "dough,native,ready,"


def test_what_cannot_be_fetched_is_a_failure_with_its_log(
    upcard: Upcard, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = toy_sdk(here / "sdk", fetch="echo no flour; exit 1")
    monkeypatch.setattr(languages, "sdks", lambda: (sdk,))
    said = upcard("languages", "--prepare", "--csv")
    assert said.code == 1
    assert "no flour\nupcard: cannot prepare to build bots in dough" in said.err


def test_a_missing_program_is_told(
    upcard: Upcard, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = toy_sdk(here / "sdk", more='programs = [{ name = "no-such-oven", get = "buy one" }]\n')
    monkeypatch.setattr(languages, "sdks", lambda: (sdk,))
    said = upcard("languages", "--csv")
    assert said.out.splitlines()[1].startswith("dough,native,not here,there is no program no-such")

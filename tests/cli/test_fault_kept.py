"""`upcard fault list` and `save`: what a league keeps of its faults."""

import json
import zlib
from pathlib import Path

import pytest

from referee.arena.fault import CRASHED
from referee.cli import fault_kept
from referee.reports.faults import ADVICE
from tests.cli.conftest import Upcard
from tests.cli.leagues import write_league


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Write a league in which entrant 2 fails in every duel."""
    place = tmp_path / "upcard.db"
    write_league(place, faulty=[2], explanation="exit \x1b[31mcode 1")
    return place


def test_faults_are_listed_with_where_they_happened(upcard: Upcard, place: Path) -> None:
    said = json.loads(upcard("fault", "list", "--json", "--db", place).out)
    assert len(said) == 4
    assert said[0] == {
        "number": 1,
        "duel": "1-2/1",
        "kind": "crashed",
        "entrant": "bert",
        "room": "open",
        "hand": 2,
        "seat": "East",
        "explanation": "exit \x1b[31mcode 1",
        "forfeits": True,
        "advice": ADVICE[CRASHED],
    }


def test_no_explanation_of_a_listed_fault_reaches_the_terminal(upcard: Upcard, place: Path) -> None:
    for words in ((), ("--csv",), ("--json",)):
        assert "\x1b" not in upcard("fault", "list", *words, "--db", place).out


def test_a_league_without_faults_says_so(upcard: Upcard, tmp_path: Path) -> None:
    write_league(tmp_path / "upcard.db")
    said = upcard("fault", "list", "--db", tmp_path / "upcard.db")
    assert said.out == "no bot of club was ever at fault\n"


def test_a_fault_kept_without_its_bundle_cannot_be_saved(upcard: Upcard, place: Path) -> None:
    said = upcard("fault", "save", 1, place.parent / "fault.json", "--db", place)
    assert (said.code, "stored without its bundle" in said.err) == (2, True)
    assert not (place.parent / "fault.json").exists()


def test_a_bundle_is_saved_as_it_was_kept(
    upcard: Upcard, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fault_kept, "fault_bundle", lambda *_: zlib.compress(b'{"a": 1}'))
    file = place.parent / "fault.json"
    assert upcard("fault", "save", 1, file, "--db", place).code == 0
    assert file.read_text() == '{"a": 1}'


def test_a_saved_bundle_never_replaces_a_file(upcard: Upcard, place: Path) -> None:
    said = upcard("fault", "save", 1, place, "--db", place)
    assert (said.code, "exists already" in said.err) == (2, True)


@pytest.mark.parametrize("number", ["0", "9" * 20])
def test_a_number_that_no_fault_can_have_is_refused_in_one_line(
    upcard: Upcard, place: Path, tmp_path: Path, number: str
) -> None:
    said = upcard("fault", "save", number, tmp_path / "f.json", "--db", place)
    assert (said.code, said.err.count("\n")) == (2, 1)

"""Signals that are ignored when the command starts, as under nohup, stay ignored."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli import league_play
from referee.cli.interrupts import STOP_SIGNALS, run_until_stopped
from tests.cli.conftest import Upcard
from tests.cli.leagues import write_league

pytestmark = pytest.mark.usefixtures("_deaf")
IGNORED = [signal.SIG_IGN] * len(STOP_SIGNALS)


@pytest.fixture
def _deaf() -> Iterator[None]:
    before = [signal.signal(each, signal.SIG_IGN) for each in STOP_SIGNALS]
    yield
    for each, handler in zip(STOP_SIGNALS, before, strict=True):
        signal.signal(each, handler)


def handlers() -> list[object]:
    return [signal.getsignal(each) for each in STOP_SIGNALS]


def test_any_command_leaves_them_alone(upcard: Upcard) -> None:
    upcard("--version")
    assert handlers() == IGNORED


def test_what_awaits_leaves_them_alone() -> None:
    async def look() -> list[object]:
        return handlers()

    assert run_until_stopped(look()) == IGNORED


def test_a_league_that_is_played_leaves_them_alone(
    upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_league(tmp_path / "upcard.db")
    seen: list[object] = []
    monkeypatch.setattr(league_play, "run_league", lambda *_: seen.extend(handlers()))
    upcard("league", "run", "--db", tmp_path / "upcard.db")
    assert seen == IGNORED

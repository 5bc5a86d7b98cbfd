"""What a killed run left lying about is removed by the next, even if nothing is left to play."""

import tempfile
from pathlib import Path

import pytest

from referee.league.running import RunOptions, run_league
from referee.store.leagues import league
from referee.store.opening import open_store
from tests.cli.leagues import write_league
from tests.league.real import Watcher


def test_a_run_with_nothing_to_play_removes_what_a_killed_one_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "upcard-run-0123456789ab"
    left.mkdir()
    write_league(tmp_path / "upcard.db")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with open_store(str(tmp_path / "upcard.db")) as store:
        run_league(store, "club", RunOptions(), Watcher(), lambda: 0)
        assert league(store, "club").state == "complete"
    assert not left.exists()

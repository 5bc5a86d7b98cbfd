"""What is shown while a league is played."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from referee.cli import live_display
from referee.cli.live_display import LiveDisplay
from referee.engine.dealing import commitment
from referee.league.table import LeagueTable, league_table
from referee.store.opening import open_store
from tests.cli.leagues import SEED, write_league


def table_of(place: Path, *versions: str) -> LeagueTable:
    write_league(place, [("ada", version) for version in versions])
    with open_store(str(place)) as store:
        return league_table(store, "club")


def test_the_leaders_are_shown_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(
        live_display, "Console", lambda **_: Console(file=screen, force_terminal=True, width=100)
    )
    table = table_of(tmp_path / "upcard.db", "1", "[/b]")
    with LiveDisplay(lambda: table) as board:
        board.planned(table.league, 4, 4)
    assert "ada@[/b]" in screen.getvalue()


def test_the_commitment_is_told_before_the_first_duel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_of(tmp_path / "upcard.db", "1", "2")
    with LiveDisplay(lambda: table) as board:
        board.planned(table.league, 0, 4)
        board.planned(table.league, 0, 4)
    assert capsys.readouterr().err == f"commitment {commitment(SEED)}\n"


def test_where_there_is_no_terminal_a_line_comes_every_ten_seconds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_of(tmp_path / "upcard.db", "1", "2")
    now = 0.0
    with LiveDisplay(lambda: table, lambda: now) as board:
        board.planned(table.league, 1, 4)
        for now in (0.0, 5.0, 10.0, 15.0, 20.0, 29.9):
            board.estimated(None if now < 15 else 100.4 - now)
    assert capsys.readouterr().err.splitlines()[1:] == [
        "1 of 4 duels played",
        "1 of 4 duels played; about 0:01:20 left",
    ]


def test_duels_of_which_one_match_is_over_are_shown_as_half_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_of(tmp_path / "upcard.db", "1", "2")
    now = 0.0
    with LiveDisplay(lambda: table, lambda: now) as board:
        board.planned(table.league, 1, 4)
        board.half_played(2)
        now = 10.0
        board.estimated(None)
        board.half_played(0)
        now = 20.0
        board.estimated(None)
    assert capsys.readouterr().err.splitlines()[1:] == [
        "1 of 4 duels played; 2 half played",
        "1 of 4 duels played",
    ]


def test_how_long_it_still_takes_is_shown_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(
        live_display, "Console", lambda **_: Console(file=screen, force_terminal=True, width=120)
    )
    table = table_of(tmp_path / "upcard.db", "1", "2")
    with LiveDisplay(lambda: table) as board:
        board.planned(table.league, 1, 4)
        board.estimated(754.0)
    assert "about 0:12:34 left" in screen.getvalue()

"""Writes a league, and reads it as reports are made from it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.league.table import LeagueTable, league_table
from referee.reports.duels import DuelLine, lines
from referee.store.duels import stored_duels
from referee.store.leagues import set_state, withdraw
from referee.store.leases import lease
from referee.store.opening import open_store
from tests.cli.leagues import NOW, bots, write_league


class Read(NamedTuple):
    table: LeagueTable
    lines: list[DuelLine]


Reader = Callable[..., Read]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Write a league as `write_league` does, end it if that is asked for, and read it."""

    def reader(
        *entrants: str,
        withdrawn: int = 0,
        closed: bool = False,
        **league: Any,  # noqa: ANN401 (as `write_league` takes it)
    ) -> Read:
        place = tmp_path / "upcard.db"
        write_league(place, bots(entrants), **league)
        with open_store(str(place)) as store:
            if withdrawn:
                withdraw(store, "club", withdrawn, NOW)
            if closed:
                with lease(store, "club") as ours:
                    set_state(store, ours, "closed")
            table = league_table(store, "club")
            return Read(table, list(lines(table, stored_duels(store, "club"))))

    return reader

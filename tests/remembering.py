"""Computes once in a process what many tests use and few are about.

- Each table of a league, however many tests read, export or verify it. What it is made of is
  compared by its bytes, so it is made anew for whatever differs. The tests in `tests/ratings` make
  each table anew.
- The statistics of each game. The tests of these compute them anew (`__wrapped__`).
- The tables of a new store in a file, which the migrations make for the first one.
"""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from time import monotonic
from typing import TYPE_CHECKING, Final

import pytest
from sqlalchemy import Connection, inspect

from referee.engine.game import Game
from referee.league import table
from referee.publication import tables
from referee.ratings.standings import Standings
from referee.store import migrating
from referee.store.database import Store, reading, transaction
from referee.web import game_statistics

if TYPE_CHECKING:
    from alembic.config import Config

_LARGE: Final = 1 << 16
"""Bytes; what is made of more is not kept."""


@contextmanager
def remembering() -> Iterator[None]:
    """Remember all of it until the end."""
    known: dict[bytes, Standings] = {}
    with pytest.MonkeyPatch.context() as patch:
        for module in (table, tables):
            patch.setattr(module, "standings", _remembered(module.standings, known))
        patch.setattr(game_statistics, "compute", _remembered_statistics(game_statistics.compute))
        patch.setattr(migrating, "upgrade", _remembered_upgrade(migrating.upgrade))
        yield


def _remembered(
    make: Callable[..., Standings], known: dict[bytes, Standings]
) -> Callable[..., Standings]:
    def standings(*given: object, **named: object) -> Standings:
        key = pickle.dumps((given, sorted(named.items())))
        if len(key) > _LARGE:
            return make(*given, **named)
        if key not in known:
            known[key] = make(*given, **named)
        return known[key]

    return standings


_Compute = Callable[[Game, Callable[[], float]], game_statistics.Statistics]


def _remembered_statistics(compute: _Compute) -> _Compute:
    @cache
    def by_the_clock(game: Game) -> game_statistics.Statistics:
        return compute(game, monotonic)

    @wraps(compute)
    def statistics(game: Game, clock: Callable[[], float]) -> game_statistics.Statistics:
        return by_the_clock(game) if clock is monotonic else compute(game, clock)

    return statistics


_Upgrade = Callable[[Store, "Config", str], None]


def _remembered_upgrade(upgrade: _Upgrade) -> _Upgrade:
    statements: list[str] = []

    @wraps(upgrade)
    def upgrade_once(store: Store, config: "Config", revision: str) -> None:
        usual = config.get_main_option("script_location") == str(migrating.SCRIPTS)
        if not store.in_file or not usual or revision != migrating.REVISION:
            upgrade(store, config, revision)
            return
        with transaction(store) as connection:
            empty = not inspect(connection).get_table_names()
            if empty:
                for statement in statements:
                    connection.exec_driver_sql(statement)
        if not (empty and statements):
            upgrade(store, config, revision)
        if empty and not statements:
            with reading(store) as connection:
                statements.extend(_dumped(connection))

    return upgrade_once


def _dumped(connection: Connection) -> list[str]:
    """Return the statements that make a database like this one, in a transaction of the caller."""
    driver = connection.connection.driver_connection
    assert driver is not None
    return [*driver.iterdump()][1:-1]

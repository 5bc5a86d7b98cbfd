"""Tells at little cost whether anything of a league has changed."""

from typing import NamedTuple

from sqlalchemy import Function, ScalarSelect, Table, func, select

from referee.errors import FileError
from referee.store.database import Store, reading
from referee.store.finding import league_id
from referee.store.migrating import REVISION, VERSION
from referee.store.rows import DUEL, ENTRY, EPOCH, LEAGUE, SNAPSHOT, VOID


class Stamp(NamedTuple):
    """What differs if anything of a league has changed; nothing of one is ever taken back."""

    league: int
    state: str
    entries: int
    withdrawn: int
    epochs: int
    last_duel: int
    last_void: int
    last_snapshot: int


def stamp(store: Store, name: str) -> Stamp:
    """Look at a league.

    Raises:
        ConfigError: there is none of that name.
        FileError: another upcard has upgraded the store since it was opened.
    """
    with reading(store) as connection:
        _refuse_upgraded(store, connection.scalar(select(VERSION.c.version_num)))
        found = league_id(connection, name)
        asked = select(
            LEAGUE.c.id,
            LEAGUE.c.state,
            _of(ENTRY, func.count(ENTRY.c.number)),
            _of(ENTRY, func.count(ENTRY.c.withdrawn)),
            _of(EPOCH, func.count(EPOCH.c.number)),
            _of(DUEL, func.coalesce(func.max(DUEL.c.id), 0)),
            _of(VOID, func.coalesce(func.max(VOID.c.id), 0)),
            _of(SNAPSHOT, func.coalesce(func.max(SNAPSHOT.c.id), 0)),
        )
        return Stamp(*connection.execute(asked.where(LEAGUE.c.id == found)).one())


def _of(table: Table, what: Function[int]) -> ScalarSelect[int]:
    return select(what).where(table.c.league == LEAGUE.c.id).scalar_subquery()


def _refuse_upgraded(store: Store, revision: str | None) -> None:
    if revision != REVISION:
        raise FileError(
            f"the store {store.place} was upgraded by a newer upcard; update this one, and start "
            "it again"
        )

"""Stamps, by which it is seen at little cost whether anything of a league has changed."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Function, ScalarSelect, Table, func, select

from referee.errors import FileError
from referee.store.database import Store, league_id, reading
from referee.store.migrating import REVISION, VERSION
from referee.store.rows import DUEL, ENTRY, EPOCH, LEAGUE, SNAPSHOT, VOID


class Stamp(NamedTuple):
    """What differs if anything of a league has changed."""

    league: int
    state: str
    entries: int
    withdrawn: int
    last_withdrawal: datetime | None
    """Beside their number, since one entrant may come back and another go."""
    epochs: int
    last_duel: int
    last_void: int
    last_snapshot: int


def _of(table: Table, what: Function[Any]) -> ScalarSelect[Any]:
    return select(what).where(table.c.league == LEAGUE.c.id).scalar_subquery()


_STAMP: Final = select(
    LEAGUE.c.id,
    LEAGUE.c.state,
    _of(ENTRY, func.count(ENTRY.c.number)),
    _of(ENTRY, func.count(ENTRY.c.withdrawn)),
    _of(ENTRY, func.max(ENTRY.c.withdrawn)),
    _of(EPOCH, func.count(EPOCH.c.number)),
    _of(DUEL, func.coalesce(func.max(DUEL.c.id), 0)),
    _of(VOID, func.coalesce(func.max(VOID.c.id), 0)),
    _of(SNAPSHOT, func.coalesce(func.max(SNAPSHOT.c.id), 0)),
)


def stamp(store: Store, name: str) -> Stamp:
    """Return the stamp of a league.

    Raises:
        ConfigError: there is none of that name.
        FileError: another upcard has migrated the store since it was opened.
    """
    with reading(store) as connection:
        _refuse_upgraded(store, connection.scalar(select(VERSION.c.version_num)))
        found = league_id(connection, name)
        return Stamp(*connection.execute(_STAMP.where(LEAGUE.c.id == found)).one())


def stamps(store: Store) -> dict[str, Stamp]:
    """Return the stamps of all leagues by name, the latest first, by one query.

    Raises:
        FileError: another upcard has upgraded the store since it was opened.
    """
    with reading(store) as connection:
        _refuse_upgraded(store, connection.scalar(select(VERSION.c.version_num)))
        found = connection.execute(_STAMP.add_columns(LEAGUE.c.name).order_by(LEAGUE.c.id.desc()))
        return {name: Stamp(*fields) for *fields, name in found}


def _refuse_upgraded(store: Store, revision: str | None) -> None:
    if revision != REVISION:
        raise FileError(
            f"the store {store.location} was upgraded by a newer upcard; update this one, and "
            "start it again"
        )

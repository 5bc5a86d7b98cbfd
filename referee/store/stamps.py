"""Stamps, by which it is seen at little cost whether anything of a league has changed."""

from typing import Any, Final, NamedTuple

from sqlalchemy import Column, ScalarSelect, Table, func, select

from referee.errors import FileError
from referee.store.database import Store, league_id, reading
from referee.store.migrating import REVISION, VERSION
from referee.store.rows import LEAGUE, LOG, SNAPSHOT


class Stamp(NamedTuple):
    """What differs if anything of a league has changed."""

    league: int
    state: str
    entries: int
    """Of its log, which has one for each change."""
    last_snapshot: int


def _of(table: Table, what: Column[int]) -> ScalarSelect[Any]:
    last = func.coalesce(func.max(what), 0)
    return select(last).where(table.c.league == LEAGUE.c.id).scalar_subquery()


_STAMP: Final = select(
    LEAGUE.c.id, LEAGUE.c.state, _of(LOG, LOG.c.number), _of(SNAPSHOT, SNAPSHOT.c.id)
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

"""Finds the row of a league by its name."""

from sqlalchemy import Connection, select

from referee.errors import ConfigError
from referee.store.rows import LEAGUE

_MOST_NAMED = 10


def league_id(connection: Connection, name: str, *, alone: bool = False) -> int:
    """Return the id of a league.

    Args:
        connection: a transaction.
        name: the league's.
        alone: have others who ask the same wait for the end of the transaction.

    Raises:
        ConfigError: there is none.
    """
    asked = select(LEAGUE.c.id).where(LEAGUE.c.name == name)
    found = connection.scalar(asked.with_for_update() if alone else asked)
    if found is None:
        raise ConfigError(f"there is no league {name[:80]!r}; {_there_are(connection)}")
    return int(found)


def _there_are(connection: Connection) -> str:
    asked = select(LEAGUE.c.name).order_by(LEAGUE.c.id.desc()).limit(_MOST_NAMED)
    names = list(connection.scalars(asked))
    return f"choose {' or '.join(names)}" if names else "make one: upcard bots add BOT"

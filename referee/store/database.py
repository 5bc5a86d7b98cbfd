"""The way into the database: one transaction to read or to write, and what went wrong in words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from referee.errors import FileError

_REASONS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; make room and go on, nothing that was kept is lost",
    sqlite3.SQLITE_READONLY: "it can only be read; see to its permissions, or name another",
    sqlite3.SQLITE_BUSY: "another program keeps it locked; try again when that is done",
    sqlite3.SQLITE_NOTADB: "this is no database; name another",
    sqlite3.SQLITE_CORRUPT: "it is damaged; go back to a backup",
    sqlite3.SQLITE_IOERR: "the disk is full or does not work; make room, or see the system's log",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; see to its permissions and those around it",
}
_NO_NEWS: Final = 0xFF
"""What is above these bits of a result code only tells where in SQLite it came up."""


class Store(NamedTuple):
    """An open store."""

    place: str
    """As it is told to a person, without a password."""
    engine: Engine
    files: Path
    """The directory of what is kept beside the database."""

    @property
    def in_file(self) -> bool:
        """Whether it is a file of SQLite, and not a server's."""
        return self.engine.dialect.name == "sqlite"


@contextmanager
def reading(store: Store) -> Iterator[Connection]:
    """Read in one transaction, which sees the store as it stood when that began."""
    with told(store.place), store.engine.connect() as connection:
        if store.in_file:
            connection.exec_driver_sql("BEGIN")
        else:
            connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        yield connection


@contextmanager
def writing(store: Store) -> Iterator[Connection]:
    """Write in one transaction, which is kept if all goes well; in a file only one writes."""
    with told(store.place), store.engine.connect() as connection:
        if store.in_file:
            # One that began by reading could not go on to write if another had written meanwhile.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection
        connection.commit()


@contextmanager
def told(place: str) -> Iterator[None]:
    """Turn the database's errors into one line; one that breaks a rule of the tables goes on."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise FileError(f"the store {place}: {_reason(error.orig)}") from None


def _reason(error: BaseException | None) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    words = str(error).strip().partition("\n")[0]
    return words if code is None else _REASONS.get(code & _NO_NEWS, words)

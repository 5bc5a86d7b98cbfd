"""Transactions to read and to write, and the database's errors as one line each."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from referee.errors import ConfigError, FileError, RecordError
from referee.store.rows import BOT, LEAGUE
from referee.text import close_names

DAMAGED: Final = "it is damaged; go back to a backup"
_REASONS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; make room and go on, nothing that was stored is lost",
    sqlite3.SQLITE_READONLY: "it can only be read; change its permissions, or name another",
    sqlite3.SQLITE_BUSY: "another program has locked it; try again when that is done",
    sqlite3.SQLITE_NOTADB: "this is no database; name another",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_ERROR: DAMAGED,  # every statement of ours is right for tables that are
    sqlite3.SQLITE_IOERR: "the disk is full or does not work; make room, or see the system's log",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check its permissions, and its directory's",
}
_RESULT_CODE: Final = 0xFF
"""The bits of an extended result code that say what went wrong; those above say where."""
_MOST_NAMED: Final = 10
_UNREADABLE: Final = (ValueError, TypeError, LookupError, AttributeError, OverflowError)
"""What comes of making values of rows that are not as they were written."""


class Store(NamedTuple):
    """An open store."""

    location: str
    """As it is shown to a person, without a password."""
    engine: Engine
    files: Path
    """The directory of the bots' bundles, beside the database."""

    @property
    def in_file(self) -> bool:
        """Whether it is a file of SQLite, and not a server's."""
        return self.engine.dialect.name == "sqlite"


@contextmanager
def reading(store: Store) -> Iterator[Connection]:
    """Read in one transaction, which sees the store as it stood when that began."""
    with (
        _row_errors(store.location),
        database_errors(store.location),
        store.engine.connect() as connection,
    ):
        if store.in_file:
            connection.exec_driver_sql("BEGIN")
        else:
            connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        yield connection


@contextmanager
def writing(store: Store, *, durable: bool = True) -> Iterator[Connection]:
    """Write in one transaction, which is committed if all goes well.

    Args:
        store: in a file, only one transaction at a time writes.
        durable: whether the disk holds it, and all before it, once this returns. What is not
            durable may be undone by a loss of power, never by the end of a process.
    """
    with _row_errors(store.location), transaction(store, durable=durable) as connection:
        yield connection


@contextmanager
def transaction(store: Store, *, durable: bool = True) -> Iterator[Connection]:
    """Write in one transaction without regard to what the rows are, as a migration does."""
    with database_errors(store.location), store.engine.connect() as connection:
        if store.in_file:
            # It cannot be changed within a transaction.
            connection.exec_driver_sql(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            # One that began by reading could not go on to write if another had written meanwhile.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection
        connection.commit()


def sync(connection: Connection) -> None:
    """Sync to the disk all that a connection can read; a server does so at each commit.

    Raises:
        FileError: it cannot.
    """
    if connection.dialect.name != "sqlite":
        return
    path = next(row.file for row in connection.exec_driver_sql("PRAGMA database_list"))
    try:
        # What is not in the log of SQLite is on the disk since its last checkpoint.
        number = os.open(f"{path}-wal", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        os.fsync(number)
    except OSError as error:
        raise FileError(f"the store {path} cannot be written to disk: {error.strerror}") from None
    finally:
        os.close(number)


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
    # Not a lock of the key: what refers to the league, as its log does, can be written meanwhile.
    found = connection.scalar(asked.with_for_update(key_share=True) if alone else asked)
    if found is None:
        raise ConfigError(f"there is no league {name[:80]!r}; {_choices(connection, name)}")
    return int(found)


def _choices(connection: Connection, name: str) -> str:
    every = list(connection.scalars(select(LEAGUE.c.name).order_by(LEAGUE.c.id.desc())))
    if names := close_names(name[:80], every) or every[:_MOST_NAMED]:
        return f"choose {' or '.join(names)}"
    if connection.scalar(select(BOT.c.id).limit(1)) is None:
        return "add bots first: upcard bots add BOT"
    return "create one: upcard league create LEAGUE --bot BOT"


@contextmanager
def database_errors(location: str) -> Iterator[None]:
    """Turn the database's errors into one line; one that breaks a rule of the tables goes on."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise FileError(f"the store {location}: {_reason(error.orig)}") from None


@contextmanager
def _row_errors(location: str) -> Iterator[None]:
    """Turn what comes of unusable rows into one line; only the store's own code runs in here."""
    try:
        yield
    except RecordError as error:
        raise FileError(f"the store {location}: {DAMAGED} ({error})") from None
    except _UNREADABLE as error:
        raise FileError(f"the store {location}: {DAMAGED}") from error


def _reason(error: BaseException | None) -> str:
    words = str(error).strip().partition("\n")[0]
    if words.startswith("Could not decode"):  # in Python's words, without a code
        return DAMAGED
    code = getattr(error, "sqlite_errorcode", None)
    return words if code is None else _REASONS.get(code & _RESULT_CODE, words)

"""Where a store is: a file of SQLite, or a database on a server."""

import os
import sqlite3
import sys
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import URL, QueuePool, create_engine, make_url
from sqlalchemy.exc import ArgumentError

from referee.errors import ConfigError, FileError
from referee.store.database import Store

_SERVERS: Final = ("postgres", "postgresql", "postgresql+psycopg")
_HEADER: Final = b"SQLite format 3\0"
_LOCK_TIMEOUT: Final = 30.0
"""Seconds to wait for another process that writes."""
_PRAGMAS: Final = (
    "foreign_keys = ON",
    "synchronous = NORMAL",
    # A stranger may have made the file, or a disk changed it: its schema calls no function that
    # does more than compute, pages are checked when they are read, and a change of the file while
    # it is read is an error rather than a signal.
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "mmap_size = 0",
)
_LONGEST: Final = 1 << 28
"""Bytes of the longest value; the longest of ours is a bundle of 1 MiB."""
_NO_FILES_BESIDE: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
_CHOICES: Final = "name a file, or a database as postgresql://HOST/NAME"


def in_file(location: str) -> Path | None:
    """Return the file that a location names, or None if it names a server."""
    if "://" not in location:
        return Path(location)
    scheme, _, rest = location.partition("://")
    if scheme != "sqlite":
        return None
    if not rest.startswith("/") or rest == "/":
        raise ConfigError(f"{location[:200]!r} names no file; write sqlite:///upcard.db")
    return Path(rest[1:])


def server(location: str, files: Path) -> Store:
    """Return the store on a server; nothing is asked of that yet."""
    url = _url(location)
    try:
        engine = create_engine(url, connect_args={"connect_timeout": 10})
    except ModuleNotFoundError:
        install = "pip install 'upcard-referee[postgres]'"
        raise ConfigError(f"PostgreSQL needs the package psycopg; install it: {install}") from None
    return Store(url.set(drivername="postgresql").render_as_string(), engine, files)


def _url(location: str) -> URL:
    try:
        url = make_url(location)
    except (ArgumentError, ValueError):
        raise ConfigError(f"this is not the URL of a database; {_CHOICES}") from None
    if url.drivername not in _SERVERS:
        raise ConfigError(f"a store cannot be on {url.drivername[:80]!r}; {_CHOICES}")
    return url.set(drivername="postgresql+psycopg")


def file(path: Path, *, read_only: bool = False) -> Store:
    """Return the store in a file that is there.

    Args:
        path: the file.
        read_only: whether it is never written by this process, though it might be.
    """
    # A path that is relative must mean the same if this process goes elsewhere.
    connect = partial(_connect, path.absolute(), read_only)
    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool)
    files = path.with_name(f"{path.name}.files")
    return Store(str(path), engine, files.absolute())


def can_write(path: Path) -> bool:
    """Return whether a database can be written: SQLite needs files of its own beside it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    if read_only and not _log_of(path).exists():
        # Nobody has it open. So many machines can read it at a time, where no lock can be trusted.
        return _connected(path, "immutable=1")
    mode = "mode=rw" if can_write(path) and not read_only else "mode=ro"
    try:
        return _connected(path, mode)
    except sqlite3.OperationalError as error:
        if mode == "mode=rw" or error.sqlite_errorcode & 0xFF not in _NO_FILES_BESIDE:
            raise
    if _left_over(path):
        raise FileError(
            f"the store {path} was not closed, and cannot be read where nothing can be written; "
            f"copy it and {path.name}-wal to where you may write"
        )
    # Nobody can write there, so no lock is needed.
    return _connected(path, "immutable=1")


def _left_over(path: Path) -> bool:
    log = _log_of(path)
    return log.exists() and log.stat().st_size > 0


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?{mode}"
    # Transactions are begun in `database`, and not by what looks like a write.
    connection = sqlite3.connect(
        uri, timeout=_LOCK_TIMEOUT, uri=True, check_same_thread=False, isolation_level=None
    )
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        if sys.version_info >= (3, 12):
            connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def make(path: Path) -> None:
    """Make an empty file if there is none; it will contain seeds, so it is for its owner alone."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise FileError(f"cannot make the store {path}: {error.strerror}") from None


def refuse_other(path: Path) -> None:
    """Refuse what is no file of SQLite, before that touches it; an empty one may become one."""
    try:
        if path.is_dir():
            raise ConfigError(f"{path} is a directory; name the store, a file")
        if not path.exists():
            raise ConfigError(
                f"there is no store {path}; name another, or make one: upcard bots add BOT"
            )
        if not path.is_file():
            raise ConfigError(f"{path} is not a file; name the store, a file")
        with path.open("rb") as opened:
            start = opened.read(len(_HEADER))
    except OSError as error:
        raise FileError(f"cannot read the store {path}: {error.strerror}") from None
    if start and start != _HEADER:
        raise ConfigError(f"{path} is not a store of upcard; name another file")

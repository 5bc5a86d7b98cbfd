"""How large a store is, and copies of it while it is in use."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text

from referee.errors import ConfigError, FileError
from referee.files.copying import copy_tree
from referee.files.writing import sync, whole_directory
from referee.store.bots import bots_in, bundle
from referee.store.bundles import place_of
from referee.store.database import Store, reading
from referee.store.location import make
from referee.store.sources import copy_source, source_file
from referee.store.submissions import sources_kept


class StoreSize(NamedTuple):
    """Bytes."""

    database: int
    bundles: int
    submissions: int
    """The archives of what was handed in."""


def usage(store: Store) -> StoreSize:
    """Return how much space a store takes."""
    places = place_of(store.files, ""), source_file(store.files, "")
    bundles, submissions = (sum(map(_size, place.rglob("*"))) for place in places)
    return StoreSize(_of_database(store), bundles, submissions)


def _of_database(store: Store) -> int:
    if store.in_file:
        return sum(_size(Path(store.location + end)) for end in ("", "-wal", "-shm"))
    with reading(store) as connection:
        return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _size(path: Path) -> int:
    """Return the bytes of a file, which may be gone by now."""
    try:
        found = path.lstat()
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def backup(store: Store, directory: Path) -> Path:
    """Copy a store as it is at this moment into a new directory; return the copy's database.

    Raises:
        ConfigError: the directory is there already, or the store is on a server.
        FileError: it cannot be written.
    """
    if not store.in_file:
        raise ConfigError(f"a server has its own backups: pg_dump; then copy {store.files} as well")
    if directory.exists():
        raise ConfigError(f"{directory} exists already; name a new directory")
    name = Path(store.location).name
    try:
        with whole_directory(directory) as part:
            part.chmod(0o700)
            kept, files = _copy_database(store, part / name), part / store.files.name
            for digest in kept.bots:
                copy_tree(bundle(store, digest), place_of(files, digest), synced=True)
            for digest in kept.sources:
                copy_source(store.files, digest, files)
    except sqlite3.Error as error:
        raise FileError(f"cannot copy {store.location} to {directory}: {error}") from None
    except OSError as error:
        raise FileError(f"cannot write {directory}: {error.strerror}") from None
    return directory / name


class _Kept(NamedTuple):
    """The digests of what is in the files beside a database."""

    bots: list[str]
    sources: list[str]


def _copy_database(store: Store, target: Path) -> _Kept:
    """Copy the database, which may be written meanwhile; return what it has in files."""
    make(target)
    with closing(sqlite3.connect(target)) as copy:
        with reading(store) as connection:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            source.backup(copy)
            bots = [bot.digest for bot in bots_in(connection)]
            kept = _Kept(bots, sources_kept(connection))
        # A league is run in the store, not in the copy.
        copy.execute("DELETE FROM lease")
        copy.commit()
    sync(target)
    return kept

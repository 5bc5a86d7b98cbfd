"""Opens a store, and creates or migrates it where that is needed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.errors import FileError, RecordError, UpcardError
from referee.store import location
from referee.store.damage import damage
from referee.store.database import DAMAGED, Store, database_errors
from referee.store.migrating import migrate

DEFAULT: Final = "upcard.db"
FILES: Final = "UPCARD_FILES"
"""Names the directory for the bundles of a store on a server."""


@contextmanager
def open_store(
    where: str, *, create: bool = False, read_only: bool = False, files: Path | None = None
) -> Iterator[Store]:
    """Open a store while the context lasts.

    Args:
        where: a file, or the address of a database on a server.
        create: whether to create it if there is none.
        read_only: whether nothing is written to it, nor beside it, even where that could be done.
        files: the directory for the bundles of a store on a server; a file has its own beside it.

    Raises:
        ConfigError: there is none, or it is not one that this program can open.
        FileError: it cannot be read, created or migrated, or turns out to be damaged.
    """
    store, writable = _found(where, create, read_only, files)
    try:
        with database_errors(store.location):
            migrate(store, create=create, writable=writable)
        yield store
    except RecordError as error:  # of a play, as nothing else in a store has records
        raise FileError(f"the store {store.location}: {DAMAGED} ({error})") from error
    except UpcardError:
        raise
    except Exception as error:
        # Looked for only now: it takes as long as to read it all.
        if found := damage(store):
            raise FileError(f"the store {store.location}: {DAMAGED} ({found})") from error
        raise
    finally:
        store.engine.dispose()


def _found(where: str, create: bool, read_only: bool, files: Path | None) -> tuple[Store, bool]:
    path = location.in_file(where)
    if path is None:
        files = files or Path(os.environ.get(FILES, "upcard.files"))
        return location.server(where, files), not read_only
    if create:
        location.make(path)
    location.refuse_other(path)
    writable = location.can_write(path) and not read_only
    return location.file(path, read_only=read_only), writable

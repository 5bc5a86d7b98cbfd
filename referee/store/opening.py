"""Opens a store, and makes or upgrades it where that is needed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.store import location
from referee.store.database import Store, told
from referee.store.migrating import migrate

DEFAULT: Final = "upcard.db"
FILES: Final = "UPCARD_FILES"
"""Names the directory for the bundles of a store on a server."""


@contextmanager
def open_store(place: str, *, create: bool = False, files: Path | None = None) -> Iterator[Store]:
    """Open a store while the context lasts.

    Args:
        place: a file, or the address of a database on a server.
        create: whether to make it if there is none.
        files: the directory for the bundles of a store on a server; a file has its own beside it.

    Raises:
        ConfigError: there is none, or it is not one that this program can open.
        FileError: it cannot be read, made or upgraded.
    """
    store, writable = _found(place, create, files)
    try:
        with told(store.place):
            migrate(store, create=create, writable=writable)
        yield store
    finally:
        store.engine.dispose()


def _found(place: str, create: bool, files: Path | None) -> tuple[Store, bool]:
    path = location.in_file(place)
    if path is None:
        return location.server(place, files or Path(os.environ.get(FILES, "upcard.files"))), True
    if create:
        location.make(path)
    location.refuse_other(path)
    return location.file(path), location.can_write(path)

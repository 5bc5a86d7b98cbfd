"""Opens a store, and makes or upgrades it where that is needed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.store import place as places
from referee.store.database import Store, told
from referee.store.upgrading import bring_up

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
            bring_up(store, create=create, writable=writable)
        yield store
    finally:
        store.engine.dispose()


def _found(place: str, create: bool, files: Path | None) -> tuple[Store, bool]:
    path = places.in_file(place)
    if path is None:
        return places.server(place, files or Path(os.environ.get(FILES, "upcard.files"))), True
    if create:
        places.make(path)
    places.refuse_other(path)
    return places.file(path), places.can_write(path)

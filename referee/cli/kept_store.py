"""A store for one command: thrown away at its end, or kept where its user says."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Annotated

import typer

from referee.errors import ConfigError, FileError
from referee.files.own_directory import own_directory
from referee.store.database import Store
from referee.store.opening import DEFAULT, open_store

Keep = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Keep the store in this directory, new or empty, for the other commands (--db).",
    ),
]


@contextmanager
def kept_store(keep: Path | None, prefix: str) -> Iterator[Store]:
    """Open a new store in a directory to keep, else in a temporary one of this prefix."""
    with (
        _directory(keep, prefix) as directory,
        open_store(str(directory / DEFAULT), create=True) as store,
    ):
        yield store


@contextmanager
def _directory(keep: Path | None, prefix: str) -> Iterator[Path]:
    if keep is None:
        with own_directory(Path(gettempdir()), prefix) as directory:
            yield directory
        return
    try:
        keep.mkdir(parents=True, exist_ok=True)
        used = any(keep.iterdir())
    except OSError as error:
        raise FileError(f"cannot keep the store in {keep}: {error.strerror}") from None
    if used:
        raise ConfigError(f"{keep} is not empty; name a new directory")
    yield keep

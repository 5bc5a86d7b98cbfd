"""Removes what referees that were killed have left behind: sockets, and groups of sandboxes.

Who starts next removes it too; but after the last run of a league nobody need come.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Final

from referee.files.own_directory import sweep
from referee.sandbox import cgroups

RUN: Final = "upcard-run-"
_SEATS: Final = "upcard-seats-"
"""The names of directories that a run and a session make, as far as they are the same."""


@contextmanager
def cleaned_up(*, sandboxed: bool) -> Iterator[None]:
    """Remove it when all is over."""
    try:
        yield
    finally:
        for prefix in (RUN, _SEATS):
            sweep(Path(gettempdir()), prefix)
        if sandboxed:
            cgroups.find()

"""Where on this machine is kept what takes long to make and can be made again."""

import asyncio
import fcntl
import os
import shutil
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from referee.errors import FileError

_PAUSE: Final = 0.2


def cache_directory() -> Path:
    """Give the directory, private to this user.

    Raises:
        FileError: it cannot be made.
    """
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    place = Path(home, "upcard")
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.chmod(0o700)
    except OSError as error:
        raise FileError(
            f"cannot make {place}: {error.strerror}; name another place in XDG_CACHE_HOME"
        ) from None
    return place


@asynccontextmanager
async def sole_maker(place: Path) -> AsyncIterator[None]:
    """Wait until nobody else is making what belongs at a place, and let nobody begin."""
    place.parent.mkdir(exist_ok=True)
    lock = os.open(f"{place}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not _is_locked(lock):  # noqa: ASYNC110 (another process has it)
            await asyncio.sleep(_PAUSE)
        yield
    finally:
        os.close(lock)


def _is_locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def prune(places: Collection[Path], keep: int) -> None:
    """Remove those used longest ago, until so many are left."""
    newest_first = sorted(places, key=lambda place: place.stat().st_mtime, reverse=True)
    for place in newest_first[keep:]:
        shutil.rmtree(place, ignore_errors=True)

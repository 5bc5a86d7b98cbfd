"""Where on this machine is kept what takes long to make and can be made again."""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

from referee.errors import FileError
from referee.files.own_directory import own_directory

Progress = Callable[[str], AbstractContextManager[None]]
"""Tells whoever waits what is being done."""
_PAUSE: Final = 0.2


def cache_directory() -> Path:
    """Return the directory, which is this user's alone.

    Raises:
        FileError: it cannot be made, or is somebody else's.
    """
    told = Path(os.environ.get("XDG_CACHE_HOME", ""))
    place = (told if told.is_absolute() else Path.home() / ".cache") / "upcard"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.is_symlink() or place.lstat().st_uid != os.geteuid():
            raise FileError(f"{place} is not a directory of yours; {_ELSEWHERE}")
        place.chmod(0o700)
    except OSError as error:
        raise FileError(f"cannot make {place}: {error.strerror}; {_ELSEWHERE}") from None
    return place


_ELSEWHERE: Final = "name another place in XDG_CACHE_HOME"


@asynccontextmanager
async def locked(place: Path, progress: Progress, *, shared: bool = False) -> AsyncIterator[None]:
    """Wait until nobody makes or removes what is at a place, and let nobody begin.

    Shared, it is held by all who use it; else by one who makes it.
    """
    way = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    with _lock(place) as lock:
        if not _is_locked(lock, way):
            with progress("Waiting for another process, which builds the same"):
                while not _is_locked(lock, way):  # noqa: ASYNC110 (nothing wakes us)
                    await asyncio.sleep(_PAUSE)
        yield


@contextmanager
def _lock(place: Path) -> Iterator[int]:
    place.parent.mkdir(exist_ok=True)
    lock = os.open(f"{place}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield lock
    finally:
        os.close(lock)


def _is_locked(lock: int, way: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, way | fcntl.LOCK_NB)
        return True
    return False


def prune(places: Iterable[Path], keep: int) -> None:
    """Remove those used longest ago that nobody uses now, until so many are left."""
    for place in sorted(places, key=_last_used, reverse=True)[keep:]:
        with _lock(place) as lock:
            if _is_locked(lock, fcntl.LOCK_EX):
                remove(place)


def remove(place: Path) -> None:
    """Remove what was kept, at once for all others: half of it is never there."""
    with own_directory(cache_directory(), "discarded-") as away, suppress(FileNotFoundError):
        place.rename(away / place.name)


def _last_used(place: Path) -> float:
    try:
        return place.stat().st_mtime
    except FileNotFoundError:
        return 0.0

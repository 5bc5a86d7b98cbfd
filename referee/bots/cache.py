"""The cache of this user: what takes long to make and can be made again, each entry with a lock."""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

from referee.errors import FileError
from referee.files.own_directory import own_directory

BuildProgress = Callable[[str], AbstractContextManager[None]]
"""Shows what is being done, for as long as the context is open."""
_POLL_SECONDS: Final = 0.2
_ELSEWHERE: Final = "name another directory in XDG_CACHE_HOME"


def cache_directory() -> Path:
    """Return the directory of the cache, which only this user can read.

    Raises:
        FileError: it cannot be made, or belongs to another user.
    """
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    directory = (base if base.is_absolute() else Path.home() / ".cache") / "upcard"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if directory.is_symlink() or directory.lstat().st_uid != os.geteuid():
            raise FileError(f"{directory} is not a directory of yours; {_ELSEWHERE}")
        directory.chmod(0o700)
    except OSError as error:
        raise FileError(f"cannot make {directory}: {error.strerror}; {_ELSEWHERE}") from None
    return directory


@asynccontextmanager
async def locked(
    path: Path, progress: BuildProgress, *, shared: bool = False
) -> AsyncIterator[None]:
    """Hold the lock of an entry: shared by those who use it, or exclusive to change it."""
    operation = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    with _open_lock(path) as lock:
        if not _try_lock(lock, operation):
            with progress("Waiting for another process, which builds the same"):
                while not _try_lock(lock, operation):  # noqa: ASYNC110 (nothing wakes us)
                    await asyncio.sleep(_POLL_SECONDS)
        yield


@contextmanager
def _open_lock(path: Path) -> Iterator[int]:
    path.parent.mkdir(exist_ok=True)
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield lock
    finally:
        os.close(lock)


def _try_lock(lock: int, operation: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, operation | fcntl.LOCK_NB)
        return True
    return False


def prune(paths: Iterable[Path], keep: int) -> None:
    """Remove all entries but the `keep` last used, except those that are in use."""
    for path in sorted(paths, key=_last_used, reverse=True)[keep:]:
        with _open_lock(path) as lock:
            if _try_lock(lock, fcntl.LOCK_EX):
                remove(path)


def remove(path: Path) -> None:
    """Remove an entry; no other process ever sees a part of it."""
    with own_directory(cache_directory(), "discarded-") as away, suppress(FileNotFoundError):
        path.rename(away / path.name)


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0

"""Private directories, removed by their owner or, if it was killed, by the next process.

Their owner holds a lock on each. The kernel releases a lock when its process ends, so a directory
that can be locked was left by a process that was killed.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from referee.errors import FileError

Rescue = Callable[[Path], None]
"""Saves what is needed of a directory before it is swept."""


def _nothing(_directory: Path) -> None:
    pass


@contextmanager
def own_directory(parent: Path, prefix: str, rescue: Rescue = _nothing) -> Iterator[Path]:
    """Make a private directory in one for temporary files, as `directory_beside` does.

    Raises:
        FileError: it cannot be made.
    """
    with ExitStack() as closing:
        try:
            directory = closing.enter_context(directory_beside(parent, prefix, rescue))
        except OSError as error:
            raise FileError(
                f"cannot make a directory in {parent}: {error.strerror}; fix that, or name "
                "another directory in TMPDIR"
            ) from None
        yield directory


@contextmanager
def directory_beside(parent: Path, prefix: str, rescue: Rescue = _nothing) -> Iterator[Path]:
    """Sweep what killed owners left, make a private directory, and remove it at the end.

    Raises:
        OSError: it cannot be made; what to do about that depends on what it is for.
    """
    sweep(parent, prefix, rescue)
    directory, lock = _new_name(parent, prefix), None
    try:  # an interrupt may come at any moment, also while it is made
        while lock is None:
            directory.mkdir(mode=0o700)
            try:
                lock = _lock(directory)
            except (FileNotFoundError, BlockingIOError):
                # Until it is locked it looks left behind, and another process sweeps it.
                directory = _new_name(parent, prefix)
        yield directory
    finally:
        remove(directory)
        if lock is not None:
            os.close(lock)


def remove(directory: Path) -> None:
    """Remove a directory, whatever was done to its content and permissions."""
    if not os.path.lexists(directory):
        return
    with suppress(OSError, RecursionError):
        shutil.rmtree(directory)
        return
    # Too deep for Python, or without permissions; these two never use a whole path.
    for command in (("chmod", "-R", "u+rwX"), ("rm", "-rf", "--one-file-system")):
        subprocess.run((*command, "--", directory), stderr=subprocess.DEVNULL, check=False)  # noqa: S603 (no shell)


def _new_name(parent: Path, prefix: str) -> Path:
    return parent / f"{prefix}{os.urandom(6).hex()}"


def _lock(directory: Path) -> int:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        directory.lstat()
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def sweep(parent: Path, prefix: str, rescue: Rescue = _nothing) -> None:
    """Remove the directories of a prefix whose owners were killed."""
    for left in parent.glob(f"{prefix}*"):
        with suppress(OSError):
            if left.lstat().st_uid == os.geteuid():
                lock = _lock(left)
                try:
                    rescue(left)
                    remove(left)
                finally:
                    os.close(lock)

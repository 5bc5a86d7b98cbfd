"""Directories that are ours as long as we live, and are removed by whoever comes next if we die.

Their owner holds a lock on each. A lock goes with its process, so what can be locked was left by
somebody who was killed.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from referee.errors import FileError


@contextmanager
def own_directory(parent: Path, prefix: str) -> Iterator[Path]:
    """Make a private directory in a place for such, as `directory_beside` does.

    Raises:
        FileError: it cannot be made.
    """
    with ExitStack() as closing:
        try:
            place = closing.enter_context(directory_beside(parent, prefix))
        except OSError as error:
            raise FileError(
                f"cannot make a directory in {parent}: {error.strerror}; see to that, or name "
                "another place in TMPDIR"
            ) from None
        yield place


@contextmanager
def directory_beside(parent: Path, prefix: str) -> Iterator[Path]:
    """Make a private directory for as long as it is needed, and remove what others have left.

    Raises:
        OSError: it cannot be made; what to do about that depends on what it is for.
    """
    sweep(parent, prefix)
    place, lock = _made(parent, prefix)
    try:
        yield place
    finally:
        remove(place)
        os.close(lock)


def remove(place: Path) -> None:
    """Remove a directory, whatever somebody has made of it."""
    with suppress(OSError, RecursionError):
        shutil.rmtree(place)
        return
    # Too deep for us, or locked from the inside; these two go down without names of their own.
    for command in (("chmod", "-R", "u+rwX"), ("rm", "-rf", "--one-file-system")):
        subprocess.run((*command, "--", place), stderr=subprocess.DEVNULL, check=False)  # noqa: S603 (no shell)


def _made(parent: Path, prefix: str) -> tuple[Path, int]:
    while True:
        place = parent / f"{prefix}{os.urandom(6).hex()}"
        place.mkdir(mode=0o700)
        # Until it is locked it looks left behind, and may be swept away under us.
        with suppress(FileNotFoundError, BlockingIOError):
            return place, _locked(place)


def _locked(place: Path) -> int:
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        place.lstat()
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def sweep(parent: Path, prefix: str) -> None:
    """Remove the directories of a prefix whose owners were killed."""
    for left in parent.glob(f"{prefix}*"):
        with suppress(OSError):
            if left.lstat().st_uid == os.geteuid():
                lock = _locked(left)
                remove(left)
                os.close(lock)

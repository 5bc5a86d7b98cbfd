"""The bundles of bots: directories beside the database, each there as a whole or not at all.

A bundle is copied under a name of its own, written to disk, and then given the name of its digest.
What a kill leaves behind is a copy that nobody has locked, and the next who adds removes it.
"""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import Error as ShutilError
from shutil import copytree, rmtree
from stat import S_IXUSR
from typing import Final

from referee.errors import FileError

_NEW: Final = ".new-"


def place_of(files: Path, digest: str) -> Path:
    """Return where the bundle of a digest is kept."""
    return files / "bots" / digest


def there(files: Path, digest: str) -> bool:
    """Return whether a bundle is kept."""
    return place_of(files, digest).is_dir()


@contextmanager
def copied(files: Path, digest: str, bundle: Path) -> Iterator[Path]:
    """Copy a bundle next to where it is going to be; what is left of the copy is removed."""
    try:
        with _room(files, digest) as copy:
            copy_out(bundle, copy)
            yield copy
    except ShutilError as error:
        (first, *_) = error.args[0]
        raise FileError(f"cannot keep {first[0]}: {first[2]}") from None
    except OSError as error:
        raise FileError(f"cannot keep {bundle} in {files}: {error.strerror}") from None


def put(copy: Path, files: Path, digest: str) -> None:
    """Give a copy the place of its digest; what a kill left there unowned makes room."""
    place = place_of(files, digest)
    if place.exists():
        place.rename(copy.with_name(f"{copy.name}-before"))
    copy.rename(place)
    write_out(place.parent)


@contextmanager
def _room(files: Path, digest: str) -> Iterator[Path]:
    parent = files / "bots"
    parent.mkdir(parents=True, exist_ok=True)
    for directory in (files, parent):
        directory.chmod(0o755)
    _clear(parent)
    copy = parent / f"{_NEW}{digest[:12]}-{secrets.token_hex(4)}"
    copy.mkdir()
    lock = os.open(copy, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield copy
    finally:
        for left in (copy, copy.with_name(f"{copy.name}-before")):
            rmtree(left, ignore_errors=True)
        os.close(lock)


def _clear(parent: Path) -> None:
    for left in parent.glob(f"{_NEW}*"):
        with suppress(OSError):
            lock = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                rmtree(left, ignore_errors=True)
            finally:
                os.close(lock)


def copy_out(bundle: Path, copy: Path) -> None:
    """Copy a bundle so that the strangers it will run as can read it, and the disk holds it."""
    copytree(bundle, copy, symlinks=True, dirs_exist_ok=True)
    for path in (*copy.rglob("*"), copy):
        if path.is_symlink():
            continue
        may_run = path.is_dir() or path.stat().st_mode & S_IXUSR
        path.chmod(0o755 if may_run else 0o644)
        write_out(path)


def write_out(path: Path) -> None:
    """Have the disk hold a file or directory."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""Files and directories that appear whole, or not at all, whenever their writer is killed.

They are written in a private directory beside their target and then renamed. Replacing a directory
exchanges the two in one system call. Where the file system cannot do that, the earlier directory is
first moved into the private one, and the next write beside it restores it after a kill.
"""

import ctypes
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, TextIO

from referee.errors import ConfigError, FileError
from referee.files.own_directory import directory_beside

_PREFIX: Final = ".upcard-new-"
_EARLIER: Final = "earlier"
"""Within a private directory: what is being replaced, by its own name."""
_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Open a file to be written: it appears, or replaces an earlier one, when all went well.

    What is replaced keeps its permissions; where a link leads is replaced, not the link.

    Raises:
        ConfigError: there is something that is not a file.
        FileError: it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path} is not a file that can be written; name another")
        target = path.resolve()
        with _private_directory(target.parent) as own:
            part = own / "file"
            with part.open("x", encoding="utf-8") as out:
                if target.exists():
                    os.fchmod(out.fileno(), stat.S_IMODE(target.stat().st_mode))
                yield out
                out.flush()
                os.fsync(out.fileno())
            part.replace(target)
            sync(target.parent)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None


def refuse_earlier(path: Path) -> None:
    """Refuse to replace any directory that holds something."""
    raise ConfigError(f"{path} is not empty; name a new directory, or remove this one")


@contextmanager
def whole_directory(
    path: Path, check_earlier: Callable[[Path], None] = refuse_earlier
) -> Iterator[Path]:
    """Make a directory to be filled: it appears, or replaces an earlier one, when all went well.

    The files in it are not synchronised: the caller does that if they must survive a power cut.

    Args:
        path: where it appears.
        check_earlier: raises an error if the directory that is there must not be replaced.

    Raises:
        ConfigError: there is something that is not replaced.
        FileError: it cannot be written.
    """
    target = path.resolve()
    try:
        if not target.parent.is_dir():
            raise ConfigError(f"there is no directory {target.parent}; make it, or name another")
        with _private_directory(target.parent) as own:
            if target.exists() and not target.is_dir():
                raise ConfigError(f"{path} is not a directory; name a new one")
            if target.exists() and any(target.iterdir()):
                check_earlier(path)
            part = own / "directory"
            part.mkdir()
            yield part
            sync(part)
            replace_directory(part, target, own / _EARLIER / target.name)
            sync(target.parent)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None


def replace_directory(new: Path, target: Path, earlier: Path) -> None:
    """Rename a directory, if need be in exchange for the one that has its name.

    Args:
        new: the directory, which must be on the same file system.
        target: its new name.
        earlier: where the one that is there goes if the file system cannot exchange the two.
    """
    if not target.is_dir() or not any(target.iterdir()):
        new.rename(target)
    elif not _exchange(new, target):
        earlier.parent.mkdir(exist_ok=True)
        target.rename(earlier)
        try:
            new.rename(target)
        except OSError:
            earlier.rename(target)
            raise


def sync(path: Path) -> None:
    """Write a file or the entries of a directory to disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _private_directory(parent: Path) -> AbstractContextManager[Path]:
    return directory_beside(parent, _PREFIX, _restore)


def _restore(left: Path) -> None:
    """Move back what a killed writer had moved away, but not yet replaced."""
    for earlier in (left / _EARLIER).glob("*"):
        target = left.parent / earlier.name
        if not target.exists():
            earlier.rename(target)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two directories at once, or return False where that is not possible."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if rename is None:
        return False
    names = os.fsencode(one), os.fsencode(other)
    return bool(rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)

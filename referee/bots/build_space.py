"""The file system of a build: one of a fixed size where this machine can mount one.

What a build writes is counted while it writes, and so always a moment late. An image of a file
system, mounted for the build alone, ends at its last block, whatever is written how fast. To mount
one takes root, and a loop device; elsewhere a build works in the cache, and the count is all.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from referee.bots.build_sandbox import MOST_FILES, MOST_MIB, machine
from referee.errors import UpcardError
from referee.files.own_directory import own_directory, remove
from referee.sandbox.limits import MIB

_SPACE: Final = "space"
_TABLES_MIB: Final = 116
"""What the file system needs for itself."""
_FORMAT: Final = (
    *("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal"),
    *("-N", str(MOST_FILES), "-E", "lazy_itable_init=1,nodiscard"),
)
# Nothing in it outlives the build, so nothing need reach the disk.
_MOUNT: Final = (
    *("mount", "-t", "ext4"),
    *("-o", "loop,nodev,nosuid,noatime,nobarrier,noinit_itable"),
)


@contextmanager
def build_directory(cache: Path) -> Iterator[tuple[Path, Path]]:
    """Make a directory in the cache, and in it one for what a build writes; both are removed.

    Yields:
        the two directories, of which the second may be on a file system of its own.
    """
    # A process that was killed has left its file system mounted.
    with own_directory(cache, "building-", lambda left: _unmount(left / _SPACE)) as own:
        space = own / _SPACE
        space.mkdir()
        try:
            _mount(own / "image", space)
            yield own, space
        finally:
            for directory in space.iterdir():
                remove(directory)  # or it would be written to the disk now
            _unmount(space)


def _mount(image: Path, space: Path) -> None:
    if os.geteuid() != 0:
        return
    with suppress(UpcardError, OSError):
        with image.open("xb") as opened:
            opened.truncate((MOST_MIB + _TABLES_MIB) * MIB)
        machine(*_FORMAT, str(image))
        machine(*_MOUNT, str(image), str(space))


def _unmount(space: Path) -> None:
    if space.is_mount():
        with suppress(UpcardError, OSError):
            machine("umount", "--lazy", str(space))

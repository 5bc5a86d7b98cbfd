"""Slots: numbers, and with them uids, that no two bots on this machine have at the same time.

A slot is a byte of a file, in use while that byte is locked. The kernel releases the locks of a
process that ends, so a referee that is killed leaves nothing to clean up.
"""

import fcntl
import grp
import os
import pwd
import struct
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Final, NamedTuple

from referee.errors import ConfigError

SLOTS: Final = 1024
_HIGH: Final = range(200_704, 1 << 20, SLOTS)
_LOW: Final = range(60 * SLOTS, 20 * SLOTS, -SLOTS)
_RUN: Final = Path("/run")
INNER_BASE: Final = 30 * SLOTS
"""The first uid inside a namespace of subordinate uids, where all others are unused."""


class Slot(NamedTuple):
    """A number and a uid for one bot at a time."""

    number: int
    uid: int


class Slots:
    """The slots of one user on this machine."""

    def __init__(self, base: int, path: Path | None = None) -> None:
        """Open the file of the slots; the uid of the first is the base."""
        self._base = base
        self._file = os.open(path or _directory() / "slots", os.O_RDWR | os.O_CREAT, 0o600)
        # What a bot's uid says of its seat, somebody could tell its partner.
        self._order = SystemRandom().sample(range(SLOTS), SLOTS)
        # A lock does not conflict with its own holder, so our own are recorded.
        self._in_use: set[int] = set()

    def acquire(self) -> Slot:
        """Lock any free slot, until it is released or this process ends."""
        for number in self._order:
            if number in self._in_use:
                continue
            with suppress(BlockingIOError):
                fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _lock(fcntl.F_WRLCK, number))
                self._in_use.add(number)
                return Slot(number, self._base + number)
        raise ConfigError(f"{SLOTS} bots run on this machine already; wait until some have ended")

    def release(self, slot: Slot) -> None:
        """Release a slot whose bot has ended."""
        fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _lock(fcntl.F_UNLCK, slot.number))
        self._in_use.discard(slot.number)

    def close(self) -> None:
        """Release all slots."""
        os.close(self._file)


def _lock(kind: int, byte: int) -> bytes:
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, byte, 1, 0)


def _directory() -> Path:
    """Return a private directory, the same for every referee of this user."""
    if os.geteuid() == 0 and os.access(_RUN, os.W_OK):
        return _private(_RUN / "upcard")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and os.access(runtime, os.W_OK):
        return _private(Path(runtime, "upcard"))
    return _private(Path(tempfile.gettempdir(), f"upcard-{os.geteuid()}"))


def _private(directory: Path) -> Path:
    directory.mkdir(mode=0o700, exist_ok=True)
    found = directory.lstat()
    if directory.is_symlink() or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise ConfigError(f"{directory} is not a private directory of this user; remove it")
    return directory


def root_base() -> int:
    """Return the first uid of bots if we are root."""
    taken = [*_known_ids(), *_subordinate_ids()]
    return free_base(taken, [*_mapped("uid_map")], [*_mapped("gid_map")])


def free_base(taken: Sequence[range], uids: Sequence[range], gids: Sequence[range]) -> int:
    """Return the first id of a free block that is mapped in our user namespace."""
    bases: tuple[int, ...] = (*_HIGH, *_LOW)
    for base in bases:
        block = range(base, base + SLOTS)
        mapped = all(any(_within(block, part) for part in ids) for ids in (uids, gids))
        if mapped and not any(_overlap(block, other) for other in taken):
            return base
    raise ConfigError(f"no {SLOTS} uids in a row are free for bots; look at /etc/subuid")


def _within(block: range, other: range) -> bool:
    return other.start <= block.start and block.stop <= other.stop


def _overlap(block: range, other: range) -> bool:
    return block.start < other.stop and other.start < block.stop


def _known_ids() -> Iterator[range]:
    for user in pwd.getpwall():
        yield range(user.pw_uid, user.pw_uid + 1)
    for group in grp.getgrall():
        yield range(group.gr_gid, group.gr_gid + 1)


def _subordinate_ids() -> Iterator[range]:
    for name in ("subuid", "subgid"):
        with suppress(OSError):
            yield from subordinate_ids(Path("/etc", name).read_text().splitlines())


def subordinate_ids(lines: Iterable[str]) -> Iterator[range]:
    """Read the ranges of a file like /etc/subuid."""
    for line in lines:
        fields = line.split(":")
        if len(fields) == 3 and fields[1].isdigit() and fields[2].strip().isdigit():
            yield range(int(fields[1]), int(fields[1]) + int(fields[2]))


def _mapped(name: str) -> Iterator[range]:
    for line in Path("/proc/self", name).read_text().splitlines():
        first, _, count = map(int, line.split())
        yield range(first, first + count)

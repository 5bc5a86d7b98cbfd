"""Channels of a file that both have, and cannot write."""

import ctypes
import fcntl
import math
import mmap
import os
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from .system import LIBC, READ_AT, SHARED, SHARED_BYTES, Receive, Send, call, try_both


def _map_shared() -> int:
    with SHARED.open("rb") as file:
        address = LIBC.mmap(None, mmap.PAGESIZE, 1, 1, file.fileno(), ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(address)


def map_page() -> Send:
    """Map a page of the file, or not."""
    mapped: list[int] = []

    def send(bit: int) -> None:
        while mapped:
            LIBC.munmap(ctypes.c_void_p(mapped.pop()), mmap.PAGESIZE)
        if bit:
            mapped.append(_map_shared())
            ctypes.c_ubyte.from_address(mapped[0]).value  # noqa: B018 (it maps the page)

    return send


def page_is_mapped_twice() -> Receive:
    """Read whether a page is mapped by others too."""
    with Path("/proc/self/pagemap").open("rb"):
        pass  # as early as possible, so that it is known as refused

    def receive() -> float:
        address = _map_shared()
        ctypes.c_ubyte.from_address(address).value  # noqa: B018 (it maps the page)
        with Path("/proc/self/pagemap").open("rb") as pages:
            pages.seek(address // mmap.PAGESIZE * 8)
            (entry,) = struct.unpack("<Q", pages.read(8))
        LIBC.munmap(ctypes.c_void_p(address), mmap.PAGESIZE)
        return float(not entry >> 56 & 1)

    return receive


_FIELDS = 15
"""So many lines there are at least of each mapping, among them those that are read."""


def page_is_counted_as_shared() -> Receive:
    """Read how much of a mapping is counted as shared."""
    with Path("/proc/self/smaps").open("rb"):
        pass

    def receive() -> float:
        address = _map_shared()
        ctypes.c_ubyte.from_address(address).value  # noqa: B018 (it maps the page)
        text = Path("/proc/self/smaps").read_text().partition(f"{address:x}-")[2]
        LIBC.munmap(ctypes.c_void_p(address), mmap.PAGESIZE)
        fields = (line.split() for line in text.splitlines()[:_FIELDS])
        return float(sum(int(words[1]) for words in fields if words[0].startswith("Shared_")))

    return receive


_WAIT, _WAKE, _REQUEUE = 0, 1, 3


def wait_for_word() -> Send:
    """Wait for a word in a mapped page, or not."""
    address = _map_shared()
    value = ctypes.c_uint32.from_address(address).value

    def send(bit: int) -> None:
        call("futex", address + 64, _WAKE, 64, 0, 0, 0)
        if bit:
            arguments = ("futex", address, _WAIT, value, 0, 0, 0)
            threading.Thread(target=call, args=arguments, daemon=True).start()
            # Moving it to where the receiver looks proves that it waits.
            while not call("futex", address, _REQUEUE, 0, 1, address + 64, 0):
                time.sleep(0.0002)

    return send


def wake_waiters() -> Receive:
    """Count who waits for the word, by waking one."""
    address = _map_shared()
    return lambda: float(call("futex", address + 64, _WAKE, 1, 0, 0, 0))


_PIECES = 8
_SPACING = SHARED_BYTES // 2 // _PIECES


def read_half() -> Send:
    """Read the first half of the file, or the second."""
    file = os.open(SHARED, os.O_RDONLY)

    def send(bit: int) -> None:
        for piece in range(_PIECES):
            os.pread(file, 4096, (bit * _PIECES + piece) * _SPACING)

    return send


def which_half_is_in_memory() -> Receive:
    """Measure which half is read faster."""
    file = os.open(SHARED, os.O_RDONLY)

    def seconds(place: int) -> float:
        return _seconds(lambda: os.pread(file, 4096, place * _SPACING))

    return lambda: sum(
        math.log(seconds(piece) / seconds(_PIECES + piece)) for piece in range(_PIECES)
    )


def _seconds(act: Callable[[], object]) -> float:
    begin = time.perf_counter_ns()
    act()
    return max(time.perf_counter_ns() - begin, 1) / 1e9


_NAMES = 16


def look_for_names() -> Send:
    """Look for some names that do not exist, or for others."""
    windows = iter(range(1 << 30))

    def send(bit: int) -> None:
        window = next(windows)
        for number in range(_NAMES):
            _absent(window, bit, number)

    return send


def _absent(window: int, half: int, number: int) -> None:
    os.access(SHARED.with_name(f"absent-{window}-{half}-{number}"), os.F_OK)


def which_names_are_known() -> Receive:
    """Measure which names are looked up faster."""
    windows = iter(range(1 << 30))

    def receive() -> float:
        window = next(windows)
        return sum(
            math.log(
                _seconds(lambda: _absent(window, 0, number))  # noqa: B023 (it is called at once)
                / _seconds(lambda: _absent(window, 1, number))  # noqa: B023
            )
            for number in range(_NAMES)
        )

    return receive


def lock_file() -> Send:
    """Lock the file, or not."""
    return _hold(lambda file: fcntl.flock(file, fcntl.LOCK_EX))


def lock_record() -> Send:
    """Lock a part of the file, or not."""
    return _hold(lambda file: fcntl.fcntl(file, _SET_OPEN_FILE_LOCK, _READ_LOCK))


def hold_open() -> Send:
    """Keep the file open, or not."""
    return _hold(lambda _: None)


def _hold(hold: Callable[[int], object]) -> Send:
    """Return a sender that holds something of the shared file while a bit is set."""
    files: list[int] = []

    def send(bit: int) -> None:
        while files:
            os.close(files.pop())
        if bit:
            files.append(os.open(SHARED, os.O_RDONLY))
            hold(files[0])

    try_both(send)
    return send


def file_is_locked() -> Receive:
    """Try to lock the file."""

    def receive() -> float:
        with SHARED.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return 1.0
        return 0.0

    receive()
    return receive


_SET_OPEN_FILE_LOCK = 37
_READ_LOCK, _WRITE_LOCK = bytes(32), b"\x01\x00" + bytes(30)


def record_is_locked() -> Receive:
    """Ask for what part of the file is locked."""

    def receive() -> float:
        with SHARED.open("rb") as file:
            found = fcntl.fcntl(file, fcntl.F_GETLK, _WRITE_LOCK)
        return float(found[:2] != b"\x02\x00")

    receive()
    return receive


def lease_is_refused() -> Receive:
    """Try to take a lease, which takes that nobody else has the file open."""

    def receive() -> float:
        with SHARED.open("rb") as file:
            try:
                fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            except BlockingIOError:
                return 1.0
        return 0.0

    receive()
    return receive


_GET_HINT, _SET_HINT = 1035, 1036


def set_hint() -> Send:
    """Set or remove a hint about how the file is written."""
    file = os.open(SHARED, os.O_RDONLY)

    def send(bit: int) -> None:
        fcntl.fcntl(file, _SET_HINT, struct.pack("<Q", 3 * bit))

    try_both(send)
    return send


def hint() -> Receive:
    """Read the hint."""
    file = os.open(SHARED, os.O_RDONLY)
    return lambda: float(fcntl.fcntl(file, _GET_HINT, bytes(8))[0])


def read_it() -> Send:
    """Read the file, or not."""
    return lambda bit: SHARED.open("rb").read(1) if bit else None


def was_read() -> Receive:
    """Look when the file was read last."""
    return lambda: float(SHARED.stat().st_atime != READ_AT)


def read_is_notified() -> Receive:
    """Be notified when the file is read."""
    notified = call("inotify_init1", os.O_NONBLOCK)
    call("inotify_add_watch", notified, bytes(SHARED), 1)  # IN_ACCESS

    def receive() -> float:
        with suppress(BlockingIOError):
            return float(len(os.read(notified, 4096)))
        return 0.0

    return receive


_DEVICE = Path("/dev/null")


def touch_device() -> Send:
    """Set the time of a device, or leave it."""
    return lambda bit: os.utime(_DEVICE) if bit else None


def device_was_touched() -> Receive:
    """Read whether the time of the device was set."""
    known = [_DEVICE.stat().st_mtime_ns]

    def receive() -> float:
        known.append(_DEVICE.stat().st_mtime_ns)
        return float(known[-1] != known[-2])

    return receive

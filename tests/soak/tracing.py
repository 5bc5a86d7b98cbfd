"""Kills a process just as it is about to write to a store, and not a moment before.

It is stopped at each of its system calls. The kernel tells which call that is, so nothing has to
be put into the program that is to be killed, and the kill never misses.
"""

import ctypes
import os
import platform
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

_CONTINUE: Final = 24
_SEIZE: Final = 0x4206
_INTERRUPT: Final = 0x4207
_WHICH_CALL: Final = 0x420E
_MARKED_STOPS_AND_DIES_WITH_US: Final = 1 | 1 << 20
_ANY_THREAD: Final = 0x40000000
_AT_A_CALL: Final = signal.SIGTRAP | 0x80
_ENTRY: Final = 1
WRITES: Final = {"x86_64": (1, 18), "aarch64": (64, 68)}[platform.machine()]
"""The numbers of `write` and `pwrite64`."""
_SENDS: Final = {"x86_64": 44, "aarch64": 206}[platform.machine()]
"""The number of `sendto`."""


class _Call(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_uint8),
        ("_", ctypes.c_uint8 * 3),
        ("architecture", ctypes.c_uint32),
        ("_pointers", ctypes.c_uint64 * 2),
        ("number", ctypes.c_uint64),
        ("arguments", ctypes.c_uint64 * 6),
    )


_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_LIBC.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
_LIBC.ptrace.restype = ctypes.c_long


def kill_at_write(pid: int, place: Path | None, nth: int) -> int | None:
    """Kill a process at its so-manieth write to a store.

    Args:
        pid: the process.
        place: what the names of the store's files begin with; none if it is on a server.
        nth: which write.

    Returns:
        the status with which it ended by itself, if it was quicker.
    """
    _trace(_SEIZE, pid, data=_MARKED_STOPS_AND_DIES_WITH_US)
    _trace(_INTERRUPT, pid)
    writes = 0
    while True:
        _, status = os.waitpid(pid, _ANY_THREAD)
        if not os.WIFSTOPPED(status):
            return status
        stop, handed_on = os.WSTOPSIG(status), 0
        if stop == _AT_A_CALL:
            writes += _is_write(pid, place)
            if writes == nth:
                os.kill(pid, signal.SIGKILL)
                return None
        elif not status >> 16:
            handed_on = stop
        _trace(_CONTINUE, pid, data=handed_on)


def _is_write(pid: int, place: Path | None) -> bool:
    call = _Call()
    _trace(_WHICH_CALL, pid, ctypes.sizeof(call), ctypes.addressof(call))
    if call.kind != _ENTRY:
        return False
    if place is None:
        # PostgreSQL's library wants no signal; Python, which sends to workers, does not ask so.
        return call.number == _SENDS and bool(call.arguments[3] & socket.MSG_NOSIGNAL)
    if call.number not in WRITES:
        return False
    with suppress(OSError):
        return str(Path(f"/proc/{pid}/fd/{call.arguments[0]}").readlink()).startswith(str(place))
    return False


def _trace(request: int, pid: int, address: int = 0, data: int = 0) -> None:
    if _LIBC.ptrace(request, pid, address, data) == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"cannot trace process {pid}: {os.strerror(error)}")

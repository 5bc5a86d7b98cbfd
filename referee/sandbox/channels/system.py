"""What all primitives need of the system, and what a primitive is."""

import ctypes
import os
import platform
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Send = Callable[[int], object]
Receive = Callable[[], float]

SHARED = Path(__file__).with_name("shared")
"""A file in the bundle that all sandboxes see."""
SHARED_BYTES = 4 << 20
READ_AT = 1_000_000_000
"""When it was read last, before a bit is sent."""
NAME = "upcard-channel"
CALLS = {
    "aarch64": {
        "futex": 98,
        "io_setup": 0,
        "io_destroy": 1,
        "sysinfo": 179,
        "add_key": 217,
        "keyctl": 219,
        "shmget": 194,
        "shmctl": 195,
        "semget": 190,
        "semctl": 191,
        "msgget": 186,
        "msgctl": 187,
        "mq_open": 180,
        "mq_unlink": 181,
        "inotify_init1": 26,
        "inotify_add_watch": 27,
        "pidfd_open": 434,
        "memfd_create": 279,
    },
    "x86_64": {
        "futex": 202,
        "io_setup": 206,
        "io_destroy": 207,
        "sysinfo": 99,
        "add_key": 248,
        "keyctl": 250,
        "shmget": 29,
        "shmctl": 31,
        "semget": 64,
        "semctl": 66,
        "msgget": 68,
        "msgctl": 71,
        "mq_open": 240,
        "mq_unlink": 241,
        "ustat": 136,
        "inotify_init1": 294,
        "inotify_add_watch": 254,
        "pidfd_open": 434,
        "memfd_create": 319,
    },
}
"""The numbers of system calls on each machine."""
_CALLS = CALLS.get(platform.machine(), {})
LIBC: Any = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p


def call(name: str, *arguments: object) -> int:
    """Make a system call."""
    if name not in _CALLS:
        raise OSError(f"this kernel has no {name}")
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    LIBC.syscall.restype = ctypes.c_long
    return checked(int(LIBC.syscall(ctypes.c_long(_CALLS[name]), *words)))


def checked(result: int) -> int:
    """Return the result of a system call; an error is raised."""
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Primitive(NamedTuple):
    """One way to send bits."""

    sender: Callable[[], Send]
    receiver: Callable[[], Receive]
    needs: str
    """What sender and receiver have in common; without it there is no channel."""
    timed: bool = False
    """Whether the receiver measures time, so that a busy machine disturbs it."""
    other_core: bool = False
    """Whether the sender runs on another core than the receiver, if there is one."""


def start_child(work: Callable[[], object]) -> int:
    """Start a process that dies with this one."""
    child = os.fork()
    if child == 0:
        LIBC.prctl(1, signal.SIGKILL, 0, 0, 0)
        work()
        os._exit(0)
    return child


def try_both(send: Send) -> None:
    """Set both bits, so that an error is raised before the first."""
    send(1)
    send(0)

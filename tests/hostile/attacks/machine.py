"""Reads and uses up what the whole machine has only once: counters, numbers, and its disk."""

import ctypes
import fcntl
import mmap
import os
import platform
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.hostile.attacks.kernel import call, prctl
from tests.hostile.attacks.verdict import tell

DEVICES = range(1, 4096)
"""Numbers of file systems that are on no disk, and of the smallest disks."""
OWN = os.environ["UPCARD_ADDRESS"].removeprefix("unix:")
EVENTS, NEW_PIDFD = 64, 0x1000
DIRECT = {"x86_64": 0x4000, "aarch64": 0x10000}[platform.machine()]
SET_WRITE_HINT = 1036
SOCKET_COOKIE, NAMESPACE_COOKIE, PEER_DESCRIPTOR = 57, 71, 77
AT_HERE, MOUNT_NUMBER = -100, 0x1000
CORE_SCHEDULING, GLOBAL_BARRIER, MERGEABLE, NODE_OF_ADDRESS = 62, 1, 12, 3


def processes() -> str:
    found = ctypes.create_string_buffer(256)
    call("sysinfo", found)
    return f"{struct.unpack_from('<H', found, 80)[0]} processes"


def free_space() -> str:
    found = ctypes.create_string_buffer(64)
    seen = {}
    for device in DEVICES:
        with suppress(OSError):
            call("ustat", device, found)
            seen[device] = struct.unpack_from("<i", found)[0]
    return f"{len(seen)} file systems, the fullest with {min(seen.values())} blocks" if seen else ""


def free_space_of(place: str) -> Callable[[], str]:
    return lambda: f"{os.statvfs(place).f_bfree} blocks"


def mount_number() -> str:
    found = ctypes.create_string_buffer(256)
    call("statx", AT_HERE, b"/tmp", 0, MOUNT_NUMBER, found)
    return f"mount {struct.unpack_from('<Q', found, 144)[0]}"


def events() -> str:
    context = ctypes.c_ulong()
    call("io_setup", EVENTS, ctypes.byref(context))
    return f"{EVENTS} events"


def process_number() -> str:
    return f"process {os.fstat(call('pidfd_open', os.getpid(), 0)).st_ino} of the machine"


def child_number() -> str:
    descriptor = ctypes.c_int(-1)
    child = call("clone", NEW_PIDFD | signal.SIGCHLD, 0, ctypes.byref(descriptor), 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return f"process {os.fstat(descriptor.value).st_ino} of the machine"


def direct() -> str:
    return f"opened as {os.open(__file__, os.O_RDONLY | DIRECT)}"


def direct_later() -> None:
    with Path(__file__).open("rb") as file:
        fcntl.fcntl(file, fcntl.F_SETFL, DIRECT)


def direct_anew() -> str:
    how = struct.pack("<QQQ", os.O_RDONLY | DIRECT, 0, 0)
    return f"opened as {call('openat2', AT_HERE, os.fsencode(__file__), how, len(how))}"


def socket_number(option: int) -> Callable[[], str]:
    def attempt() -> str:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            return f"number {int.from_bytes(ours.getsockopt(1, option, 8), 'little')}"

    return attempt


def hint() -> None:
    with Path(__file__).open("rb") as file:
        fcntl.fcntl(file, SET_WRITE_HINT, struct.pack("<Q", 3))


def merged() -> None:
    with mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE) as memory:
        memory.madvise(MERGEABLE)


def node() -> str:
    number = ctypes.c_int(-1)
    call("get_mempolicy", ctypes.byref(number), 0, 0, ctypes.addressof(number), NODE_OF_ADDRESS)
    return f"node {number.value}"


def barrier() -> str:
    return f"passed with {call('membarrier', GLOBAL_BARRIER, 0, 0)}"


def alone_on_a_core() -> str:
    return "others wait" if prctl(CORE_SCHEDULING, 1) == 0 else ""


tell(
    {
        "processes": processes,
        "free space of others": free_space,
        "free space of the referee": free_space_of(OWN),
        "free space of copies": free_space_of(__file__),
        "mount number": mount_number,
        "events": events,
        "process number": process_number,
        "child number": child_number,
        "direct reads": direct,
        "direct reads later": direct_later,
        "direct reads anew": direct_anew,
        "socket number": socket_number(SOCKET_COOKIE),
        "namespace number": socket_number(NAMESPACE_COOKIE),
        "descriptor of the referee": socket_number(PEER_DESCRIPTOR),
        "hint at a file": hint,
        "merged memory": merged,
        "memory node": node,
        "barrier": barrier,
        "alone on a core": alone_on_a_core,
    }
)

"""Asks the kernel for more than a bot may have: namespaces, mounts, capabilities, its engines."""

# ruff: noqa: S108 (what is temporary in a sandbox is its own)

import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.hostile.attacks.kernel import call, prctl
from tests.hostile.attacks.verdict import tell

NAMESPACES = {
    "mount": 0x00020000,
    "cgroup": 0x02000000,
    "uts": 0x04000000,
    "ipc": 0x08000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
NO_NEW_PRIVS, IS_BOUND = 39, 23
CAPABILITIES_VERSION = 0x20080522


def unshared(flag: int) -> Callable[[], bool]:
    def attempt() -> bool:
        if child := os.fork():
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        try:
            call("unshare", flag)
        except OSError:
            os._exit(1)
        os._exit(0)

    return attempt


def cloned() -> str:
    child = call("clone", NAMESPACES["user"] | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "cloned"


def cloned_anew() -> str:
    arguments = (ctypes.c_uint64 * 11)(NAMESPACES["user"], 0, 0, 0, signal.SIGCHLD)
    child = call("clone3", ctypes.byref(arguments), ctypes.sizeof(arguments))
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "cloned"


def entered() -> str:
    with Path("/proc/1/ns/mnt").open("rb") as namespace:
        call("setns", namespace.fileno(), 0)
    return "entered"


def capabilities() -> list[str]:
    header, sets = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)()
    call("capget", header, sets)
    bounding = [f"bound {number}" for number in range(64) if prctl(IS_BOUND, number) == 1]
    return [hex(each) for each in sets if each] + bounding


def mounted() -> str:
    call("mount", b"none", b"/tmp", b"tmpfs", 0, 0)
    return "mounted"


def became(uid: int) -> str:
    os.setresuid(uid, uid, uid)
    return f"uid {os.getuid()}"


def given() -> None:
    Path("/tmp/own").touch()
    os.chown("/tmp/own", 0, 0)


def handle() -> str:
    space = (ctypes.c_uint32 * 40)(128)
    number = ctypes.c_int()
    call("name_to_handle_at", -100, b"/bot", space, ctypes.byref(number), 0)
    return "a handle"


def asked(ask: Callable[[], int]) -> Callable[[], str]:
    return lambda: f"the kernel said {ask()}"


UIDS = {0, 1, 65534, os.getuid() + 1} - {os.getuid()}
tell(
    {f"new {name} namespace": unshared(flag) for name, flag in NAMESPACES.items()}
    | {f"uid {uid}": (lambda uid=uid: became(uid)) for uid in UIDS}
    | {
        "clone": cloned,
        "clone3": cloned_anew,
        "namespace of the first process": entered,
        "capabilities": capabilities,
        "new privileges by programs": lambda: prctl(NO_NEW_PRIVS, 0) != 1,
        "root": lambda: os.getuid() == 0,
        "group of root": lambda: os.setgroups([0]),
        "groups": lambda: [group for group in os.getgroups() if group in {0, 6, 27, 42}],
        "mount": mounted,
        "mount of another kind": asked(lambda: call("fsopen", b"tmpfs", 0)),
        "tree of mounts": asked(lambda: call("open_tree", -100, b"/", 1)),
        "other root": lambda: os.chroot("/tmp"),
        "pivot": asked(lambda: call("pivot_root", b"/tmp", b"/tmp")),
        "device": lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(8, 0)),
        "file given to root": given,
        "keyring": lambda: call("keyctl", 0, -3, 1),
        "io_uring": asked(lambda: call("io_uring_setup", 1, (ctypes.c_char * 120)())),
        "userfaultfd": asked(lambda: call("userfaultfd", 1)),
        "bpf": asked(lambda: call("bpf", 0, (ctypes.c_uint32 * 32)(1, 4, 4, 1), 128)),
        "performance counters": asked(
            lambda: call("perf_event_open", (ctypes.c_uint32 * 32)(1, 128), 0, -1, -1, 0)
        ),
        "file by its number": handle,
        "personality": asked(lambda: call("personality", 0x0040000)),
        "log of the kernel": asked(lambda: call("syslog", 10, 0, 0)),
        "pages of files": asked(lambda: call("mincore", 0, 0, 0)),
        "clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()),
    }
)

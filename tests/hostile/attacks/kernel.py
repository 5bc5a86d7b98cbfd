"""System calls for which Python has no words."""

import ctypes
import os
import platform
from typing import Any

MACHINES = ("x86_64", "aarch64")
_COLUMN = MACHINES.index(platform.machine())
_LIBC: Any = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "pivot_root": (155, 41),
    "setns": (308, 268),
    "unshare": (272, 97),
    "clone": (56, 220),
    "clone3": (435, 435),
    "keyctl": (250, 219),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "memfd_secret": (447, 447),
    "name_to_handle_at": (303, 264),
    "personality": (135, 92),
    "syslog": (103, 116),
    "mincore": (27, 232),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "sysinfo": (99, 179),
    "ustat": (136, -1),
    "statx": (332, 291),
    "get_mempolicy": (239, 236),
    "io_setup": (206, 0),
    "pidfd_open": (434, 434),
    "openat2": (437, 437),
    "membarrier": (324, 283),
    "capget": (125, 90),
    "vmsplice": (278, 75),
}


def call(name: str, *arguments: object) -> int:
    """Make a system call; a refusal is an OSError."""
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    _LIBC.syscall.restype = ctypes.c_long
    result = int(_LIBC.syscall(ctypes.c_long(NUMBERS[name][_COLUMN]), *words))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def prctl(option: int, value: int) -> int:
    """Change or read something of this process."""
    return int(_LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0))

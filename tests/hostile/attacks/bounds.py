"""Goes over the bounds of one process: descriptors, cores, priority, terminals, long files."""

# ruff: noqa: S108 (what is temporary in a sandbox is its own)

import ctypes
import os
import resource
import signal
from contextlib import suppress
from pathlib import Path

from tests.hostile.attacks.verdict import FACTS, tell


def descriptors() -> str:
    opened: list[int] = []
    with suppress(OSError):
        while len(opened) < 5000:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    for each in opened:
        os.close(each)
    return f"{len(opened)} open files" if len(opened) > FACTS["open_files"] else ""


def raised(kind: int) -> str:
    soft, hard = resource.getrlimit(kind)
    more = soft + 1 if hard == resource.RLIM_INFINITY else hard + 1
    resource.setrlimit(kind, (more, more))
    return f"limit {kind} is now {more}"


def unlimited() -> list[str]:
    names = (
        "NOFILE",
        "FSIZE",
        "CORE",
        "MEMLOCK",
        "STACK",
        "CPU",
        "NPROC",
        "SIGPENDING",
        "MSGQUEUE",
    )
    kinds = {name: getattr(resource, f"RLIMIT_{name}", None) for name in names}
    hard = {name: resource.getrlimit(kind)[1] for name, kind in kinds.items() if kind is not None}
    return [name for name, limit in hard.items() if limit == resource.RLIM_INFINITY]


def dumped() -> str:
    os.chdir("/tmp")
    if (child := os.fork()) == 0:
        os.abort()
    status = os.waitpid(child, 0)[1]
    return "core dumped" if os.WCOREDUMP(status) or list(Path("/tmp").glob("*core*")) else ""


def unpinned() -> str:
    with suppress(OSError):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    cores = os.sched_getaffinity(0)
    return f"may use {cores}" if len(cores) > 1 else ""


def long_file() -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = (FACTS["file_mib"] << 20) + 4096
    for place in ("/tmp", "/dev/shm"):
        with suppress(OSError), Path(place, "long").open("wb") as file:
            file.truncate(size)
            return f"a file of {size} bytes"
    return ""


def locked() -> str:
    if ctypes.CDLL(None, use_errno=True).mlockall(3) == 0:
        return "all of memory locked"
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def terminal() -> str:
    return f"a terminal at {os.ttyname(os.openpty()[1])}"


def ahead() -> None:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


tell(
    {
        "descriptors": descriptors,
        "more descriptors": lambda: raised(resource.RLIMIT_NOFILE),
        "more processes": lambda: raised(resource.RLIMIT_NPROC),
        "longer files": lambda: raised(resource.RLIMIT_FSIZE),
        "more CPU time": lambda: raised(resource.RLIMIT_CPU),
        "core files": lambda: raised(resource.RLIMIT_CORE),
        "unlimited": unlimited,
        "core dump": dumped,
        "more cores": unpinned,
        "long file": long_file,
        "locked memory": locked,
        "terminal": terminal,
        "real-time": ahead,
        "ahead of others": lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
        "back to normal": lambda: os.setpriority(os.PRIO_PROCESS, 0, 0),
    }
)

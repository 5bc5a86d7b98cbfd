"""The usage of the processes of a sandbox, read from /proc.

A process may go while it is looked at; then it counts for nothing. That we ourselves have run out
of files or memory is another matter, and is raised.
"""

import ctypes
import errno
import os
import platform
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

_KIB: Final = 1024
_OUR_OWN: Final = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM))
KCMP: Final = {"x86_64": 312, "aarch64": 272}
"""The number of the system call, on each machine."""
_KCMP: Final = KCMP.get(platform.machine(), -1)
_KCMP_VM: Final = 1
_LIBC: Final[Any] = ctypes.CDLL(None)
_WANTED: Final = re.compile(r"^(NSpid|RssAnon|RssShmem|Threads|VmPTE):\s*(.*)$", re.MULTILINE)
BLOCK: Final = 512
"""Bytes of a block in `st_blocks`."""


class Times(NamedTuple):
    """The CPU time of a process, in ticks."""

    started: int
    """When it was started; 0 if there is no such process."""
    own: int
    awaited: int
    """That of its children which have ended, and for which it has waited."""


class Scheduling(NamedTuple):
    """What a thread has got of the processors, in nanoseconds."""

    computed: int
    waited: int
    """For a processor; without the wait that goes on."""
    is_runnable: bool
    """Whether it computes or waits for a processor."""


class ProcessUsage(NamedTuple):
    """What a process uses."""

    threads: int
    memory: int
    """In bytes; pages that several share are counted for each."""
    page_tables: int
    inner_number: int
    """Its number in the innermost namespace; 0 if it is in ours."""


def descendants(first: int) -> list[int]:
    """Return a process and its descendants."""
    found = [first]
    for process in found:
        found += _children(process)
    return found


def _children(process: int) -> Iterator[int]:
    for task in _tasks(process):
        children = map(int, _text(f"/proc/{process}/task/{task}/children").split())
        # The kernel lists a process that just ends as 0, and a signal to 0 reaches ourselves.
        yield from (child for child in children if child > 0)


def _tasks(process: int) -> list[str]:
    return _names(f"/proc/{process}/task")


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)  # noqa: PTH208 (many times a second)
    except OSError as error:
        _raise_our_own(error)
        return []


def _text(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.read(descriptor, 1 << 16).decode(errors="replace")
        finally:
            os.close(descriptor)
    except OSError as error:
        _raise_our_own(error)
        return ""


def _raise_our_own(error: OSError) -> None:
    if error.errno in _OUR_OWN:
        raise error


def deleted_bytes(processes: list[int]) -> int:
    """Return the size on disk of deleted files that processes have open."""
    found: dict[tuple[int, int], int] = {}
    for process in processes:
        for descriptor in _descriptors(process):
            with suppress(OSError):
                status = os.stat(descriptor)  # noqa: PTH116 (as above)
                if status.st_nlink == 0:
                    found[status.st_dev, status.st_ino] = status.st_blocks * BLOCK
    return sum(found.values())


def _descriptors(process: int) -> Iterator[str]:
    directory = f"/proc/{process}/fd"
    with suppress(OSError):
        yield from (f"{directory}/{name}" for name in os.listdir(directory))  # noqa: PTH208 (many times a second)


def lists(process: int) -> Iterator[int]:
    """Yield the lengths of the lists that the kernel has for a process.

    One is of its mappings; the others are of each open file and, if that is an epoll, of what is
    watched by it.
    """
    yield _lines(f"/proc/{process}/maps")
    # Of a process with another uid these can be read, which /proc/PID/fd cannot.
    files = f"/proc/{process}/fdinfo"
    yield from (_lines(f"{files}/{name}") for name in _names(files))


def _lines(path: str) -> int:
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 (as above)
            return sum(piece.count(b"\n") for piece in iter(partial(file.read, 1 << 16), b""))
    except OSError as error:
        _raise_our_own(error)
        return 0


def status(process: int) -> ProcessUsage:
    """Return what a process uses."""
    fields = _status(f"/proc/{process}/status")
    if fields and "RssAnon" not in fields:
        # Its first thread has ended; the others say the rest.
        others = (_status(f"/proc/{process}/task/{task}/status") for task in _tasks(process))
        fields |= next((each for each in others if "RssAnon" in each), {})
    numbers = fields.get("NSpid", "").split()
    return ProcessUsage(
        _number(fields, "Threads"),
        _KIB * (_number(fields, "RssAnon") + _number(fields, "RssShmem")),
        _KIB * _number(fields, "VmPTE"),
        int(numbers[-1]) if len(numbers) > 1 else 0,
    )


def _status(path: str) -> dict[str, str]:
    return dict(_WANTED.findall(_text(path)))


def _number(fields: Mapping[str, str], name: str) -> int:
    return int(fields.get(name, "0").split()[0])


def proportional_memory(processes: list[int]) -> int:
    """Return the bytes in use, with shared pages counted once as far as the kernel says so."""
    return sum(map(_proportional_memory, _without_borrowers(processes)))


def _proportional_memory(process: int) -> int:
    tasks = [process, *_tasks(process)]
    rollups = (_rollup(f"/proc/{process}/task/{task}/smaps_rollup") for task in tasks)
    found = next((each for each in rollups if "Pss_Anon" in each), None)
    if found is None:
        return status(process).memory
    return _KIB * (_number(found, "Pss_Anon") + _number(found, "Pss_Shmem"))


def _without_borrowers(processes: list[int]) -> Iterator[int]:
    """Leave out processes that still run in the memory of their parent, as after a vfork."""
    for process in processes:
        parent = int((_stat(process) or ["", "0"])[1])
        if _LIBC.syscall(_KCMP, process, parent, _KCMP_VM, 0, 0) != 0:
            yield process


def _rollup(path: str) -> dict[str, str]:
    lines = _text(path).splitlines()[1:]
    return {name: value for name, _, value in (line.partition(":") for line in lines)}


def open_files(process: int) -> int:
    """Return how many files a process has open."""
    directory = f"/proc/{process}/fd"
    try:
        # Kernels before 6.2 do not say.
        return os.stat(directory).st_size or len(os.listdir(directory))  # noqa: PTH116, PTH208 (many times a second)
    except OSError as error:
        _raise_our_own(error)
        return 0


def sockets(process: int) -> int:
    """Return the number of sockets in the network namespace of a process."""
    words = _text(f"/proc/{process}/net/sockstat").split()
    return int(words[2]) if words else 0


def times(process: int) -> Times:
    """Return the CPU time of a process."""
    fields = _stat(process)
    if not fields:
        return Times(0, 0, 0)
    own, system, awaited, awaited_system = map(int, fields[11:15])
    return Times(int(fields[19]), own + system, awaited + awaited_system)


def _stat(process: int) -> list[str]:
    """Return the fields of a process after its name, which may hold anything."""
    return _text(f"/proc/{process}/stat").rpartition(")")[2].split()


def oom_kills() -> int:
    """Return how many processes of the machine the kernel has killed for lack of memory."""
    found = re.search(r"^oom_kill (\d+)$", _text("/proc/vmstat"), re.MULTILINE)
    return int(found[1]) if found else 0


def threads(processes: list[int]) -> list[str]:
    """Return the threads of processes, each as its path in /proc."""
    return [f"/proc/{process}/task/{task}" for process in processes for task in _tasks(process)]


def scheduling(thread: str) -> Scheduling:
    """Return what a thread, named by its path in /proc, has got of the processors."""
    fields = _text(f"{thread}/schedstat").split()
    if len(fields) < 2:
        return Scheduling(0, 0, is_runnable=False)
    state = _text(f"{thread}/stat").rpartition(")")[2].split()
    return Scheduling(int(fields[0]), int(fields[1]), is_runnable=state[:1] == ["R"])


def signal_all(first: int, number: int) -> None:
    """Send a signal to a process and its descendants, until no new one is found."""
    reached: set[int] = set()
    while new := set(descendants(first)) - reached:
        for process in new:
            with suppress(ProcessLookupError):
                os.kill(process, number)
        reached |= new

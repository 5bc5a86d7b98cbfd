"""The usage of the processes of a sandbox, read from /proc.

A process may go while it is looked at; then it counts for nothing. That we ourselves have run out
of files or memory is another matter, and is raised.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
_KIB: Final = 1024
_OUR_OWN: Final = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM))
_NANO: Final = 1e-9
BLOCK: Final = 512
"""Bytes of a block in `st_blocks`."""


class Usage(NamedTuple):
    """What processes use."""

    tasks: int
    """Threads of all processes."""
    memory: int
    """In bytes; pages that several share are counted for each."""


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
    try:
        return os.listdir(f"/proc/{process}/task")  # noqa: PTH208 (many times a second)
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


def usage(processes: list[int]) -> Usage:
    """Return the sum of what processes use."""
    statuses = [_status(process) for process in processes]
    memory = sum(_number(each, "RssAnon") + _number(each, "RssShmem") for each in statuses)
    return Usage(sum(_number(each, "Threads") for each in statuses), memory * _KIB)


def _status(process: int) -> dict[str, str]:
    lines = _text(f"/proc/{process}/status").splitlines()
    return {name: value for name, _, value in (line.partition(":") for line in lines)}


def _number(fields: dict[str, str], name: str) -> int:
    return int(fields.get(name, "0").split()[0])


def proportional_memory(processes: list[int]) -> int:
    """Return the bytes in use, with shared pages counted once; 0 if the kernel does not say."""
    fields = ("Pss_Anon", "Pss_Shmem")
    return _KIB * sum(_number(_rollup(process), name) for process in processes for name in fields)


def _rollup(process: int) -> dict[str, str]:
    lines = _text(f"/proc/{process}/smaps_rollup").splitlines()[1:]
    return {name: value for name, _, value in (line.partition(":") for line in lines)}


def cpu_seconds(processes: list[int]) -> float:
    """Return the CPU time of processes and of their children that have ended."""
    return _TICK * sum(map(_ticks, processes))


def _ticks(process: int) -> int:
    fields = _text(f"/proc/{process}/stat").rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def threads(processes: list[int]) -> list[str]:
    """Return the threads of processes, each as its path in /proc."""
    return [f"/proc/{process}/task/{task}" for process in processes for task in _tasks(process)]


def waited_seconds(threads: list[str]) -> float:
    """Return the longest time that a thread has waited for a processor."""
    return _NANO * max(map(_wait, threads), default=0)


def _wait(thread: str) -> int:
    fields = _text(f"{thread}/schedstat").split()
    return int(fields[1]) if len(fields) > 1 else 0


def signal_all(first: int, number: int) -> None:
    """Send a signal to a process and its descendants, until no new one is found."""
    reached: set[int] = set()
    while new := set(descendants(first)) - reached:
        for process in new:
            with suppress(ProcessLookupError):
                os.kill(process, number)
        reached |= new

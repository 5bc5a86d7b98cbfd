"""What the processes of a sandbox use, where no control group counts it.

To read it takes long if there are many processes, so it is done in a thread. A process may go
while it is read; then it counts for nothing.
"""

import os
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from referee.sandbox import statistics
from referee.sandbox.command import SHARED_MIB
from referee.sandbox.limits import KIB, MIB, SandboxLimits
from referee.sandbox.statistics import ProcessUsage

_INODE: Final = KIB
"""Bytes of the kernel's own for each file, however short."""
_PIPE: Final = 64 * KIB
"""Bytes that wait in a pipe at most; any open file may be one."""
_BUFFER_SIZE: Final = Path("/proc/sys/net/core/wmem_default")
"""In a container it may not be there."""
_USUAL_BUFFER: Final = 208 * KIB
_ENTRY: Final = KIB
"""Bytes for each mapping, and for each file that an epoll watches: four times as many as the kernel
needs, as it limits how many files all epolls of a user watch."""
_LISTS_SECONDS: Final = 0.25
"""How often these are counted at most, since long lists take long to read."""
MOST_SHARED: Final = 4
"""How many times the limit may be in use if shared pages are counted for each process. It takes too
long to find out which pages more processes share."""
_REST: Final = 4
"""For how many times as long as that took it is not found out again; so it is with lists."""


class ResourceUsage(NamedTuple):
    """What the processes of a sandbox use."""

    at: float
    """The moment at which it began to be read."""
    processes: tuple[int, ...]
    """All of them, each after its parent."""
    tasks: int
    """Threads of all processes."""
    memory: int
    """In bytes, with the kernel's own for page tables, sockets and files."""
    created: int
    """The highest number that a process has had in the namespace of the sandbox, where the kernel
    counts processes and threads up from 1; 0 without a namespace."""


class UsageReader:
    """Reads what the processes of one sandbox use."""

    def __init__(self, first: int, wrappers: int, limits: SandboxLimits) -> None:
        """Read the tree of a first process, of which some processes do not count."""
        self._first = first
        self._wrappers = wrappers
        self._limits = limits
        self._scratch = {"tmp": limits.scratch_mib, "dev/shm": SHARED_MIB}
        self._shared = 0
        """Bytes that were counted more than once when the exact number was last found out."""
        self._created = 0
        self._exact_at = self._exact_seconds = 0.0
        self._in_lists = 0
        """Bytes of the kernel's lists when they were counted last."""
        self._lists_due = 0.0

    def read(self) -> ResourceUsage:
        """Return what they use now."""
        at = monotonic()
        processes = statistics.descendants(self._first)
        counted = processes[self._wrappers :]
        statuses = [statistics.status(process) for process in counted]
        self._created = max(self._created, *(each.inner_number for each in statuses), 0)
        return ResourceUsage(
            at,
            tuple(processes),
            sum(each.threads for each in statuses),
            self._memory(counted, statuses),
            self._created,
        )

    def _memory(self, processes: list[int], statuses: list[ProcessUsage]) -> int:
        pages = sum(each.memory for each in statuses)
        others = sum(each.page_tables for each in statuses) + self._of_the_kernel(processes)
        limit = self._limits.memory_mib * MIB
        if pages + others <= limit or pages > MOST_SHARED * limit:
            self._shared = 0
            return pages + others
        seemingly = pages - self._shared + others
        rest = self._exact_seconds * (1 if seemingly > limit else _REST)
        if monotonic() >= self._exact_at + rest:
            self._shared = pages - self._exact(processes)
            return pages - self._shared + others
        # Processes that were started since share pages, too: nothing is known before the next time.
        return min(seemingly, limit)

    def _exact(self, processes: list[int]) -> int:
        began = monotonic()
        found = statistics.proportional_memory(processes)
        self._exact_at = monotonic()
        self._exact_seconds = self._exact_at - began
        return found

    def _of_the_kernel(self, processes: list[int]) -> int:
        """Return the bytes that may wait in pipes and sockets, of files in memory and of lists."""
        if not self._wrappers:
            return 0
        pipes = sum(map(statistics.open_files, processes)) * _PIPE
        sockets = statistics.sockets(self._first) * _socket_buffer()
        files = sum(self._in_files(*each) for each in self._scratch.items())
        return pipes + sockets + files + self._of_lists(processes)

    def _of_lists(self, processes: list[int]) -> int:
        """Return the bytes of mappings and of what is watched by epoll, now or a moment ago."""
        began = monotonic()
        if began >= self._lists_due:
            self._in_lists, most = 0, self._limits.memory_mib * MIB
            for entries in chain.from_iterable(map(statistics.lists, processes)):
                self._in_lists += entries * _ENTRY
                if self._in_lists > most:
                    break
            now = monotonic()
            self._lists_due = now + max(_LISTS_SECONDS, _REST * (now - began))
        return self._in_lists

    def _in_files(self, place: str, most_mib: int) -> int:
        with suppress(OSError):
            found = os.statvfs(f"/proc/{self._first}/root/{place}")
            # While the sandbox is set up, this may still be the machine's own.
            if found.f_blocks * found.f_frsize <= most_mib * MIB:
                files = (found.f_files - found.f_ffree) * _INODE
                return (found.f_blocks - found.f_bfree) * found.f_frsize + files
        return 0


@cache
def _socket_buffer() -> int:
    """Return how many bytes wait in the buffer of a socket at most."""
    with suppress(OSError):
        return int(_BUFFER_SIZE.read_text())
    return _USUAL_BUFFER

"""The CPU time of all processes that a sandbox has ever had, where no control group counts it.

The kernel adds the time of a process that has ended to that of the process which waited for it. If
nobody waits, since SIGCHLD is ignored, that time is in no counter any more. So the time of each
process is added up while it runs, and what its parent receives for it later is subtracted.
"""

import os
from collections.abc import Iterable
from typing import Final, NamedTuple

from referee.sandbox import statistics
from referee.sandbox.statistics import Times

_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    """A process; the start tells it from an earlier one of the same number."""

    started: int
    number: int


class CpuTime:
    """A sum of CPU time that never decreases.

    What is missing is the end of a process for which nobody waits: from the last time it was read.
    """

    def __init__(self) -> None:
        """Begin without processes."""
        self._known: dict[_Process, Times] = {}
        self._ticks = self._due = 0

    def read(self, processes: Iterable[int]) -> float:
        """Return the seconds used by the processes read before and by others, as of now."""
        # A parent is read before its children: else one that ends meanwhile is counted twice.
        numbers = [each.number for each in sorted(self._known)]
        found = dict(map(_times, dict.fromkeys((*numbers, *processes))))
        self._add({process: times for process, times in found.items() if process})
        return self._ticks * _TICK

    def _add(self, found: dict[_Process, Times]) -> None:
        before, none = self._known, Times(0, 0, 0)
        gone = sum(each.own + each.awaited for key, each in before.items() if key not in found)
        received = 0
        for key, times in found.items():
            last = before.get(key, none)
            self._ticks += max(0, times.own - last.own)
            received += max(0, times.awaited - last.awaited)
        due = self._due + gone
        self._ticks += max(0, received - due)
        # What nobody has received by the next time was lost, and is counted already.
        self._due = min(gone, max(0, due - received))
        self._known = found


def _times(number: int) -> tuple[_Process | None, Times]:
    times = statistics.times(number)
    return _Process(times.started, number) if times.started else None, times

"""The time that a sandbox has waited for a processor.

The kernel adds to the waiting time of a thread only once that gets a processor. Where many wait,
a thread may do so for longer than it is looked at, and would seem to be at rest. So a thread that
is runnable, and has got nothing since it was read before, counts as waiting since then.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from referee.sandbox import statistics
from referee.sandbox.statistics import Scheduling

_NANO: Final = 1e-9


class _Thread(NamedTuple):
    """A thread as it was read, and for how long it has been as it is."""

    scheduling: Scheduling
    since: float
    ahead: float
    """The seconds that were counted before the kernel counted them."""


class WaitedTime:
    """A sum of waiting time that never decreases."""

    def __init__(self) -> None:
        """Begin without threads."""
        self._known: dict[str, _Thread] = {}
        self.seconds = 0.0
        """As of the last reading."""

    def read(self, threads: Iterable[str], now: float) -> float:
        """Return the seconds waited as of now.

        From one reading to the next that is the time of the thread that has waited longest.
        """
        longest, found = 0.0, {}
        for thread in threads:
            found[thread], waited = _read(thread, self._known.get(thread), now)
            longest = max(longest, waited)
        self._known = found
        self.seconds += longest
        return self.seconds


def _read(name: str, before: _Thread | None, now: float) -> tuple[_Thread, float]:
    """Return a thread as it is now, and how long it has waited since it was read before."""
    scheduling = statistics.scheduling(name)
    if before is None:
        return _Thread(scheduling, now, 0.0), _NANO * scheduling.waited
    if scheduling.is_runnable and scheduling == before.scheduling:
        waiting = now - before.since
        return before._replace(ahead=waiting), waiting - before.ahead
    counted = _NANO * (scheduling.waited - before.scheduling.waited)
    return _Thread(scheduling, now, 0.0), counted - before.ahead

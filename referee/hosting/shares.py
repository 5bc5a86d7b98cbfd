"""Shares of a host's workers between its kinds of work; pure: times come in as arguments.

Whose turn it is, is by the time of workers that each kind has used, over its weight. A kind that
had nothing to do has saved nothing up for that. Challenges have besides a tenth of all time at
most, also where workers would have nothing else to do.
"""

from collections.abc import Collection, Mapping
from typing import Final, Literal

Work = Literal["ladder", "examine", "challenge"]

WEIGHTS: Final[Mapping[Work, float]] = {"ladder": 8.0, "examine": 0.75, "challenge": 0.5}
"""While all of them have work to do, ladders have more than four fifths of the time: readers and
authors, whose pages and uploads take some of it too, leave them four fifths of their speed."""
MOST: Final[Mapping[Work, float]] = {"challenge": 0.1}
"""The most of all workers' time that a kind may have."""
_WINDOW: Final = 600.0
"""Seconds over which that holds: so much of it may be used at once."""


class Shares:
    """What each kind of work has used so far."""

    def __init__(self, workers: int, now: float) -> None:
        """Begin with nothing used, on so many workers."""
        self._workers = workers
        self._used: dict[Work, float] = dict.fromkeys(WEIGHTS, 0.0)
        """Time of workers, over the weight of the kind."""
        self._running: dict[Work, int] = dict.fromkeys(WEIGHTS, 0)
        self._left = {kind: most * workers * _WINDOW for kind, most in MOST.items()}
        """What kinds that have a most may use now."""
        self._filled = now
        self._waited: frozenset[Work] = frozenset()

    def choose(self, waiting: Collection[Work], now: float) -> Work | None:
        """Return the kind that is to have the next free worker; None if none may have it."""
        self._fill(now)
        self._forget_idle(waiting)
        allowed = [kind for kind in WEIGHTS if kind in waiting and self._left.get(kind, 1.0) > 0]
        return min(allowed, key=lambda kind: self._used[kind], default=None)

    def began(self, kind: Work) -> None:
        """Note that a worker begins with something."""
        self._running[kind] += 1

    def ended(self, kind: Work, seconds: float) -> None:
        """Note that a worker was busy with something for so long."""
        self._running[kind] -= 1
        self._used[kind] += seconds / WEIGHTS[kind]
        if kind in self._left:
            self._left[kind] -= seconds

    def _fill(self, now: float) -> None:
        for kind, most in MOST.items():
            gained = most * self._workers * (now - self._filled)
            self._left[kind] = min(most * self._workers * _WINDOW, self._left[kind] + gained)
        self._filled = now

    def _forget_idle(self, waiting: Collection[Work]) -> None:
        """Begin a kind that comes back no better than those that were there."""
        there = [kind for kind in self._waited if self._is_busy(kind, waiting)]
        if there:
            least = min(self._used[kind] for kind in there)
            for kind in {*waiting} - self._waited:
                self._used[kind] = max(self._used[kind], least)
        self._waited = frozenset(kind for kind in WEIGHTS if self._is_busy(kind, waiting))

    def _is_busy(self, kind: Work, waiting: Collection[Work]) -> bool:
        return kind in waiting or self._running[kind] > 0

"""Shares of a host's workers between its kinds of work; pure: times come in as arguments.

Whose turn it is, is by the time of workers that each kind has used, over its weight. A kind that
had nothing to do for a while has saved up nothing of that: it loses the time that it could have had
then, and no more. And who has used least is waited for if it had work a moment ago, as a ladder has
between two visits and two rounds: else each such moment would be used by others for longer than it
lasts. Challenges have besides a tenth of all time at most, also where workers would have nothing
else to do.
"""

from collections.abc import Collection, Mapping
from math import inf
from typing import Final, Literal

Work = Literal["ladder", "examine", "challenge"]

WEIGHTS: Final[Mapping[Work, float]] = {"ladder": 8.0, "examine": 0.4, "challenge": 0.5}
"""While all of them have work to do, ladders have nine tenths of the time. Readers and authors,
whose pages and uploads take some of it too, leave them about four fifths of their speed."""
MOST: Final[Mapping[Work, float]] = {"challenge": 0.1}
"""The most of all workers' time that a kind may have."""
_MOMENT: Final = 2.0
"""Seconds; most ladders pair the next round sooner."""
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
        self._waited = dict.fromkeys(WEIGHTS, -inf)
        """When something of each kind waited last."""
        self._there: frozenset[Work] = frozenset()
        """The kinds that had work to do when the last one was chosen."""
        self._gone_since = dict.fromkeys(WEIGHTS, now)

    def choose(self, waiting: Collection[Work], now: float) -> Work | None:
        """Return the kind that is to have the next free worker; None if none may have it yet."""
        self._fill(now)
        self._charge_absence(waiting, now)
        self._waited.update(dict.fromkeys(waiting, now))
        allowed = [kind for kind in WEIGHTS if self._left.get(kind, 1.0) > 0]
        recent = [kind for kind in allowed if now - self._waited[kind] < _MOMENT]
        order = {kind: (self._used[kind], kind not in waiting) for kind in recent}
        first = min(recent, key=order.__getitem__, default=None)
        return first if first in waiting else None

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

    def _charge_absence(self, waiting: Collection[Work], now: float) -> None:
        """Charge a kind that comes back for its absence, up to what the others have used."""
        stayed = [self._used[kind] for kind in self._there if self._is_busy(kind, waiting)]
        for kind in {*waiting} - self._there:
            missed = self._workers * (now - self._gone_since[kind]) / WEIGHTS[kind]
            known = self._used[kind]
            self._used[kind] = max(known, min(*stayed, known + missed)) if stayed else known
        there = frozenset(kind for kind in WEIGHTS if self._is_busy(kind, waiting))
        self._gone_since.update(dict.fromkeys(self._there - there, now))
        self._there = there

    def _is_busy(self, kind: Work, waiting: Collection[Work]) -> bool:
        return kind in waiting or self._running[kind] > 0

"""How fast a league is played: how long the rest takes, and how many duels a visit is to have.

Times come in as arguments. Duels of one pairing may take a hundred times as long as those of
another, so each pairing is estimated by its own duels as soon as it has some.
"""

from collections import defaultdict
from collections.abc import Iterable
from math import ceil
from typing import Final

from referee.ratings.pair_bits import PairNumbers
from referee.scheduling.round_robin import LARGEST_VISIT, Block

_ROUNDS: Final = 10
"""So many rounds of visits show how a table came about."""
_FEW: Final = 4
"""So many duels are played at once before anybody knows how long they take."""
_START: Final = 1.6
"""Seconds that a visit takes to start its eight bots, as measured (docs/performance.md)."""
_LONGEST: Final = 300.0
"""Seconds of a visit, about: who stops a league waits for the duels in flight, which may be all of
a visit, and who kills it loses them."""
_ESTIMATE_EVERY: Final = 2.0
"""Seconds, at least."""
_ESTIMATE_EVERY_PAIRING: Final = 5e-5
"""Seconds for each pairing that is left, of which an estimate takes a fiftieth."""
_EXTRA: Final = 0.1
"""The share of a league's time that more rounds may cost."""

Pairing = tuple[int, int]


def visit_size(duels: int, seconds: float) -> int:
    """Return how many duels of a pairing are to be played in a visit.

    There are ten rounds, or as many as cost no more than a tenth of the time in addition, and more
    where a visit would be too long.

    Args:
        duels: of the pairing.
        seconds: what a duel takes, without the start of the bots.
    """
    fewest = ceil(duels / LARGEST_VISIT)
    shortest = fewest * _START + duels * seconds
    rounds = min(fewest + int(_EXTRA * shortest / _START), max(_ROUNDS, fewest))
    rounds = max(rounds, min(duels, ceil(duels * seconds / _LONGEST)))
    return ceil(duels / rounds)


def smallest_visit(duels: int) -> int:
    """Return the size of visits as long as nobody knows how long a duel takes."""
    rounds = max(_ROUNDS, ceil(duels / LARGEST_VISIT))
    return min(duels, max(_FEW, ceil(duels / rounds)))


class Pace:
    """The time that visits take, and the duels that come of it."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._seconds = PairNumbers()
        self._duels = PairNumbers()
        self._all_seconds = self._all_duels = 0.0
        self._visits = 0
        self._began: dict[Block, float] = {}
        self._left = PairNumbers()
        self._visits_left = 0
        self._finish: float | None = None
        """When all is expected to be over."""
        self._due = 0.0
        """When that is to be estimated anew, if there is anything new."""
        self._has_news = True

    @property
    def is_known(self) -> bool:
        """Whether a visit has ended in which duels were played."""
        return self._visits > 0

    def planned(self, visits: Iterable[Block]) -> None:
        """Learn which visits are to come."""
        self._left, self._visits_left, self._has_news = PairNumbers(), 0, True
        for visit in visits:
            self._left.add((visit.first, visit.second), len(visit.numbers))
            self._visits_left += 1

    def dropped(self, visit: Block) -> None:
        """Take a visit out of what is left to play."""
        self._left.add((visit.first, visit.second), -len(visit.numbers))
        self._visits_left -= 1
        self._has_news = True

    def began(self, visit: Block, now: float) -> None:
        """Note that a visit begins."""
        self._began[visit] = now

    def half_played(self, pairing: Pairing) -> None:
        """Note that the first match of a duel is over."""
        self._duels.add(pairing, 0.5)
        self._all_duels += 0.5
        self._left.add(pairing, -0.5)
        self._has_news = True

    def lost_half(self, pairing: Pairing) -> None:
        """Note that a first match is to be played again: its duel was void, or lost."""
        self._left.add(pairing, 0.5)

    def played(self, pairing: Pairing) -> None:
        """Note that the second match of a duel is over, too."""
        self.half_played(pairing)

    def ended(self, visit: Block, now: float) -> None:
        """Note that a visit is over."""
        pairing = visit.first, visit.second
        seconds = now - self._began.pop(visit)
        self._seconds.add(pairing, seconds)
        self._all_seconds += seconds
        self._visits += self._duels[pairing] > 0
        self._visits_left -= 1
        self._has_news = True

    def visit_size(self, duels: int) -> int:
        """Return how many duels of a pairing are to be played in a visit."""
        if not self.is_known:
            return smallest_visit(duels)
        playing = max(0.0, self._all_seconds - self._visits * _START)
        return visit_size(duels, playing / self._all_duels)

    def seconds_left(self, jobs: int, now: float) -> float | None:
        """Return how long the planned visits still take; None if that is not known.

        It counts down between two duels, and is estimated anew after each, but not all the time.

        Args:
            jobs: how many visits are played at the same time.
            now: the time.
        """
        over = self._finish is None or self._finish <= now
        if over or (self._has_news and now >= self._due):
            estimate = self._estimate(jobs, now)
            self._finish = None if estimate is None else now + estimate
            self._has_news = False
        return None if self._finish is None else self._finish - now

    def _estimate(self, jobs: int, now: float) -> float | None:
        flying: defaultdict[Pairing, float] = defaultdict(float)
        for visit, at in self._began.items():
            flying[visit.first, visit.second] += now - at
        spent = self._all_seconds + sum(flying.values())
        if not self._all_duels or not spent:
            return None
        mean, seconds, pairings = spent / self._all_duels, 0.0, 0
        for pairing, left in self._left.items():
            duels, pairings = self._duels[pairing], pairings + 1
            own = self._seconds[pairing] + flying.get(pairing, 0.0)
            seconds += left * (own / duels if duels else mean)
        self._due = now + max(_ESTIMATE_EVERY, _ESTIMATE_EVERY_PAIRING * pairings)
        return max(0.0, seconds) / max(1, min(jobs, self._visits_left))

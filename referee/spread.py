"""How numbers spread, and 95 % intervals of their mean or of a share."""

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

_WIDTH: Final = NormalDist().inv_cdf(0.975)
"""Of a 95 % interval, in standard errors to either side."""


class Interval(NamedTuple):
    """An estimate with its 95 % interval."""

    mean: float
    low: float
    high: float

    def less(self, other: float) -> "Interval":
        """Return the interval of the difference to a number that is known."""
        return Interval(self.mean - other, self.low - other, self.high - other)


@dataclass
class Spread:
    """How a whole number spreads: how often it came, its mean, and its range."""

    times: Counter[int] = field(default_factory=Counter)

    def add(self, number: int) -> None:
        """Count a number."""
        self.times[number] += 1

    def take(self, other: "Spread") -> None:
        """Count all that another one has counted."""
        self.times.update(other.times)

    @property
    def count(self) -> int:
        """How many were counted."""
        return self.times.total()

    @property
    def mean(self) -> float:
        """The mean, or 0 of nothing."""
        total = sum(number * times for number, times in self.times.items())
        return total / self.count if self.count else 0.0

    @property
    def interval(self) -> Interval:
        """The mean with its interval; of fewer than two numbers nothing is known but the mean."""
        count, mean = self.count, self.mean
        if count < 2:
            return Interval(mean, mean, mean)
        squares = sum((number - mean) ** 2 * times for number, times in self.times.items())
        half = _WIDTH * sqrt(squares / (count - 1) / count)
        return Interval(mean, mean - half, mean + half)

    def share(self, number: int) -> float:
        """Which part of them was this number, or 0 of nothing."""
        return self.times[number] / self.count if self.count else 0.0

    @property
    def least(self) -> int:
        """The least, or 0 of nothing."""
        return min(self.times, default=0)

    @property
    def most(self) -> int:
        """The most, or 0 of nothing."""
        return max(self.times, default=0)

    @property
    def summary(self) -> dict[str, object]:
        """Count, mean and range, as JSON has them."""
        return {"count": self.count, "mean": self.mean, "least": self.least, "most": self.most}

    def within(self, share: float) -> int:
        """Return the least number that so large a share of them does not exceed."""
        enough, below = share * self.count, 0
        for number in sorted(self.times):
            below += self.times[number]
            if below >= enough:
                return number
        return 0


@dataclass
class Wins:
    """How many of some contests were won; to be level with others at the top is a part of a win."""

    contests: int = 0
    won: float = 0.0

    def add(self, place: int, level: int) -> None:
        """Count a contest by the place in it, from 0, and how many share the first place."""
        self.contests += 1
        if place == 0:
            self.won += 1 / level

    @property
    def interval(self) -> Interval:
        """The share that was won, with Wilson's interval; anything is possible before the first.

        Parts of a win spread less than wins and losses do, so the interval is never too short.
        """
        if not self.contests:
            return Interval(0.0, 0.0, 1.0)
        share, doubt = self.won / self.contests, _WIDTH**2 / self.contests
        middle = (share + doubt / 2) / (1 + doubt)
        half = sqrt(doubt * max(0.0, share * (1 - share)) + doubt**2 / 4) / (1 + doubt)
        return Interval(share, max(0.0, middle - half), min(1.0, middle + half))

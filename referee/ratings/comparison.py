"""Whether one bot is better than another, asked after every duel, with a bounded error rate.

A duel is better, level or worse, so it scores 1, 0 or -1, and what is asked about is the mean of
the scores: the difference. To refute that it is at most `m`, bet on every duel at odds that are
fair or worse if that is so: a score of `x` multiplies what the bet has come to by
`1 + stake * (x - m) / (1 + m)`. If the difference is at most `m`, the product is no more than 1 on
average, whenever one stops. So the chance that it ever reaches `k` is at most `1 / k` (Ville's
inequality), however often one looks, and whatever the scores are distributed like. The mean of the
products of several stakes has the same property; one of them is near the best for each difference.

What is not refuted is an interval that holds the true difference after all duels at once, but for
the error rate. It depends on the duels so far by how often each score came, and on nothing else.
"""

from collections.abc import Iterable
from itertools import takewhile
from math import exp, fsum, log, log1p
from typing import Final, Literal, NamedTuple

from referee.ratings.results import DRAWN, Result

Answer = Literal["better", "worse", "no difference"]

_LARGEST_STAKE: Final = 0.9
_BETWEEN_STAKES: Final = 0.5**0.5
_HALVINGS: Final = 40
"""Of the range in which an end of an interval lies; it is then known to twelve digits."""


class Question(NamedTuple):
    """What is to be known."""

    difference: float = 0.1
    """What a bot must be better or worse by to matter: so many duels of one, in the balance."""
    error: float = 0.05
    """The chance of a wrong answer, at most."""


class ComparisonTally(NamedTuple):
    """How often a bot did better than another in a duel, as well, and worse."""

    better: int = 0
    level: int = 0
    worse: int = 0

    @property
    def duels(self) -> int:
        """How many there were."""
        return sum(self)

    @property
    def difference(self) -> float:
        """How many more were better than worse, of one."""
        return (self.better - self.worse) / self.duels if self.duels else 0.0

    @property
    def turned(self) -> "ComparisonTally":
        """The same from the other's side."""
        return ComparisonTally(self.worse, self.level, self.better)

    def after(self, score: int) -> "ComparisonTally":
        """Return the tally with one more duel."""
        better, level, worse = self
        return ComparisonTally(better + (score > 0), level + (score == 0), worse + (score < 0))


def score(result: Result) -> int:
    """Return how A did in a duel: 1 for better, 0 for level, -1 for worse.

    A duel that is drawn goes to who won more points over its hands, if nobody was at fault.
    """
    if result.wins != DRAWN or any(result.faults):
        return result.wins - DRAWN
    return (result.margin > 0) - (result.margin < 0)


def interval(tally: ComparisonTally, question: Question) -> tuple[float, float]:
    """Return where the true difference lies, after these duels and after all before them."""
    return _least(tally, question), 0.0 - _least(tally.turned, question)


def answer(tally: ComparisonTally, question: Question) -> Answer | None:
    """Return what is known; None if that is not enough. The interval says the same."""
    if _exceeds(tally, 0.0, question):
        return "better"
    if _exceeds(tally.turned, 0.0, question):
        return "worse"
    least = -question.difference
    is_small = _exceeds(tally, least, question) and _exceeds(tally.turned, least, question)
    return "no difference" if is_small else None


def _least(tally: ComparisonTally, question: Question) -> float:
    low, high = -1.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _exceeds(tally, middle, question) else (low, middle)
    return low


def _exceeds(tally: ComparisonTally, difference: float, question: Question) -> bool:
    """Return whether it is refuted that the true difference is at most this; not both ways."""
    return _evidence(tally, difference, _stakes(question)) >= log(2 / question.error)


def _stakes(question: Question) -> list[float]:
    """Return the stakes: the largest is best if all is won, the least for half the difference."""
    least = question.difference / 2
    stakes = (_LARGEST_STAKE * _BETWEEN_STAKES**number for number in range(64))
    return [*takewhile(lambda stake: stake > least, stakes), least]


def _evidence(tally: ComparisonTally, difference: float, stakes: Iterable[float]) -> float:
    """Return the logarithm of what bets against a difference of at most this have come to."""
    better, level, worse = tally
    ratio = 1 / (1 + difference)
    products = [
        better * log1p(stake * (2 * ratio - 1))
        + level * log1p(stake * (ratio - 1))
        + worse * log1p(-stake)
        for stake in stakes
    ]
    most = max(products)
    return most + log(fsum(exp(each - most) for each in products) / len(products))


class Comparison:
    """The duels of two bots, which count in the order of their numbers, whenever they come in.

    Once there is an answer, no more of them count.
    """

    def __init__(self, question: Question) -> None:
        """Begin with no duel."""
        self.question = question
        self.tally = ComparisonTally()
        self.answer: Answer | None = None
        self._waiting: dict[int, int | None] = {}
        self._next = 0

    def add(self, number: int, score: int | None) -> None:
        """Take a duel, by its number from 0; None is for one that cannot be played."""
        self._waiting[number] = score
        while self.answer is None and self._next in self._waiting:
            found = self._waiting.pop(self._next)
            self._next += 1
            if found is not None:
                self.tally = self.tally.after(found)
                self.answer = answer(self.tally, self.question)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true difference lies."""
        return interval(self.tally, self.question)

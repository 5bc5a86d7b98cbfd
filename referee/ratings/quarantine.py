"""Which entrants are at fault so often that their duels say nothing about anybody."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from referee.ratings.results import Result

_FAULTY: Final = 10
"""Duels an entrant was at fault in before it can be put apart."""


def quarantined(results: Iterable[Result]) -> set[int]:
    """Name those with at least ten faulty duels, if that is over half of their duels.

    An entrant is judged once and by all its duels, whoever sat opposite: what it did wrong, it did
    wrong against a bot that is put apart itself, too.
    """
    duels: Counter[int] = Counter()
    faulty: Counter[int] = Counter()
    for first, second, *_, (by_first, by_second) in results:
        duels[first] += 1
        duels[second] += 1
        faulty[first] += by_first > 0
        faulty[second] += by_second > 0
    return {
        entrant
        for entrant, count in faulty.items()
        if count >= _FAULTY and 2 * count > duels[entrant]
    }


def among(entrants: Collection[int], results: Iterable[Result]) -> list[Result]:
    """Leave out the duels in which anybody else took part."""
    counting = frozenset(entrants)
    return [result for result in results if result.first in counting and result.second in counting]

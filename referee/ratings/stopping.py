"""When a league may stop early: when every two neighbours of the table are told apart.

Looking again and again would sooner or later tell apart any two that are equal. So a league is
looked at a few times only, and the doubt that is allowed is shared out among the looks, the pairs
of neighbours, and the two ways round.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from referee.ratings.pairs import count_pairs
from referee.ratings.points import Margin, against_field, ahead, combined, margins, turned
from referee.ratings.results import Result
from referee.ratings.suspension import among

By = Literal["rating", "points"]

_FIRST: Final = 8
"""Duels a pair before the first look; each next look takes twice as many."""


class Until(NamedTuple):
    """How sure the order of the table has to be."""

    confidence: float
    """The chance, over the whole league, that no two equal neighbours are told apart."""
    by: By


class Neighbours(NamedTuple):
    """Two entrants, one right above the other."""

    upper: int
    lower: int
    better: float
    """The probability that the upper one is better."""


def looks(duels: int) -> tuple[int, ...]:
    """Return after how many duels a pair the league is looked at; the last look is at its end."""
    early = []
    look = _FIRST
    while look < duels:
        early.append(look)
        look *= 2
    return (*early, duels)


def may_stop(
    until: Until, results: Iterable[Result], entrants: Collection[int], duels: int
) -> bool:
    """Return whether all neighbours are told apart; between two looks they never are.

    Args:
        until: How sure that has to be.
        results: What was played so far; it is for a look if that many duels a pair were.
        entrants: Whose order it is; the duels of others do not count.
        duels: Of each pairing, at most.
    """
    played = list(results)
    if 1 + max((result.number for result in played), default=-1) not in looks(duels):
        return False
    sound = sorted(entrants)
    needed = enough(until, len(sound), duels)
    return all(two.better > needed for two in neighbours(until.by, sound, among(sound, played)))


def enough(until: Until, entrants: int, duels: int) -> float:
    """Return the probability above which two neighbours are told apart."""
    return 1 - (1 - until.confidence) / (2 * len(looks(duels)) * max(1, entrants - 1))


def neighbours(by: By, entrants: Sequence[int], results: Sequence[Result]) -> list[Neighbours]:
    """Put entrants in order, and say of each two neighbours how likely that order is."""
    return _NEIGHBOURS[by](entrants, results)


def _by_rating(entrants: Sequence[int], results: Sequence[Result]) -> list[Neighbours]:
    from referee.ratings.fitting import fit  # noqa: PLC0415 (numpy is slow to load; few need more than `Until`)

    fitted = fit(entrants, count_pairs(results))
    order = sorted(entrants, key=lambda entrant: -fitted.rating(entrant).mean)
    return [Neighbours(*two, fitted.better(*two)) for two in pairwise(order)]


def _by_points(entrants: Sequence[int], results: Sequence[Result]) -> list[Neighbours]:
    """Go by points per hand against the field.

    The margin between two neighbours is taken from all they played, not from their own duels alone:
    so it is what the order goes by, and surer.
    """
    one_way = margins(results)
    cells = {**one_way, **{(second, first): turned(m) for (first, second), m in one_way.items()}}
    fields = {one: against_field(_met(one, entrants, cells)) for one in entrants}
    order = sorted(entrants, key=lambda entrant: -(fields[entrant].mean or 0.0))
    return [Neighbours(*two, ahead(_between(*two, order, cells))) for two in pairwise(order)]


def _met(
    entrant: int, entrants: Iterable[int], cells: Mapping[tuple[int, int], Margin]
) -> list[Margin]:
    return [cells[entrant, other] for other in entrants if (entrant, other) in cells]


def _between(
    one: int, other: int, entrants: Sequence[int], cells: Mapping[tuple[int, int], Margin]
) -> Margin:
    """Return by how much one does better against the field than another, pairing by pairing."""
    share = 1 / (len(entrants) - 1)
    nothing = Margin(None, None, 0)
    terms = [(2 * share, cells.get((one, other), nothing))]
    for third in entrants:
        if third not in {one, other}:
            terms.append((share, cells.get((one, third), nothing)))
            terms.append((share, cells.get((third, other), nothing)))
    return combined(terms)


_NEIGHBOURS: Final = {"rating": _by_rating, "points": _by_points}

"""When a league may stop early: when neighbours of the table are told apart, all or the first.

Looking again and again would sooner or later tell apart any two that are equal. So a league is
looked at a few times only, and the doubt that is allowed is shared out among the looks, the pairs
of neighbours, and the two ways round. Where only the first places matter, only their neighbours
do. With adaptive rounds, only those pairings play on after a look that are needed to tell apart who
is not.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, islice, pairwise
from math import comb
from typing import Final, Literal, NamedTuple, TypeGuard

from referee.ratings.methods import LATEST, Method
from referee.ratings.points import Margin, ahead, turned
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
    top: int | None = None
    """How many places have to be sure, from the first; all if this is None."""
    method: Method = LATEST
    """How ratings and points were computed when the league was created, for it stops by that."""
    adaptive: bool = False
    """Whether, after a look, only those pairings play on that are needed."""


class Neighbours(NamedTuple):
    """Two entrants, one right above the other."""

    upper: int
    lower: int
    better: float
    """The probability that the upper one is better."""


class Order(NamedTuple):
    """Entrants, the best first, and how likely it is that one is better than another."""

    entrants: Sequence[int]
    better: Callable[[int, int], float]


def is_adaptive(until: Until | None) -> TypeGuard[Until]:
    """Return whether a league stops early for some pairings and not for others."""
    return until is not None and until.adaptive


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
    """Return whether the neighbours that matter are told apart; between two looks they never are.

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
    found = neighbours(until.by, sound, among(sound, played), until.method)
    return all(two.better > needed for two in found[: until.top])


def plays_on(
    until: Until, duels: int, number: int, results: Sequence[Result], entrants: Collection[int]
) -> Collection[frozenset[int]] | None:
    """Return which pairings play on, each as the set of its two; None if this is no look.

    Args:
        until: How sure the order has to be.
        duels: Of each pairing, at most.
        number: Of the duels that come next.
        results: All that was played with lower numbers.
        entrants: Whose order it is; the duels of others do not count.
    """
    if number not in looks(duels):
        return None
    if until.adaptive:
        sound = sorted(entrants)
        order = order_of(until.by, sound, among(sound, results), until.method)
        return needed_pairings(until, order, duels)
    if may_stop(until, results, entrants, duels):
        return ()
    return {frozenset(pair) for pair in combinations(entrants, 2)}


def needed_pairings(until: Until, order: Order, duels: int) -> set[frozenset[int]]:
    """Return the pairings whose duels tell apart who is not."""
    two_by_two = [(two.upper, two.lower) for two in unresolved(until, order, duels)]
    if until.by == "rating":
        return {*map(frozenset, two_by_two)}
    # Points are against the field: whatever one of the two plays tells them apart.
    waiting = {entrant for two in two_by_two for entrant in two}
    every = combinations(sorted(order.entrants), 2)
    return {frozenset(pair) for pair in every if not waiting.isdisjoint(pair)}


def unresolved(until: Until, order: Order, duels: int) -> list[Neighbours]:
    """Return the places that are not sure, each with the next entrant it is not told apart from.

    Where some have played more than others, that need not be a neighbour.
    """
    entrants, better = order
    needed = enough(until, len(entrants), duels)
    found = []
    for place, upper in enumerate(entrants[: until.top]):
        below = (Neighbours(upper, each, better(upper, each)) for each in entrants[place + 1 :])
        found += [*islice((two for two in below if two.better <= needed), 1)]
    return found


def most_pairings(until: Until, entrants: int) -> int:
    """Return how many pairings play on after a look, at most."""
    if until.adaptive and until.by == "rating":
        return _compared(until, entrants)
    return comb(entrants, 2)


def enough(until: Until, entrants: int, duels: int) -> float:
    """Return the probability above which two neighbours are told apart."""
    compared = max(1, _compared(until, entrants))
    return 1 - (1 - until.confidence) / (2 * len(looks(duels)) * compared)


def _compared(until: Until, entrants: int) -> int:
    """Return how many pairs of neighbours have to be told apart."""
    return min(until.top or entrants, entrants - 1)


def neighbours(
    by: By, entrants: Sequence[int], results: Sequence[Result], method: Method = LATEST
) -> list[Neighbours]:
    """Put entrants in order, and say of each two neighbours how likely that order is."""
    order, better = order_of(by, entrants, results, method)
    return [Neighbours(*two, better(*two)) for two in pairwise(order)]


def order_of(by: By, entrants: Sequence[int], results: Sequence[Result], method: Method) -> Order:
    """Put entrants in order."""
    return _ORDERS[by](entrants, results, method)


def _by_rating(entrants: Sequence[int], results: Sequence[Result], method: Method) -> Order:
    # Numpy is slow to load, and few need more than `Until`.
    from referee.ratings.clusters import effects_on_wins  # noqa: PLC0415
    from referee.ratings.fitting import fit  # noqa: PLC0415
    from referee.ratings.pairs import count_pairs  # noqa: PLC0415

    effects = effects_on_wins(results) if method.clustered else {}
    fitted = fit(entrants, count_pairs(results), effects, method)
    order = sorted(entrants, key=lambda entrant: -fitted.rating(entrant).mean)
    return Order(order, fitted.better)


def _by_points(entrants: Sequence[int], results: Sequence[Result], method: Method) -> Order:
    """Go by points per hand against the field.

    The margin between two is taken from all they played, not from their own duels alone: so it is
    what the order goes by, and surer.
    """
    from referee.ratings.margins import combined, fields, margins  # noqa: PLC0415 (as above)

    one_way = margins(results, method)
    cells = {**one_way, **{(second, first): turned(m) for (first, second), m in one_way.items()}}
    against = fields(entrants, one_way)
    order = sorted(entrants, key=lambda entrant: -(against[entrant].mean or 0.0))
    return Order(order, lambda one, other: ahead(combined(_between(one, other, order, cells))))


def _between(
    one: int, other: int, entrants: Sequence[int], cells: Mapping[tuple[int, int], Margin]
) -> list[tuple[float, Margin]]:
    """Return what adds up to how much one does better against the field, pairing by pairing."""
    share = 1 / (len(entrants) - 1)
    nothing = Margin(None, None, 0)
    terms = [(2 * share, cells.get((one, other), nothing))]
    for third in entrants:
        if third not in {one, other}:
            terms.append((share, cells.get((one, third), nothing)))
            terms.append((share, cells.get((third, other), nothing)))
    return terms


_ORDERS: Final = {"rating": _by_rating, "points": _by_points}

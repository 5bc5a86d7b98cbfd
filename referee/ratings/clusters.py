"""How much duels that were played one after the other depend on each other.

A bot's processes live as long as a visit, and whatever happens to go well or badly in one goes so
in all of its duels. Ten such duels say less than ten that do not depend on each other. What is a
visit is not stored, and the tables must not depend on how a league was cut into visits, so the
duels of a pairing are put into blocks by their numbers: of 2, 4, 8 and so on, as long as a pairing
has two blocks at least. How much the blocks' sums stray, against what they would if no duel
depended on another, is their effect.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from referee.ratings.columns import (
    Real,
    ResultColumns,
    Whole,
    WonColumns,
    result_columns,
    where,
    won_columns,
)
from referee.ratings.pairs import ByPair, Pairings, pairings_of
from referee.ratings.results import Result, Won

_LEAGUE_DOUBT: Final = 10
"""How many blocks speak for no effect before any is looked at."""
_SHORTEST: Final = 2
"""How many duels the smallest blocks have."""
_PAIRING_DOUBT: Final = 20
"""How many speak for a pairing's being like all others."""


class _Effects(NamedTuple):
    """By how much the blocks of each pairing stray more than they would."""

    blocks: Real
    """How many there are but one, which is the mean's."""
    ratio: Real


def effects_on_wins(results: WonColumns | Iterable[Result] | Iterable[Won]) -> ByPair[float]:
    """Return how many duels of each pairing say as much as one would that depends on no other."""
    first, second, number, wins = won_columns(results)
    pairings = pairings_of(first, second)
    mean = pairings.total(wins) / pairings.duels
    return _effects(pairings, number, wins - mean[pairings.of])


def effects_on_points(results: ResultColumns | Iterable[Result]) -> ByPair[float]:
    """Return the same for points a hand."""
    every = result_columns(results)
    played = where(every, every.hands > 0)
    pairings = pairings_of(played.first, played.second)
    mean = pairings.total(played.margin) / pairings.total(played.hands)
    return _effects(pairings, played.number, played.margin - mean[pairings.of] * played.hands)


def _effects(pairings: Pairings, number: Whole, stray: Real) -> ByPair[float]:
    """Return the effect in each pairing: that of the whole league, and a little its own.

    Args:
        pairings: those of the duels.
        number: of each duel in its pairing.
        stray: how far each strays from its pairing's mean.
    """
    first, second, of = pairings
    size, longest = _SHORTEST, int(pairings.duels.max(initial=0))
    nothing = ByPair(first[:0], second[:0], [stray[:0]], float)
    if longest < 2 * size:
        return nothing
    order = np.lexsort((number, of))
    pairings, number, stray = Pairings(first, second, of[order]), number[order], stray[order]
    most, at_most = 1.0, None
    while 2 * size <= longest:
        found = _of_blocks(pairings, number // size, stray)
        blocks, ratios = found.blocks.sum(), found.blocks @ found.ratio
        whole = float((_LEAGUE_DOUBT + ratios) / (_LEAGUE_DOUBT + blocks))
        if whole > most:
            most, at_most = whole, found
        size *= 2
    if at_most is None:
        return nothing
    blocks, ratio = at_most
    own = (_PAIRING_DOUBT * most + blocks * ratio) / (_PAIRING_DOUBT + blocks)
    return ByPair(first, second, [np.maximum(1.0, own)], float)


def _of_blocks(pairings: Pairings, block: Whole, stray: Real) -> _Effects:
    """Return the effects of blocks; the duels are in the order of their pairings and blocks."""
    of = pairings.of
    begins = np.flatnonzero(np.diff(of, prepend=-1) | np.diff(block, prepend=-1))
    sums = np.add.reduceat(stray, begins)
    counts = np.diff(begins, append=len(of))
    in_pairing = pairings._replace(of=of[begins])
    blocks, duels, squares = in_pairing.duels, pairings.duels, pairings.total(stray**2)
    several = (blocks > 1) & (squares > 0)
    expected = squares / np.maximum(1, duels - 1) * (duels - in_pairing.total(counts**2) / duels)
    ratio = np.divide(in_pairing.total(sums**2), expected, out=np.ones(len(blocks)), where=several)
    return _Effects(np.where(several, blocks - 1.0, 0.0), ratio)

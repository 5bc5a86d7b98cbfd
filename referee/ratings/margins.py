"""Points per hand estimated from duels: between two entrants, and against the field.

Hands of one duel hang together, so the error is taken over duels; where duels depend on each other,
it is wider by that (`clusters`). Two bots that play nearly alike tie nearly all hands, and from a
few ties alone nobody knows that they always tie, so a hand that one of them won is imagined for the
error.
"""

from collections.abc import Collection, Iterable, Sequence
from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.engine.record import MatchRecord
from referee.ratings import student
from referee.ratings.clusters import effects_on_points
from referee.ratings.columns import Real, ResultColumns, Whole, result_columns
from referee.ratings.methods import LATEST, Method
from referee.ratings.pairs import ByPair, Pairings, numbers_of, pairings_of
from referee.ratings.points import Margin, hand_margins
from referee.ratings.results import Result


class _Margins(NamedTuple):
    """Margins in columns; what is None in a `Margin` is not a number here."""

    mean: Real
    plus_or_minus: Real
    hands: Whole
    freedom: Whole

    def of(self, rows: Whole | NDArray[np.bool_]) -> "_Margins":
        """Return some of them."""
        mean, plus_or_minus, hands, freedom = self
        return _Margins(mean[rows], plus_or_minus[rows], hands[rows], freedom[rows])


def points_per_hand(duels: Sequence[Sequence[MatchRecord]]) -> Margin:
    """Estimate what A wins in a hand."""
    return margin_of((sum(margins), len(margins)) for margins in map(hand_margins, duels))


def margin_of(
    sums: Iterable[tuple[float, int]], effect: float = 1.0, method: Method = LATEST
) -> Margin:
    """Estimate what A wins in a hand, from what it won in each duel and over how many hands.

    Args:
        sums: points and hands of each duel.
        effect: how many duels say as much as one would that depends on no other.
        method: how the error is computed.
    """
    points, hands = np.array([*sums], np.float64).reshape(-1, 2).T
    one, of = np.zeros(1, np.int64), np.zeros(len(hands), np.intp)
    found = _estimated(Pairings(one, one, of), points, hands, np.array([effect]), method)
    mean, plus_or_minus, over, freedom = found
    return _margin(mean.item(), plus_or_minus.item(), over.item(), freedom.item())


def margins(results: ResultColumns | Iterable[Result], method: Method = LATEST) -> ByPair[Margin]:
    """Estimate for each pairing what A wins in a hand."""
    every = result_columns(results)
    pairings = pairings_of(every.first, every.second)
    first, second, _ = pairings
    effects = effects_on_points(every) if method.clustered else {}
    effect = numbers_of(ByPair(first, second, (), float), effects, 1.0)
    found = _estimated(pairings, every.margin, every.hands, effect, method)
    return ByPair(first, second, found, _margin)


def _estimated(
    pairings: Pairings, points: Real, hands: Real | Whole, effect: Real, method: Method
) -> _Margins:
    """Estimate margins from points and hands of duels; a duel without hands says nothing."""
    some = hands > 0
    points, hands, pairings = points[some], hands[some], pairings._replace(of=pairings.of[some])
    duels, over = pairings.duels, pairings.total(hands)
    mean = _ratio(pairings.total(points), over)
    strays = (points - mean[pairings.of] * hands) ** 2
    freedom = np.maximum(0, duels - 1)
    error = np.sqrt(effect * _ratio(pairings.total(strays) * duels, freedom) + method.imagined)
    return _Margins(mean, _widths(freedom) * _ratio(error, over), over.astype(np.int64), freedom)


def _ratio(of: Real, to: Real | Whole) -> Real:
    """Return a ratio; not a number where it is to 0."""
    ratio: Real = np.divide(of, to, out=np.full(len(of), nan), where=to > 0)
    return ratio


def _widths(freedom: Whole) -> Real:
    """Return `student.width` of each; of no freedom it matters to nobody."""
    degrees, of = np.unique(freedom, return_inverse=True)
    return np.array([student.width(each) if each else nan for each in degrees.tolist()])[of]


def _margin(mean: float, plus_or_minus: float, hands: int, freedom: int) -> Margin:
    return Margin(
        None if isnan(mean) else mean,
        None if isnan(plus_or_minus) else plus_or_minus,
        hands,
        freedom,
    )


def against_field(margins: Sequence[Margin]) -> Margin:
    """Estimate what an entrant wins against all it met a hand with, each counting alike."""
    return _against_field(_in_columns(margins))


def fields(entrants: Collection[int], points: ByPair[Margin]) -> dict[int, Margin]:
    """Estimate what each entrant wins against the field, from the margins of all pairings."""
    mean, *alike = points.columns
    both = _Margins(np.append(mean, -mean), *(np.append(column, column) for column in alike))
    of = np.append(points.first, points.second)
    order = np.argsort(of, kind="stable")
    ends = np.searchsorted(of[order], [(entrant, entrant + 1) for entrant in entrants])
    return {
        entrant: _against_field(both.of(order[begin:end]))
        for entrant, (begin, end) in zip(entrants, ends.tolist(), strict=True)
    }


def _against_field(margins: _Margins) -> Margin:
    met = ~np.isnan(margins.mean)
    weights = np.full(int(met.sum()), 1 / max(1, met.sum()))
    return _combined(weights, margins.of(met))


def combined(terms: Sequence[tuple[float, Margin]]) -> Margin:
    """Add up margins of different pairings, each times its weight.

    The degrees of freedom are Welch and Satterthwaite's, rounded down.
    """
    weights = np.array([weight for weight, _ in terms])
    return _combined(weights, _in_columns([margin for _, margin in terms]))


def _in_columns(margins: Sequence[Margin]) -> _Margins:
    mean, plus_or_minus, hands, freedom = np.array(margins, np.float64).reshape(-1, 4).T
    return _Margins(mean, plus_or_minus, hands.astype(np.int64), freedom.astype(np.int64))


def _combined(weights: Real, margins: _Margins) -> Margin:
    mean, plus_or_minus, each, degrees = margins
    hands = int(each.sum())
    if not len(mean) or np.isnan(mean).any():
        return Margin(None, None, hands)
    total = float(weights @ mean)
    if np.isnan(plus_or_minus).any():
        return Margin(total, None, hands)
    errors = weights * plus_or_minus / _widths(degrees)
    variance, wobble = float((errors**2).sum()), float((errors**4 / degrees).sum())
    # Rounded down, but not by an error in the last digit, which differs between machines.
    freedom = int(variance**2 / wobble + 1e-9) if wobble else int(degrees.sum())
    return Margin(total, student.width(freedom) * sqrt(variance), hands, freedom)

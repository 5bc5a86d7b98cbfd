"""The rating that counts: TrueSkill's model, fitted to all duels at once.

Each entrant has a skill, and in each duel performs about as well as that; the better performance
wins, unless the two are closer than a margin: then it is a draw. Everything here is in units of
the noise in the difference of two performances, until it is returned.

The chance of all that happened is a concave function of skills and margin together, so it has one
top, and Newton's steps find it from anywhere. How sharply it falls off around the top tells how
sure the skills are. See `docs/ratings.md`.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.ratings.pairs import PairCount
from referee.ratings.probit import Numbers, chance, hazard, log_chance, log_density

MEAN: Final = 25.0
SPREAD: Final = 25 / 3
BETA: Final = 25 / 6

_UNIT: Final = sqrt(2) * BETA
_PRIOR: Final = (SPREAD / _UNIT) ** 2
_IMAGINED: Final = PairCount(1, 1, 1)
"""Duels between equals that are added, so that a margin fits best whatever was played."""
_START: Final = 0.43
"""The margin that fits the imagined duels alone."""
_STEPS: Final = 200
_CLOSE: Final = 1e-6
"""Closer to the top than this, rounding hides whether a step went up, and Newton's are right."""
_LONGEST_STEP: Final = 0.5
"""The furthest a gap is moved at once; no duels lead further than `_STEPS` of these."""
_THERE: Final = 1e-16
"""The square of how far the last step may go, in standard errors; the one after is yet smaller."""


class Rating(NamedTuple):
    """How good an entrant is, and how sure that is."""

    mean: float
    spread: float
    """The standard error of `mean`."""

    @property
    def conservative(self) -> float:
        """What it is at the least."""
        return self.mean - 3 * self.spread


class Fit(NamedTuple):
    """What the duels say about all entrants together."""

    ratings: Mapping[int, Rating]
    """About the mean of those that played, which is 25; the prior for those that did not."""
    draws: float
    """The chance that two equals draw."""
    margin: float
    """How close two performances are in a draw, in units of the noise."""
    places: Mapping[int, int]
    """Where each entrant stands in `skills` and `covariance`."""
    skills: Sequence[float]
    covariance: Sequence[Sequence[float]]

    def rating(self, entrant: int) -> Rating:
        """Return the rating of an entrant."""
        return self.ratings[entrant]

    def better(self, entrant: int, other: int) -> float:
        """Return the probability that an entrant is better than another."""
        if entrant == other:
            return 0.5
        one, two = self.places[entrant], self.places[other]
        shared = self.covariance[one][two]
        variance = self.covariance[one][one] + self.covariance[two][two] - 2 * shared
        return chance((self.skills[one] - self.skills[two]) / sqrt(variance))


class _Duels(NamedTuple):
    """What was played, in columns; the last row is what is imagined."""

    size: int
    """How many skills there are."""
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    counts: Numbers
    """A row for each pairing: won, drawn, lost."""


class _Slopes(NamedTuple):
    """The logarithm of a pairing's chance, and how it changes with the gap and with the margin."""

    value: Numbers
    gap: Numbers
    margin: Numbers
    gap_gap: Numbers
    gap_margin: Numbers
    margin_margin: Numbers


def fit(entrants: Sequence[int], pairs: Mapping[tuple[int, int], PairCount]) -> Fit:
    """Fit the skills of all entrants, and the margin, to all their duels."""
    places = {entrant: place for place, entrant in enumerate(sorted(entrants))}
    duels = _columns(places, pairs)
    top = _highest_point(duels)
    curvature = _derivatives(duels, _slopes(duels, top))[1]
    covariance = np.linalg.inv(curvature)[: len(places), : len(places)] * _UNIT**2
    skills = top[: len(places)] * _UNIT
    played = sorted({places[entrant] for pairing in pairs for entrant in pairing})
    rated = dict(
        zip(played, _centred(skills[played], covariance[np.ix_(played, played)]), strict=True)
    )
    return Fit(
        {entrant: rated.get(place, Rating(MEAN, SPREAD)) for entrant, place in places.items()},
        1 - 2 * chance(-top[-1]),
        float(top[-1]),
        places,
        skills.tolist(),
        covariance.tolist(),
    )


def _centred(skills: Numbers, covariance: Numbers) -> list[Rating]:
    """Measure skills from their mean: how good all are together, no duel among them can tell."""
    if not len(skills):
        return []
    share = np.eye(len(skills)) - 1 / len(skills)
    variances = np.diag(share @ covariance @ share)
    means = MEAN + skills - skills.mean()
    return [
        Rating(*rating) for rating in zip(means.tolist(), np.sqrt(variances).tolist(), strict=True)
    ]


def better_in_pairs(
    pairs: Mapping[tuple[int, int], PairCount], margin: float
) -> dict[tuple[int, int], float]:
    """Return for each pairing the probability that A is better than B, by its own duels alone.

    The margin of draws is the league's, as it belongs to the game; all else is the pair's.
    """
    if not pairs:
        return {}
    rows = sorted(pairs)
    counts = np.array([pairs[row] for row in rows], dtype=np.float64)
    gap = np.zeros(len(rows))
    for _ in range(_STEPS):
        slopes = _added(counts, gap, margin)
        step = (slopes.gap - gap / (2 * _PRIOR)) / (1 / (2 * _PRIOR) - slopes.gap_gap)
        gap += np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        if np.abs(step).max() < _CLOSE:
            break
    sure = np.sqrt(1 / (2 * _PRIOR) - _added(counts, gap, margin).gap_gap)
    return {row: chance(far) for row, far in zip(rows, (gap * sure).tolist(), strict=True)}


def _columns(places: Mapping[int, int], pairs: Mapping[tuple[int, int], PairCount]) -> _Duels:
    """Put the pairings in a fixed order; the imagined duels are nobody's against itself."""
    nobody = len(places)
    rows = sorted((places[first], places[second], *pair) for (first, second), pair in pairs.items())
    table = np.array([*rows, (nobody, nobody, *_IMAGINED)], dtype=np.intp)
    return _Duels(nobody + 1, table[:, 0], table[:, 1], table[:, 2:].astype(np.float64))


def _highest_point(duels: _Duels) -> Numbers:
    """Return skills and margin at the top."""
    point = np.zeros(duels.size + 1)
    point[-1] = _START
    for _ in range(_STEPS):
        slopes = _slopes(duels, point)
        slope, curvature = _derivatives(duels, slopes)
        slope[:-1] -= point[:-1] / _PRIOR
        step = np.linalg.solve(curvature, slope)
        gain = float(slope @ step)
        point += step if gain < _CLOSE else _shortened(duels, point, step, gain)
        if gain < _THERE:
            break
    return point


def _shortened(duels: _Duels, point: Numbers, step: Numbers, gain: float) -> Numbers:
    """Shorten a step until it leads up, and leaves a margin."""
    height = _height(duels, point)
    share = 1.0
    while point[-1] + share * step[-1] <= 0 or (
        _height(duels, point + share * step) < height + share * gain / 10
    ):
        share /= 2
    return share * step


def _height(duels: _Duels, point: Numbers) -> float:
    likelihood = float(_slopes(duels, point).value.sum())
    return likelihood - float(point[:-1] @ point[:-1]) / (2 * _PRIOR)


def _derivatives(duels: _Duels, slopes: _Slopes) -> tuple[Numbers, Numbers]:
    """Return the slope of what the duels say, and the curvature of that with the prior."""
    _, first, second, _ = duels
    size = duels.size + 1
    slope = _sum_by(first, slopes.gap, size) - _sum_by(second, slopes.gap, size)
    slope[-1] = slopes.margin.sum()
    lean = _sum_by(second, slopes.gap_margin, size) - _sum_by(first, slopes.gap_margin, size)
    across = _sum_by(first * size + second, slopes.gap_gap, size * size).reshape(size, size)
    curvature = across + across.T
    curvature -= np.diag(curvature.sum(axis=0))
    curvature[-1] = curvature[:, -1] = lean
    curvature[-1, -1] = -slopes.margin_margin.sum()
    curvature[np.diag_indices(duels.size)] += 1 / _PRIOR
    return slope, curvature


def _sum_by(places: NDArray[np.intp], weights: Numbers, size: int) -> Numbers:
    return np.bincount(places, weights, size).astype(np.float64)


def _slopes(duels: _Duels, point: Numbers) -> _Slopes:
    gap, margin = point[duels.first] - point[duels.second], point[-1]
    return _added(duels.counts, gap, margin)


def _added(counts: Numbers, gap: Numbers, margin: float) -> _Slopes:
    """Add up a win, a draw and a loss of each row, as often as it has them."""
    won, drawn, lost = counts.T
    parts = _win(gap, margin), _draw(gap, margin), _turned(_win(-gap, margin))
    columns = zip(*parts, strict=True)
    return _Slopes(
        *(won * of_win + drawn * of_draw + lost * of_loss for of_win, of_draw, of_loss in columns)
    )


def _win(gap: Numbers, margin: float) -> _Slopes:
    lead = gap - margin
    rise = hazard(lead)
    bend = -rise * (lead + rise)
    return _Slopes(log_chance(lead), rise, -rise, bend, -bend, bend)


def _turned(slopes: _Slopes) -> _Slopes:
    return slopes._replace(gap=-slopes.gap, gap_margin=-slopes.gap_margin)


def _draw(gap: Numbers, margin: float) -> _Slopes:
    """See the draw from the worse one's side, where both ends are small and none is lost."""
    side = np.where(gap < 0, -1.0, 1.0)
    high, low = margin - np.abs(gap), -margin - np.abs(gap)
    below = log_chance(high)
    value = below + np.log(-np.expm1(log_chance(low) - below))
    at_high, at_low = np.exp(log_density(high) - value), np.exp(log_density(low) - value)
    of_high, of_both, of_low = (
        -at_high * (high + at_high),
        at_high * at_low,
        at_low * (low - at_low),
    )
    return _Slopes(
        value,
        side * (at_low - at_high),
        at_high + at_low,
        of_high + 2 * of_both + of_low,
        side * (of_low - of_high),
        of_high - 2 * of_both + of_low,
    )

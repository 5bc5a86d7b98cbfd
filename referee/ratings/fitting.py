"""The rating that counts: TrueSkill's model, fitted to all duels at once.

Each entrant has a skill, and in each duel performs about as well as that; the better performance
wins, unless the two are closer than a margin: then it is a draw. Everything here is in units of
the noise in the difference of two performances, until it is returned.

How far apart the skills of a field lie is not known beforehand, so the model is fitted under a
dozen widths of the prior, and each counts by how well it explains the duels. Under one width the
chance of all that happened is a concave function of skills and margin together, so it has one
top, and Newton's steps find it from anywhere. How sharply it falls off around the top tells how
sure the skills are. See `docs/ratings.md`.
"""

from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.ratings.methods import LATEST, Method
from referee.ratings.pairs import PairCount
from referee.ratings.probit import Numbers, chance, hazard, log_chance, log_density

MEAN: Final = 25.0
SPREAD: Final = 25 / 3
BETA: Final = 25 / 6
UNIT: Final = sqrt(2) * BETA
"""The noise in the difference of two performances, in points of the rating."""

_PRIOR: Final = (SPREAD / UNIT) ** 2
_WIDTHS: Final = tuple(0.75 * 1.5**step for step in range(12))
"""The widths of the prior that are tried, in points of the rating: up to 65."""
_USUAL_WIDTH: Final = SPREAD
_UNUSUAL: Final = 1.0
"""How far the logarithm of a width strays from the usual one's; it matters in small leagues."""
_NEGLIGIBLE: Final = 1e-9
"""The weight below which a width is left out."""
_LITTLE: Final = 0.01
"""The weight below which a width does not matter to who is better."""
_ALIKE: Final = 0.5
_BEYOND_DOUBT: Final = 5.0
_STILL: Final = 0.25
"""A gap that changes less than this along a whole line is as good as the curvature says."""
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

Pairs = Mapping[tuple[int, int], PairCount]
Effects = Mapping[tuple[int, int], float]


class Rating(NamedTuple):
    """How good an entrant is, and how sure that is."""

    mean: float
    spread: float
    """The standard error of `mean`."""

    @property
    def conservative(self) -> float:
        """What it is at the least."""
        return self.mean - 3 * self.spread


class Chances(NamedTuple):
    """How a duel to come is likely to end for an entrant."""

    win: float
    draw: float

    @property
    def match(self) -> float:
        """The chance to win a match: both of a duel won, one of a duel drawn."""
        return self.win + self.draw / 2


class Duels(NamedTuple):
    """What was played, in columns; the last row is what is imagined."""

    size: int
    """How many skills there are."""
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    counts: Numbers
    """A row for each pairing: won, drawn, lost."""


class Top(NamedTuple):
    """The likeliest skills and margin under one width of the prior."""

    weight: float
    """How well that width explains the duels, among all."""
    point: Numbers
    """The skills of the entrants, of nobody, and the margin."""
    inverse: Numbers
    """Of the curvature there: the covariance."""
    prior: float
    """The prior's variance."""


class Posterior(NamedTuple):
    """What the duels say, under each width of the prior that may be."""

    places: Mapping[int, int]
    played: Sequence[int]
    """The places of those who have."""
    duels: Duels
    tops: Sequence[Top]
    method: Method

    def __eq__(self, other: object) -> bool:
        """Return whether it is of the same duels; arrays themselves cannot be asked that."""
        return isinstance(other, Posterior) and self._key == other._key

    def __hash__(self) -> int:
        """Return a hash that is alike for equal ones."""
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return tuple(self.places), self.method, tuple(top.weight for top in self.tops)


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
    width: float
    """How far the skills of the field spread, as far as the duels tell."""
    found: Posterior
    """What all of this is from."""

    def rating(self, entrant: int) -> Rating:
        """Return the rating of an entrant."""
        return self.ratings[entrant]

    def better(self, entrant: int, other: int) -> float:
        """Return the probability that an entrant is better than another."""
        if entrant == other:
            return 0.5
        if not self.found.method.fitted_width:
            ahead, variance = self._ahead(entrant, other)
            return chance(ahead / sqrt(variance))
        one, two = self.places[entrant], self.places[other]
        tops = [top for top in self.found.tops if top.weight > _LITTLE]
        total = sum(top.weight for top in tops)
        return sum(top.weight * _better(self.found.duels, top, one, two) for top in tops) / total

    def chances(self, entrant: int, other: int) -> Chances:
        """Return how a duel of two is likely to end; how unsure their skills are is part of it."""
        ahead, variance = self._ahead(entrant, other)
        noise = sqrt(1 + variance / UNIT**2)
        win, loss = (chance((gap / UNIT - self.margin) / noise) for gap in (ahead, 0.0 - ahead))
        return Chances(win, 1 - win - loss)

    def _ahead(self, entrant: int, other: int) -> tuple[float, float]:
        """Return how far an entrant is ahead of another, and the variance of that."""
        one, two = self.places[entrant], self.places[other]
        shared = self.covariance[one][two]
        variance = self.covariance[one][one] + self.covariance[two][two] - 2 * shared
        return self.skills[one] - self.skills[two], variance


class Slopes(NamedTuple):
    """The logarithm of a pairing's chance, and how it changes with the gap and with the margin."""

    value: Numbers
    gap: Numbers
    margin: Numbers
    gap_gap: Numbers
    gap_margin: Numbers
    margin_margin: Numbers


def fit(
    entrants: Sequence[int],
    pairs: Pairs,
    effects: Effects | None = None,
    method: Method = LATEST,
) -> Fit:
    """Fit the skills of all entrants, and the margin, to all their duels."""
    return summary(posterior(entrants, pairs, effects, method))


def posterior(
    entrants: Sequence[int],
    pairs: Pairs,
    effects: Effects | None = None,
    method: Method = LATEST,
) -> Posterior:
    """Find the top under each width of the prior.

    Args:
        entrants: all of them.
        pairs: what came of their duels.
        effects: how many duels of a pairing say as much as one that depends on no other; 1 if it
            is not there.
        method: how the ratings are computed.
    """
    places = {entrant: place for place, entrant in enumerate(sorted(entrants))}
    duels = _columns(places, pairs, effects or {})
    played = sorted({places[entrant] for pairing in pairs for entrant in pairing})
    return Posterior(places, played, duels, _tops(duels, method), method)


def _tops(duels: Duels, method: Method) -> list[Top]:
    """Return the tops under all widths that count, each climbed to from the one before."""
    point: Numbers = np.zeros(duels.size + 1)
    point[-1] = _START
    if not method.fitted_width:
        point = _highest_point(duels, point, _PRIOR)
        return [Top(1.0, point, np.linalg.inv(_curvature(duels, point, _PRIOR)), _PRIOR)]
    tops, evidence = [], []
    for width in _WIDTHS:
        prior = (width / UNIT) ** 2
        point = _highest_point(duels, point, prior)
        curvature = _curvature(duels, point, prior)
        tops.append(Top(1.0, point, np.linalg.inv(curvature), prior))
        evidence.append(
            _height(duels, point, prior)
            - (np.linalg.slogdet(curvature)[1] + duels.size * log(prior)) / 2
            - (log(width / _USUAL_WIDTH) / _UNUSUAL) ** 2 / 2
        )
    weights = np.exp(np.array(evidence) - max(evidence))
    weights /= weights.sum()
    return [
        top._replace(weight=weight)
        for top, weight in zip(tops, weights.tolist(), strict=True)
        if weight > _NEGLIGIBLE
    ]


def summary(found: Posterior) -> Fit:
    """Return the mean and the covariance over all widths."""
    count = len(found.places)
    weights = np.array([top.weight for top in found.tops])
    weights /= weights.sum()
    points = np.array([top.point for top in found.tops])
    mean = weights @ points
    skills = mean[:count] * UNIT
    covariance = np.zeros((count, count))
    for weight, top in zip(weights.tolist(), found.tops, strict=True):
        stray = top.point[:count] - mean[:count]
        covariance += weight * (top.inverse[:count, :count] + np.outer(stray, stray))
    covariance *= UNIT**2
    played = list(found.played)
    rated = dict(
        zip(played, _centred(skills[played], covariance[np.ix_(played, played)]), strict=True)
    )
    return Fit(
        {
            entrant: rated.get(place, Rating(MEAN, SPREAD))
            for entrant, place in found.places.items()
        },
        1 - 2 * chance(-mean[-1]),
        float(mean[-1]),
        found.places,
        skills.tolist(),
        covariance.tolist(),
        float(weights @ np.sqrt([top.prior for top in found.tops])) * UNIT,
        found,
    )


def _better(duels: Duels, top: Top, one: int, two: int) -> float:
    """Return the probability that one is better, under one width of the prior.

    It goes by how much less likely everything is if the two are equal. Where they are nearly as
    good as each other, or far apart beyond doubt, the curvature says the same and is faster.
    """
    change = top.inverse[one] - top.inverse[two]
    spread = sqrt(change[one] - change[two])
    ahead = float(top.point[one] - top.point[two]) / spread
    if not _ALIKE < abs(ahead) < _BEYOND_DOUBT:
        return chance(ahead)
    beyond = beyond_curvature(duels, top.point, change / spread, np.array([-ahead]))
    drop = max(0.0, ahead * ahead - 2 * float(beyond[0]))
    return chance(sqrt(drop) if ahead > 0 else -sqrt(drop))


def beyond_curvature(duels: Duels, point: Numbers, direction: Numbers, at: Numbers) -> Numbers:
    """Return what the height along a line has that slope and curvature at the top do not say."""
    change = direction[duels.first] - direction[duels.second]
    moving = np.abs(change) * np.abs(at).max() > _STILL
    counts, change = duels.counts[moving], change[moving]
    gap, margin = (point[duels.first] - point[duels.second])[moving], float(point[-1])
    at_top = slopes_at(counts, gap, margin)
    turn = direction[-1]
    slope = at_top.gap @ change + at_top.margin.sum() * turn
    bend = (
        at_top.gap_gap @ change**2
        + 2 * turn * (at_top.gap_margin @ change)
        + turn**2 * at_top.margin_margin.sum()
    )
    along = slopes_at(
        np.tile(counts, (len(at), 1)),
        (gap + np.outer(at, change)).ravel(),
        np.repeat(np.maximum(margin + turn * at, margin / 100), len(gap)),
    )
    values: Numbers = along.value.reshape(len(at), -1).sum(axis=1)
    beyond: Numbers = values - at_top.value.sum() - slope * at - bend * at**2 / 2
    return beyond


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
    pairs: Pairs, found: Fit, effects: Effects | None = None
) -> dict[tuple[int, int], float]:
    """Return for each pairing the probability that A is better than B, by its own duels alone.

    The margin of draws and the width of the prior are the league's, as they belong to the game and
    to the field; all else is the pair's.
    """
    if not pairs:
        return {}
    rows = sorted(pairs)
    weights = [1 / (effects or {}).get(row, 1.0) for row in rows]
    counts = np.array([pairs[row] for row in rows]) * np.array(weights)[:, None]
    gap, precision = np.zeros(len(rows)), (UNIT / found.width) ** 2 / 2
    for _ in range(_STEPS):
        slopes = slopes_at(counts, gap, found.margin)
        step = (slopes.gap - gap * precision) / (precision - slopes.gap_gap)
        gap += np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        if np.abs(step).max() < _CLOSE:
            break
    top, even = (slopes_at(counts, each, found.margin) for each in (gap, np.zeros(len(rows))))
    if found.found.method.fitted_width:
        drop = 2 * (top.value - even.value) - gap * gap * precision
        far = np.sign(gap) * np.sqrt(np.maximum(drop, 0))
    else:
        far = gap * np.sqrt(precision - top.gap_gap)
    return {row: chance(each) for row, each in zip(rows, far.tolist(), strict=True)}


def _columns(places: Mapping[int, int], pairs: Pairs, effects: Effects) -> Duels:
    """Put the pairings in a fixed order; the imagined duels are nobody's against itself."""
    nobody = len(places)
    rows = sorted(
        (places[pairing[0]], places[pairing[1]], *pair, effects.get(pairing, 1.0))
        for pairing, pair in pairs.items()
    )
    table = np.array([*rows, (nobody, nobody, *_IMAGINED, 1.0)], dtype=np.float64)
    first, second = table[:, 0].astype(np.intp), table[:, 1].astype(np.intp)
    return Duels(nobody + 1, first, second, table[:, 2:5] / table[:, 5:])


def _highest_point(duels: Duels, start: Numbers, prior: float) -> Numbers:
    """Return skills and margin at the top."""
    point = start.copy()
    for _ in range(_STEPS):
        slope, curvature = _derivatives(duels, _slopes(duels, point), prior)
        slope[:-1] -= point[:-1] / prior
        step = np.linalg.solve(curvature, slope)
        gain = float(slope @ step)
        point += step if gain < _CLOSE else _shortened(duels, point, step, gain, prior)
        if gain < _THERE:
            break
    return point


def _shortened(duels: Duels, point: Numbers, step: Numbers, gain: float, prior: float) -> Numbers:
    """Shorten a step until it leads up, and leaves a margin."""
    height = _height(duels, point, prior)
    share = 1.0
    while point[-1] + share * step[-1] <= 0 or (
        _height(duels, point + share * step, prior) < height + share * gain / 10
    ):
        share /= 2
    return share * step


def _height(duels: Duels, point: Numbers, prior: float) -> float:
    likelihood = float(_slopes(duels, point).value.sum())
    return likelihood - float(point[:-1] @ point[:-1]) / (2 * prior)


def _curvature(duels: Duels, point: Numbers, prior: float) -> Numbers:
    return _derivatives(duels, _slopes(duels, point), prior)[1]


def _derivatives(duels: Duels, slopes: Slopes, prior: float) -> tuple[Numbers, Numbers]:
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
    curvature[np.diag_indices(duels.size)] += 1 / prior
    return slope, curvature


def _sum_by(places: NDArray[np.intp], weights: Numbers, size: int) -> Numbers:
    return np.bincount(places, weights, size).astype(np.float64)


def _slopes(duels: Duels, point: Numbers) -> Slopes:
    gap, margin = point[duels.first] - point[duels.second], point[-1]
    return slopes_at(duels.counts, gap, margin)


def slopes_at(counts: Numbers, gap: Numbers, margin: float | Numbers) -> Slopes:
    """Add up a win, a draw and a loss of each row, as often as it has them."""
    won, drawn, lost = counts.T
    parts = _win(gap, margin), _draw(gap, margin), _turned(_win(-gap, margin))
    columns = zip(*parts, strict=True)
    return Slopes(
        *(won * of_win + drawn * of_draw + lost * of_loss for of_win, of_draw, of_loss in columns)
    )


def _win(gap: Numbers, margin: float | Numbers) -> Slopes:
    lead = gap - margin
    rise = hazard(lead)
    bend = -rise * (lead + rise)
    return Slopes(log_chance(lead), rise, -rise, bend, -bend, bend)


def _turned(slopes: Slopes) -> Slopes:
    return slopes._replace(gap=-slopes.gap, gap_margin=-slopes.gap_margin)


def _draw(gap: Numbers, margin: float | Numbers) -> Slopes:
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
    return Slopes(
        value,
        side * (at_low - at_high),
        at_high + at_low,
        of_high + 2 * of_both + of_low,
        side * (of_low - of_high),
        of_high - 2 * of_both + of_low,
    )

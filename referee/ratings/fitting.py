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

from collections.abc import Callable, Collection, Mapping, Sequence
from math import exp, inf, log, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.ratings.methods import LATEST, Method
from referee.ratings.outcomes import Slopes, heights_at, slopes_at
from referee.ratings.pairs import ByPair, PairCount, counts_by_pair, numbers_of
from referee.ratings.probit import Numbers, chance, log_chance

MEAN: Final = 25.0
SPREAD: Final = 25 / 3
BETA: Final = 25 / 6
UNIT: Final = sqrt(2) * BETA
"""The noise in the difference of two performances, in points of the rating."""

_PRIOR: Final = (SPREAD / UNIT) ** 2
_WIDTHS: Final = tuple(0.75 * 1.5**step for step in range(12))
"""The widths of the prior that are tried, in points of the rating: up to 65."""
_MIDDLE: Final = 6
"""The place of the one that is tried first: 8.5."""
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
_LINES: Final = 64
"""How many lines are followed at once."""
_IMAGINED: Final = PairCount(1, 1, 1)
"""Duels between equals that are added, so that a margin fits best whatever was played."""
_START: Final = 0.43
"""The margin that fits the imagined duels alone."""
_STEPS: Final = 200
_FEW: Final = 200
"""Up to so many entrants a step is solved for directly."""
_GRADIENTS: Final = 30
"""How many conjugate gradients are tried."""
_CLOSE_STEP: Final = 1e-12
"""The square of the part of a step that may be left out."""
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
        """The share of a duel: all of one won, half of one drawn.

        With two sides, where no match ends level, that is the chance to win a match.
        """
        return self.win + self.draw / 2


class Duels(NamedTuple):
    """What was played, in columns; the last row is what is imagined."""

    size: int
    """How many skills there are."""
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    counts: Numbers
    """A row for each pairing: won, drawn, lost."""
    rows: NDArray[np.intp]
    """Those of each place, one place after the other."""
    begin: NDArray[np.intp]
    """Where those of each place begin in them."""

    def of(self, place: int) -> NDArray[np.intp]:
        """Return the rows of a place."""
        return self.rows[self.begin[place] : self.begin[place + 1]]


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
    anchors: Sequence[int]
    """The places of those whose mean is 25: of all who have played, unless some are chosen."""
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
        weights = tuple(top.weight for top in self.tops)
        return tuple(self.places), tuple(self.anchors), self.method, weights


class Fit(NamedTuple):
    """What the duels say about all entrants together."""

    ratings: Mapping[int, Rating]
    """About the mean of the anchors, which is 25; the prior for those that did not play."""
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
        tops = self._tops_that_matter
        total = sum(top.weight for top in tops)
        far = [_far_apart(self.found.duels, top, np.array([[one, two]])).item() for top in tops]
        return sum(top.weight * chance(each) for top, each in zip(tops, far, strict=True)) / total

    def surely_better(self, order: Sequence[int], needed: float) -> NDArray[np.bool_]:
        """Return, of each two in this order, whether `better` of the upper is more than needed.

        Where the curvature says that, all pairs are computed at once.
        """
        places = [self.places[entrant] for entrant in order]
        above = np.triu(np.ones((len(order), len(order)), dtype=np.bool_), 1)
        if not self.found.method.fitted_width:
            skills, covariance = np.array(self.skills), np.array(self.covariance)
            return above & (_chances(_aheads(skills, covariance, places)) > needed)
        if not order:
            return above
        tops = self._tops_that_matter
        total = sum(top.weight for top in tops)
        sure = sum(
            top.weight / total * _chances(_far(self.found.duels, top, places)) for top in tops
        )
        surely: NDArray[np.bool_] = above & (sure > needed)
        return surely

    @property
    def _tops_that_matter(self) -> Sequence[Top]:
        return [top for top in self.found.tops if top.weight > _LITTLE]

    def chances(self, entrant: int, other: int) -> Chances:
        """Return how a duel of two is likely to end; how unsure their skills are is part of it."""
        ahead, variance = self._ahead(entrant, other)
        noise = sqrt(1 + variance / UNIT**2)
        win, loss = (chance((gap / UNIT - self.margin) / noise) for gap in (ahead, 0.0 - ahead))
        return Chances(win, 1 - win - loss)

    def chances_in_field(self, field: Sequence[int]) -> dict[int, Chances]:
        """Return of each the mean of its `chances` against the others, if there are any."""
        others = len(field) - 1
        if others < 1:
            return {}
        places = [self.places[entrant] for entrant in field]
        skills = np.array(self.skills)[places]
        variances = _variances(np.array(self.covariance)[np.ix_(places, places)])
        leads = (skills[:, None] - skills) / UNIT - self.margin
        wins = _chances(leads / np.sqrt(1 + variances / UNIT**2))
        np.fill_diagonal(wins, 0.0)
        won, lost = (wins.sum(axis=axis) / others for axis in (1, 0))
        return {
            entrant: Chances(win, 1 - win - loss)
            for entrant, win, loss in zip(field, won.tolist(), lost.tolist(), strict=True)
        }

    def _ahead(self, entrant: int, other: int) -> tuple[float, float]:
        """Return how far an entrant is ahead of another, and the variance of that."""
        one, two = self.places[entrant], self.places[other]
        shared = self.covariance[one][two]
        variance = self.covariance[one][one] + self.covariance[two][two] - 2 * shared
        return self.skills[one] - self.skills[two], variance


def fit(
    entrants: Sequence[int],
    pairs: Pairs,
    effects: Effects | None = None,
    method: Method = LATEST,
    *,
    anchors: Collection[int] = (),
) -> Fit:
    """Fit the skills of all entrants, and the margin, to all their duels."""
    return summary(posterior(entrants, pairs, effects, method, anchors=anchors))


def posterior(
    entrants: Sequence[int],
    pairs: Pairs,
    effects: Effects | None = None,
    method: Method = LATEST,
    *,
    anchors: Collection[int] = (),
) -> Posterior:
    """Find the top under each width of the prior.

    Args:
        entrants: all of them.
        pairs: what came of their duels.
        effects: how many duels of a pairing say as much as one that depends on no other; 1 if it
            is not there.
        method: how the ratings are computed.
        anchors: by whose mean ratings are measured, as far as these have played; by that of all
            who have if nobody is named.
    """
    places = {entrant: place for place, entrant in enumerate(sorted(entrants))}
    duels = _columns(places, pairs, effects or {})
    played = np.unique([duels.first[:-1], duels.second[:-1]]).tolist()
    chosen = [place for entrant, place in places.items() if entrant in anchors]
    fixed = [place for place in chosen if place in {*played}] or played
    return Posterior(places, played, fixed, duels, _tops(duels, method), method)


def _tops(duels: Duels, method: Method) -> list[Top]:
    """Return the tops under all widths that count, each climbed to from one before."""
    point: Numbers = np.zeros(duels.size + 1)
    point[-1] = _START
    if not method.fitted_width:
        peak = highest_point(duels, point, _PRIOR)
        return [Top(1.0, peak.point, np.linalg.inv(peak.curvature), _PRIOR)]
    first = _under(duels, point, _WIDTHS[_MIDDLE])
    found, best = [first], first.evidence
    for widths in (reversed(_WIDTHS[:_MIDDLE]), _WIDTHS[_MIDDLE + 1 :]):
        # As evidence has one top among the widths, those beyond a negligible one are, too.
        last = first
        for width in widths:
            if exp(last.evidence - best) < _NEGLIGIBLE:
                break
            last = _under(duels, last.peak.point, width)
            found.append(last)
            best = max(best, last.evidence)
    total = sum(exp(each.evidence - best) for each in found)
    counting = [
        _under(duels, each.peak.point, each.width, _THERE)
        for each in sorted(found, key=lambda each: each.width)
        if exp(each.evidence - best) / total > _NEGLIGIBLE
    ]
    total = sum(exp(each.evidence - best) for each in counting)
    return [
        Top(
            exp(evidence - best) / total,
            peak.point,
            np.linalg.inv(peak.curvature),
            (width / UNIT) ** 2,
        )
        for width, evidence, peak in counting
    ]


class _Under(NamedTuple):
    """What was found under one width."""

    width: float
    evidence: float
    """How likely the duels are, as a logarithm."""
    peak: "Peak"


def _under(duels: Duels, start: Numbers, width: float, precision: float = _CLOSE) -> _Under:
    prior = (width / UNIT) ** 2
    peak = highest_point(duels, start, prior, precision)
    evidence = (
        peak.height
        - (np.linalg.slogdet(peak.curvature)[1] + duels.size * log(prior)) / 2
        - (log(width / _USUAL_WIDTH) / _UNUSUAL) ** 2 / 2
    )
    return _Under(width, float(evidence), peak)


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
    level = np.isin(played, found.anchors)
    centred = _centred(skills[played], covariance[np.ix_(played, played)], level)
    rated = dict(zip(played, centred, strict=True))
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


def _far_apart(duels: Duels, top: Top, pairs: NDArray[np.intp]) -> Numbers:
    """Return how far the first of each two is ahead, as far as the normal distribution goes.

    It goes by how much less likely everything is if the two are equal. Where they are nearly as
    good as each other, or far apart beyond doubt, the curvature says the same and is faster.
    """
    one, two = pairs.T
    change = top.inverse[one] - top.inverse[two]
    lines = np.arange(len(pairs))
    spread = np.sqrt(change[lines, one] - change[lines, two])
    ahead = (top.point[one] - top.point[two]) / spread
    near = (np.abs(ahead) > _ALIKE) & (np.abs(ahead) < _BEYOND_DOUBT)
    directions = change[near] / spread[near, None]
    beyond = beyond_curvature(duels, top.point, directions, -ahead[near, None])[:, 0]
    far: Numbers = ahead.copy()
    far[near] = np.sign(ahead[near]) * np.sqrt(np.maximum(0.0, ahead[near] ** 2 - 2 * beyond))
    return far


def beyond_curvature(duels: Duels, point: Numbers, directions: Numbers, at: Numbers) -> Numbers:
    """Return what heights along lines have that slope and curvature at the top do not say.

    Args:
        duels: what was played.
        point: the top.
        directions: a row for each line.
        at: a row for each line: how far from the top, in units of its direction.
    """
    line, row, change = _moving(duels, directions, np.abs(at).max(axis=1, initial=0.0))
    beyond: Numbers = np.zeros(at.shape)
    if not len(line):
        return beyond
    counts, gap = duels.counts[row], point[duels.first[row]] - point[duels.second[row]]
    margin, turn, away = float(point[-1]), directions[line, -1], at[line]
    at_top = slopes_at(counts, gap, margin)
    slope = at_top.gap * change + at_top.margin * turn
    bend = (
        at_top.gap_gap * change**2
        + 2 * turn * at_top.gap_margin * change
        + turn**2 * at_top.margin_margin
    )
    terms = heights_at(
        counts,
        gap[:, None] + away * change[:, None],
        np.maximum(margin + turn[:, None] * away, margin / 100),
    )
    terms -= at_top.value[:, None]
    terms -= slope[:, None] * away + bend[:, None] * away**2 / 2
    begin = np.flatnonzero(np.diff(line, prepend=-1))
    beyond[line[begin]] = np.add.reduceat(terms, begin, axis=0)
    return beyond


def _moving(
    duels: Duels, directions: Numbers, reach: Numbers
) -> tuple[NDArray[np.intp], NDArray[np.intp], Numbers]:
    """Return the rows whose gap changes by more than a little along lines, line by line.

    Where nobody moves by half as much, no gap does; in a large field hardly anybody but those whom
    the line is about does.

    Returns:
        Three columns: the line, the row, and how its gap changes.
    """
    far = np.abs(directions[:, :-1]) * reach[:, None] > _STILL / 2
    line, place = np.nonzero(far)
    rows = [duels.of(each) for each in place.tolist()]
    lengths = [*map(len, rows)]
    line, place = np.repeat(line, lengths), np.repeat(place, lengths)
    row = np.concatenate([duels.rows[:0], *rows])
    first = duels.first[row]
    change = directions[line, first] - directions[line, duels.second[row]]
    # A row of two that both move by so much is there twice.
    once = (place == first) | ~far[line, first]
    moves = once & (np.abs(change) * reach[line] > _STILL)
    return line[moves], row[moves], change[moves]


def _far(duels: Duels, top: Top, places: Sequence[int]) -> Numbers:
    """Return for each two, the first of them above, the same as `_far_apart`.

    Where nothing moves that the curvature does not tell, all pairs are computed at once.
    """
    far = _aheads(top.point, top.inverse, places)
    near = (np.abs(far) > _ALIKE) & (np.abs(far) < _BEYOND_DOUBT)
    followed = np.argwhere(np.triu(near & _may_move(top, places)))
    for begin in range(0, len(followed), _LINES):
        upper, lower = followed[begin : begin + _LINES].T
        pairs = np.array(places)[followed[begin : begin + _LINES]]
        far[upper, lower] = _far_apart(duels, top, pairs)
    return far


def _aheads(point: Numbers, covariance: Numbers, places: Sequence[int]) -> Numbers:
    """Return by how many standard errors each is ahead of each other."""
    skills = point[places]
    variances = _variances(covariance[np.ix_(places, places)])
    aheads: Numbers = (skills[:, None] - skills) / np.sqrt(variances)
    return aheads


def _variances(covariance: Numbers) -> Numbers:
    """Return the variance of each difference; 1 for that of each from itself, which is 0."""
    own = np.diag(covariance)
    variances: Numbers = own[:, None] + own - 2 * covariance
    np.fill_diagonal(variances, 1.0)
    return variances


def _may_move(top: Top, places: Sequence[int]) -> NDArray[np.bool_]:
    """Return of each two whether any gap may change by more than a little until they are equal.

    On the line on which two become equal, a gap is at most as far from its top as the two ends of
    the line are apart: those of whom it moves furthest up and furthest down.
    """
    inverse = top.inverse[:-1, :-1]
    least, most = (_of_others(inverse, *each)[places] for each in ((np.min, inf), (np.max, -inf)))
    shared = inverse[np.ix_(places, places)]
    own = np.diag(shared)
    up, down = own[:, None] - shared, shared - own
    highest = np.maximum(np.maximum(up, down), most[:, None] - least)
    lowest = np.minimum(np.minimum(up, down), least[:, None] - most)
    skills = top.point[places]
    reach = np.abs(skills[:, None] - skills) / _variances(shared)
    may_move: NDArray[np.bool_] = (highest - lowest) * reach > _STILL
    return may_move


def _of_others(matrix: Numbers, extreme: Callable[..., Numbers], without: float) -> Numbers:
    """Return the least or the most of each row but for what is on the diagonal."""
    others = matrix.copy()
    np.fill_diagonal(others, without)
    return extreme(others, axis=1)


def _chances(x: Numbers) -> Numbers:
    found: Numbers = np.exp(log_chance(x.ravel())).reshape(x.shape)
    return found


def _centred(skills: Numbers, covariance: Numbers, level: NDArray[np.bool_]) -> list[Rating]:
    """Measure skills from the mean of some: how good all are together, no duel among them tells."""
    if not len(skills):
        return []
    shared = covariance[level].mean(axis=0)
    variances = np.diag(covariance) - 2 * shared + shared[level].mean()
    means = MEAN + skills - skills[level].mean()
    return [
        Rating(*rating)
        for rating in zip(means.tolist(), np.sqrt(np.maximum(variances, 0)).tolist(), strict=True)
    ]


def better_in_pairs(pairs: Pairs, found: Fit, effects: Effects | None = None) -> ByPair[float]:
    """Return for each pairing the probability that A is better than B, by its own duels alone.

    The margin of draws and the width of the prior are the league's, as they belong to the game and
    to the field; all else is the pair's.
    """
    played = counts_by_pair(pairs)
    counts = _weighed(played, effects or {})
    gap, precision = np.zeros(len(counts)), (UNIT / found.width) ** 2 / 2
    for _ in range(_STEPS):
        slopes = slopes_at(counts, gap, found.margin)
        step = (slopes.gap - gap * precision) / (precision - slopes.gap_gap)
        gap += np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        if np.abs(step).max(initial=0.0) < _CLOSE:
            break
    top, even = (slopes_at(counts, each, found.margin) for each in (gap, np.zeros(len(counts))))
    if found.found.method.fitted_width:
        drop = 2 * (top.value - even.value) - gap * gap * precision
        far = np.sign(gap) * np.sqrt(np.maximum(drop, 0))
    else:
        far = gap * np.sqrt(precision - top.gap_gap)
    return ByPair(played.first, played.second, [_chances(far)], float)


def _columns(places: Mapping[int, int], pairs: Pairs, effects: Effects) -> Duels:
    """Put the pairings in a fixed order; the imagined duels are nobody's against itself."""
    nobody, played = len(places), counts_by_pair(pairs)
    counts = _weighed(played, effects)
    numbers = [*places]
    first, second = (
        np.append(np.searchsorted(numbers, each), nobody) for each in (played.first, played.second)
    )
    counts = np.vstack((counts, np.array([_IMAGINED], dtype=np.float64)))
    return indexed(nobody + 1, first, second, counts)


def _weighed(pairs: ByPair[PairCount], effects: Effects) -> Numbers:
    """Return the counts of each pairing, by how many duels that say as much as one."""
    return np.column_stack(pairs.columns) / numbers_of(pairs, effects, 1.0)[:, None]


def indexed(size: int, first: NDArray[np.intp], second: NDArray[np.intp], counts: Numbers) -> Duels:
    """Return columns with the rows of each place."""
    ends = np.concatenate([first, second])
    order = np.argsort(ends, kind="stable")
    begin = np.searchsorted(ends[order], np.arange(size + 1))
    return Duels(size, first, second, counts, order % len(first), begin)


class Peak(NamedTuple):
    """The top of what the duels and a prior say."""

    point: Numbers
    height: float
    curvature: Numbers
    """Less than a step of the required precision away."""


def highest_point(duels: Duels, start: Numbers, prior: float, precision: float = _THERE) -> Peak:
    """Climb to the top.

    Args:
        duels: what was played.
        start: where to begin.
        prior: the prior's variance.
        precision: the square of how far the last step may go, in standard errors.
    """
    point, slopes = start, _slopes(duels, start)
    for _ in range(_STEPS):
        slope, curvature = _derivatives(duels, slopes, prior)
        slope[:-1] -= point[:-1] / prior
        step = _step(curvature, slope)
        height, gain = _with_prior(slopes.value, point, prior), float(slope @ step)
        if gain < precision:
            break
        point, slopes = _higher(duels, point, step, (height, gain), prior)
    return Peak(point + step, height + gain / 2, curvature)


def _higher(
    duels: Duels, point: Numbers, step: Numbers, enough: tuple[float, float], prior: float
) -> tuple[Numbers, Slopes]:
    """Shorten a step until it leads up, and leaves a margin; return where it ends.

    Args:
        duels: what was played.
        point: where it begins.
        step: the whole of it.
        enough: the height there, and how much higher the step leads at first sight.
        prior: the prior's variance.
    """
    height, gain = enough
    share = 1.0
    while True:
        end = point + share * step
        if end[-1] > 0:
            slopes = _slopes(duels, end)
            there = _with_prior(slopes.value, end, prior)
            if gain < _CLOSE or there >= height + share * gain / 10:
                return end, slopes
        share /= 2


def _step(curvature: Numbers, slope: Numbers) -> Numbers:
    """Return the step to where the slope would be flat, if the curvature were the same there.

    Where there are many entrants and all have met, a few conjugate gradients come as close as is
    needed, as all entrants are about as well known. Where that is not so, it is solved directly.
    """
    step, rest = np.zeros(len(slope)), slope
    known = np.diag(curvature)
    direction = rest / known
    left = float(rest @ direction)
    enough = _CLOSE_STEP * left
    for _ in range(_GRADIENTS if len(slope) > _FEW else 0):
        if left <= enough:
            return step
        change = curvature @ direction
        length = left / float(direction @ change)
        step = step + length * direction
        rest = rest - length * change
        before, left = left, float(rest @ (rest / known))
        direction = rest / known + left / before * direction
    found: Numbers = np.linalg.solve(curvature, slope)
    return found


def _with_prior(values: Numbers, point: Numbers, prior: float) -> float:
    return float(values.sum()) - float(point[:-1] @ point[:-1]) / (2 * prior)


def _derivatives(duels: Duels, slopes: Slopes, prior: float) -> tuple[Numbers, Numbers]:
    """Return the slope of what the duels say, and the curvature of that with the prior."""
    first, second = duels.first, duels.second
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
    return slopes_at(duels.counts, point[duels.first] - point[duels.second], float(point[-1]))

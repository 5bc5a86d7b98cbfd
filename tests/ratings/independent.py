"""The rating's model written down a second time, plainly, to check the first one against."""

from collections.abc import Callable, Mapping
from functools import partial
from math import erf, erfc, log

from referee.ratings.pairs import PairCount

BETA = 25 / 6
SIGMA = 25 / 3
STEP = 1e-3

Point = list[float]
"""The skills of entrants 1, 2, ... about 0, and the draw margin; in rating points."""


def height(point: Point, pairs: Mapping[tuple[int, int], PairCount]) -> float:
    """Return the logarithm of how likely all of this is together, but for a constant."""
    *skills, margin = point
    total = -sum(skill**2 for skill in skills) / (2 * SIGMA**2)
    for (first, second), pair in pairs.items():
        total += _pair(skills[first - 1] - skills[second - 1], margin, pair)
    return total + _pair(0.0, margin, PairCount(1, 1, 1))


def _pair(gap: float, margin: float, pair: PairCount) -> float:
    above = erfc((margin - gap) / (2 * BETA)) / 2
    below = erfc((margin + gap) / (2 * BETA)) / 2
    between = (erf((margin - gap) / (2 * BETA)) + erf((margin + gap) / (2 * BETA))) / 2
    chances = zip(pair, (above, between, below), strict=True)
    return sum(count * log(chance) for count, chance in chances if count)


def top(entrants: int, pairs: Mapping[tuple[int, int], PairCount]) -> Point:
    """Climb along one coordinate at a time, by bisection on its slope, until none moves."""
    point = [0.0] * entrants + [1.0]
    moved = 1.0
    while moved > 1e-9:
        moved = 0.0
        for place in range(len(point)):
            least = 2 * STEP if place == entrants else -60.0
            best = _level(partial(_slope, point, place, pairs), least)
            moved = max(moved, abs(best - point[place]))
            point[place] = best
    return point


def _with(point: Point, place: int, value: float) -> Point:
    return [*point[:place], value, *point[place + 1 :]]


def _slope(
    point: Point, place: int, pairs: Mapping[tuple[int, int], PairCount], value: float
) -> float:
    ahead, behind = (height(_with(point, place, value + side * STEP), pairs) for side in (1, -1))
    return (ahead - behind) / (2 * STEP)


def _level(slope: Callable[[float], float], low: float) -> float:
    high = 60.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return low


def curvature(point: Point, pairs: Mapping[tuple[int, int], PairCount]) -> list[list[float]]:
    """Return how sharply the height falls off, by differences."""
    places = range(len(point))
    return [[_curve(point, row, column, pairs) for column in places] for row in places]


def _curve(
    point: Point, row: int, column: int, pairs: Mapping[tuple[int, int], PairCount]
) -> float:
    step = 1e-2
    moved = 0.0
    for side in (1, -1):
        for other in (1, -1):
            corner = list(point)
            corner[row] += side * step
            corner[column] += other * step
            moved += side * other * height(corner, pairs)
    return -moved / (4 * step**2)

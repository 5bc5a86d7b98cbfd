"""Where the true rating of an entrant lies, with 95 % certainty.

How sure a rating is may differ above and below it. Of a bot that beats all others nearly always,
duels say well how good it is at the least, and hardly how good it is at the most. So the chance of
what happened is followed from the top along the line on which the entrant's rating changes and all
else is as likely as it can be. Of an entrant that won everything, or lost everything, one end is
known only by what was assumed beforehand; it is left open.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from referee.ratings.fitting import MEAN, UNIT, Duels, Posterior, Top, beyond_curvature
from referee.ratings.probit import Numbers

_TAIL: Final = 0.025
_ONE_TAIL: Final = 0.05
"""Where the other end is open."""
_FAR: Final = 8.0
"""How far the line is followed, in standard errors."""
_NODES: Final = 21
_HALVINGS: Final = 50


class Interval(NamedTuple):
    """A range that holds the true rating with 95 % certainty; None where an end is open."""

    low: float | None
    high: float | None


class _Line(NamedTuple):
    """A rating under one width of the prior: how likely it is to be below each value."""

    weight: float
    values: Numbers
    below: Numbers


def intervals(found: Posterior) -> dict[int, Interval]:
    """Return the intervals of all entrants that played."""
    played = [*found.played]
    if not played:
        return {}
    means = [top.inverse[:, played].mean(axis=1) for top in found.tops]
    counted = frozenset(played)
    return {
        entrant: _interval(found, place, means)
        for entrant, place in found.places.items()
        if place in counted
    }


def _interval(found: Posterior, place: int, means: Sequence[Numbers]) -> Interval:
    lines = [_line(found, place, *each) for each in zip(found.tops, means, strict=True)]
    won, lost = _only(found.duels, place)
    tail = _ONE_TAIL if won or lost else _TAIL
    low = None if lost else MEAN + UNIT * _quantile(lines, tail)
    high = None if won else MEAN + UNIT * _quantile(lines, 1 - tail)
    return Interval(low, high)


def _only(duels: Duels, place: int) -> tuple[bool, bool]:
    """Return whether an entrant won all of its duels, and whether it lost all."""
    rows = duels.of(place)
    first = duels.first[rows] == place
    as_first = duels.counts[rows[first]].sum(axis=0)
    as_second = duels.counts[rows[~first]].sum(axis=0)
    won, drawn, lost = (as_first + as_second[::-1]).tolist()
    return not drawn + lost, not won + drawn


def _line(found: Posterior, place: int, top: Top, mean: Numbers) -> _Line:
    """Follow the rating of an entrant; `mean` is the covariance with that of all that played."""
    played = found.played
    moved = top.inverse[:, place] - mean
    spread = np.sqrt(moved[place] - moved[played].mean())
    direction = moved / spread
    heights = (
        _MATRIX @ beyond_curvature(found.duels, top.point, direction[None], _AT[None])[0]
        - _GRID**2 / 2
    )
    density = np.exp(heights - heights.max())
    below = np.concatenate(([0.0], np.cumsum(density[1:] + density[:-1])))
    rating = top.point[place] - top.point[played].mean()
    return _Line(top.weight, rating + spread * _GRID, below / below[-1])


def _quantile(lines: list[_Line], part: float) -> float:
    """Return the value that the rating is below with a certain probability."""
    low = min(float(line.values[0]) for line in lines)
    high = max(float(line.values[-1]) for line in lines)
    total = sum(line.weight for line in lines)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = sum(
            line.weight * float(np.interp(middle, line.values, line.below)) for line in lines
        )
        low, high = (middle, high) if below < part * total else (low, middle)
    return (low + high) / 2


def _interpolation(nodes: Numbers, grid: Numbers) -> Numbers:
    """Return the matrix that takes values at Chebyshev's nodes to those on a grid."""
    signs = (-1.0) ** np.arange(len(nodes))
    signs[[0, -1]] /= 2
    away = grid[:, None] - nodes
    same = away == 0
    terms = signs / np.where(same, 1, away)
    matrix: Numbers = terms / terms.sum(axis=1, keepdims=True)
    matrix[same.any(axis=1)] = same[same.any(axis=1)]
    return matrix


_AT: Final = _FAR * np.cos(np.pi * np.arange(_NODES) / (_NODES - 1))
_GRID: Final = np.linspace(-_FAR, _FAR, 321)
_MATRIX: Final = _interpolation(_AT, _GRID)

"""Where the true rating of an entrant lies, with 95 % certainty.

How sure a rating is may differ above and below it. Of a bot that beats all others nearly always,
duels say well how good it is at the least, and hardly how good it is at the most. So the chance of
what happened is followed from the top along the line on which the entrant's rating changes and all
else is as likely as it can be. Of an entrant that won everything, or lost everything, one end is
known only by what was assumed beforehand; it is left open.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.ratings.fitting import MEAN, UNIT, Duels, Posterior, Top, beyond_curvature
from referee.ratings.probit import Numbers

_TAIL: Final = 0.025
_ONE_TAIL: Final = 0.05
"""Where the other end is open."""
_FAR: Final = 8.0
"""How far the line is followed, in standard errors."""
_NEAR: Final = 0.5
"""Few nodes are enough where no gap changes by more than this along the whole of a line."""
_LINES: Final = 32
"""How many lines are followed at once."""
_HALVINGS: Final = 50
_LEAST: Final = 1e-12
"""The variance of the only anchor, which is 0 but for rounding."""


class RatingInterval(NamedTuple):
    """A range that holds the true rating with 95 % certainty; None where an end is open."""

    low: float | None
    high: float | None


class _Lines(NamedTuple):
    """How likely each rating is to be below each value, under one width of the prior."""

    weight: float
    ratings: Numbers
    spreads: Numbers
    below: Numbers
    """A row for each: at the places of the grid, in spreads from the rating."""

    def under(self, values: Numbers) -> Numbers:
        """Return for each how likely its rating is to be below a value."""
        at = np.clip(((values - self.ratings) / self.spreads + _FAR) / _STEP, 0, len(_GRID) - 1)
        left = np.minimum(at.astype(np.intp), len(_GRID) - 2)
        rows = np.arange(len(at))
        low, high = self.below[rows, left], self.below[rows, left + 1]
        found: Numbers = low + (at - left) * (high - low)
        return found


class _Nodes(NamedTuple):
    """Where lines are looked at, and what takes that to all places of the grid."""

    at: Numbers
    to_grid: Numbers


def intervals(found: Posterior) -> dict[int, RatingInterval]:
    """Return the intervals of all entrants that played."""
    played = np.array(found.played, np.intp)
    if not len(played):
        return {}
    lines = [_lines(found.duels, top, played, found.anchors) for top in found.tops]
    won, drawn, lost = _outcomes(found.duels)[played].T
    only_won, only_lost = drawn + lost == 0, won + drawn == 0
    tails = np.where(only_won | only_lost, _ONE_TAIL, _TAIL)
    lows, highs = (MEAN + UNIT * _quantiles(lines, parts) for parts in (tails, 1 - tails))
    entrants = [*found.places]
    return {
        entrants[place]: RatingInterval(None if all_lost else low, None if all_won else high)
        for place, low, high, all_won, all_lost in zip(
            found.played,
            *(each.tolist() for each in (lows, highs, only_won, only_lost)),
            strict=True,
        )
    }


def _outcomes(duels: Duels) -> Numbers:
    """Return how often each won, drew and lost: a row for each place."""
    as_first, as_second = (
        np.column_stack([np.bincount(of, each, duels.size) for each in duels.counts.T])
        for of in (duels.first, duels.second)
    )
    return np.asarray(as_first + as_second[:, ::-1], np.float64)


def _lines(duels: Duels, top: Top, played: NDArray[np.intp], anchors: Sequence[int]) -> _Lines:
    """Follow the ratings of all that played."""
    moved = top.inverse[:, played] - top.inverse[:, anchors].mean(axis=1, keepdims=True)
    spreads = np.sqrt(np.maximum(np.diag(moved[played]) - moved[anchors].mean(axis=0), _LEAST))
    heights = _heights(duels, top, (moved / spreads).T) - _GRID**2 / 2
    density = np.exp(heights - heights.max(axis=1, keepdims=True))
    below = np.zeros(density.shape)
    np.cumsum(density[:, 1:] + density[:, :-1], axis=1, out=below[:, 1:])
    ratings = top.point[played] - top.point[anchors].mean()
    return _Lines(top.weight, ratings, spreads, below / below[:, -1:])


def _heights(duels: Duels, top: Top, directions: Numbers) -> Numbers:
    """Return what the curvature at the top does not say, at all places of the grid."""
    heights = np.empty((len(directions), len(_GRID)))
    near = _FAR * np.ptp(directions[:, :-1], axis=1) < _NEAR
    for nodes, which in ((_FEW_NODES, near), (_NODES, ~near)):
        for some in _parts(np.flatnonzero(which)):
            at = np.broadcast_to(nodes.at, (len(some), len(nodes.at)))
            beyond = beyond_curvature(duels, top.point, directions[some], at)
            heights[some] = beyond @ nodes.to_grid.T
    return heights


def _parts(lines: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Yield some lines at a time."""
    return (lines[begin : begin + _LINES] for begin in range(0, len(lines), _LINES))


def _quantiles(lines: Sequence[_Lines], parts: Numbers) -> Numbers:
    """Return the values that the ratings are below with certain probabilities."""
    low: Numbers = np.min([line.ratings - _FAR * line.spreads for line in lines], axis=0)
    high: Numbers = np.max([line.ratings + _FAR * line.spreads for line in lines], axis=0)
    total = sum(line.weight for line in lines)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = sum(line.weight * line.under(middle) for line in lines)
        is_above = below < parts * total
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
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


def _nodes(count: int) -> _Nodes:
    """Return Chebyshev's nodes."""
    at = _FAR * np.cos(np.pi * np.arange(count) / (count - 1))
    return _Nodes(at, _interpolation(at, _GRID))


_STEP: Final = 0.05
_GRID: Final = np.linspace(-_FAR, _FAR, 321)
_NODES: Final = _nodes(21)
_FEW_NODES: Final = _nodes(9)
"""As exact, where no gap changes much along the line."""

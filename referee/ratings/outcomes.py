"""How likely wins, draws and losses are at a gap and a margin, and how that changes with either.

The logarithms of the chances are added up over rows of duels, each with its counts of outcomes.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.ratings.probit import Numbers, log_chance, log_chance_and_slope, log_density

_BLOCK: Final = 32_768
"""So many rows at a time stay in the processor's cache."""


class Slopes(NamedTuple):
    """The logarithm of a pairing's chance, and how it changes with the gap and with the margin."""

    value: Numbers
    gap: Numbers
    margin: Numbers
    gap_gap: Numbers
    gap_margin: Numbers
    margin_margin: Numbers


def slopes_at(counts: Numbers, gap: Numbers, margin: float | Numbers) -> Slopes:
    """Add up a win, a draw and a loss of each row, as often as it has them."""
    found = np.zeros((len(Slopes._fields), len(gap)))
    for begin in range(0, len(gap), _BLOCK):
        part = slice(begin, begin + _BLOCK)
        _add_slopes(
            found[:, part],
            counts[part],
            gap[part],
            margin if isinstance(margin, float) else margin[part],
        )
    return Slopes(*found)


def _add_slopes(found: Numbers, counts: Numbers, gap: Numbers, margin: float | Numbers) -> None:
    won, drawn, lost = (np.flatnonzero(often) for often in counts.T)
    # A loss is a win seen from the other side: both at once are half as many operations on arrays,
    # which is what a small league takes.
    either = np.concatenate((won, lost))
    sign = np.repeat((1.0, -1.0), (len(won), len(lost)))
    decided = _win(sign * gap[either], _at(margin, either))
    turned = decided._replace(gap=sign * decided.gap, gap_margin=sign * decided.gap_margin)
    parts = (
        (won, counts[won, 0], [each[: len(won)] for each in turned]),
        (drawn, counts[drawn, 1], _draw(gap[drawn], _at(margin, drawn))),
        (lost, counts[lost, 2], [each[len(won) :] for each in turned]),
    )
    for some, often, slopes in parts:
        for total, each in zip(found, slopes, strict=True):
            total[some] += often * each


def _at(margin: float | Numbers, some: NDArray[np.intp]) -> float | Numbers:
    return margin if isinstance(margin, float) else margin[some]


def heights_at(counts: Numbers, gap: Numbers, margin: Numbers) -> Numbers:
    """Return the `value` of slopes at gaps and margins of which each row has several."""
    found = np.zeros(gap.shape)
    for often, outcome in zip(counts.T, (_log_win, _log_draw, _log_loss), strict=True):
        some = np.flatnonzero(often)
        value = outcome(gap[some].ravel(), margin[some].ravel()).reshape(-1, gap.shape[1])
        found[some] += often[some, None] * value
    return found


def _log_win(gap: Numbers, margin: float | Numbers) -> Numbers:
    return log_chance(gap - margin)


def _log_loss(gap: Numbers, margin: float | Numbers) -> Numbers:
    return log_chance(-gap - margin)


def _log_draw(gap: Numbers, margin: float | Numbers) -> Numbers:
    """See the draw from the worse one's side, where both ends are small and none is lost."""
    away = np.abs(gap)
    below, above = np.split(log_chance(np.concatenate((margin - away, -margin - away))), 2)
    value: Numbers = below + np.log(-np.expm1(above - below))
    return value


def _win(gap: Numbers, margin: float | Numbers) -> Slopes:
    lead = gap - margin
    value, rise = log_chance_and_slope(lead)
    bend = -rise * (lead + rise)
    return Slopes(value, rise, -rise, bend, -bend, bend)


def _draw(gap: Numbers, margin: float | Numbers) -> Slopes:
    side = np.where(gap < 0, -1.0, 1.0)
    high, low = margin - np.abs(gap), -margin - np.abs(gap)
    value = _log_draw(gap, margin)
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

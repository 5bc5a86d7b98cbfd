"""The rating while a league runs: the `trueskill` package's update, duel by duel.

The package sends messages through a graph of factors; with two players that comes to one step,
which is written out here on the package's normal distribution and is thirty times faster.
"""

import warnings
from collections.abc import Iterable, Sequence
from math import exp, pi, sqrt
from typing import Final

from referee.ratings.columns import WonColumns, won_columns
from referee.ratings.fitting import BETA, MEAN, SPREAD, Rating
from referee.ratings.results import Result

with warnings.catch_warnings():
    # The package has a string with an escape that Python no longer knows.
    warnings.simplefilter("ignore")
    from trueskill import TrueSkill, calc_draw_margin  # type: ignore[import-untyped]
    from trueskill.backends import erfc  # type: ignore[import-untyped]

LEAST_DRAWS: Final = 0.01
"""At 0 the package makes nonsense of a draw."""
MOST_DRAWS: Final = 0.95
"""At 1 it cannot compute."""
_ROOT_OF_2: Final = sqrt(2)
_DENSITY: Final = sqrt(2 / pi)
"""Twice the density of the normal distribution at 0, as `erfc` is twice its part below."""


def live(
    entrants: Sequence[int], results: WonColumns | Iterable[Result], draws: float
) -> dict[int, Rating]:
    """Rate all entrants by one duel after the other, in the order given.

    Args:
        entrants: Everybody who may be in the results.
        results: In the order they are to count in, which matters.
        draws: The chance that two equals draw, by the last fit.
    """
    means, variances = dict.fromkeys(entrants, MEAN), dict.fromkeys(entrants, SPREAD**2)
    chance = min(max(draws, LEAST_DRAWS), MOST_DRAWS)
    margin = calc_draw_margin(chance, 2, TrueSkill(MEAN, SPREAD, BETA, 0.0, chance))
    first, second, _, wins = (column.tolist() for column in won_columns(results))
    for one, other, won in zip(first, second, wins, strict=True):
        better, worse = (other, one) if won == 0 else (one, other)
        of_better, of_worse = variances[better], variances[worse]
        whole = of_better + of_worse + 2 * BETA**2
        noise = sqrt(whole)
        gap, least = (means[better] - means[worse]) / noise, margin / noise
        shift, shrink = _drawn(gap, least) if won == 1 else _won(gap - least)
        means[better] += of_better / noise * shift
        means[worse] -= of_worse / noise * shift
        variances[better] -= of_better * of_better / whole * shrink
        variances[worse] -= of_worse * of_worse / whole * shrink
    return {each: Rating(means[each], sqrt(variances[each])) for each in entrants}


# How far the means move, and how much the variances shrink. Where a result is so near to certain or
# to impossible that the package gives up, these are the limits: nothing is learnt from the one, and
# all there is to learn from the other.


def _won(lead: float) -> tuple[float, float]:
    likely = erfc(-lead / _ROOT_OF_2)
    shift = _DENSITY * exp(-lead * lead / 2) / likely if likely else -lead
    shrink = shift * (shift + lead)
    return shift, shrink if 0 < shrink < 1 else float(bool(shift))


def _drawn(gap: float, margin: float) -> tuple[float, float]:
    away = abs(gap)
    high, low = margin - away, -margin - away
    likely = erfc(-high / _ROOT_OF_2) - erfc(-low / _ROOT_OF_2)
    at_high, at_low = _DENSITY * exp(-high * high / 2), _DENSITY * exp(-low * low / 2)
    shift = (at_low - at_high) / likely if likely else high
    shrink = shift * shift + (high * at_high - low * at_low) / likely if likely else 1.0
    return -shift if gap < 0 else shift, shrink

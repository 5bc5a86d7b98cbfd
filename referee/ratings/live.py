"""The rating while a league runs: the `trueskill` package's update, duel by duel.

The package sends messages through a graph of factors; with two players that comes to one step,
which is written out here on the package's own functions and is ten times faster.
"""

import warnings
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from referee.ratings.fitting import BETA, MEAN, SPREAD, Rating
from referee.ratings.results import Result

with warnings.catch_warnings():
    # The package has a string with an escape that Python no longer knows.
    warnings.simplefilter("ignore")
    from trueskill import TrueSkill, calc_draw_margin  # type: ignore[import-untyped]

LEAST_DRAWS: Final = 0.01
"""At 0 the package makes nonsense of a draw."""
MOST_DRAWS: Final = 0.95
"""At 1 it cannot compute."""


def live(entrants: Sequence[int], results: Iterable[Result], draws: float) -> dict[int, Rating]:
    """Rate all entrants by one duel after the other, in the order given.

    Args:
        entrants: Everybody who may be in the results.
        results: In the order they are to count in, which matters.
        draws: The chance that two equals draw, by the last fit.
    """
    ratings = dict.fromkeys(entrants, Rating(MEAN, SPREAD))
    chance = min(max(draws, LEAST_DRAWS), MOST_DRAWS)
    package = TrueSkill(MEAN, SPREAD, BETA, 0.0, chance)
    margin = calc_draw_margin(chance, 2, package)
    for first, second, _, wins, *_ in results:
        better, worse = (second, first) if wins == 0 else (first, second)
        rated = _rated(package, margin, wins == 1, ratings[better], ratings[worse])
        ratings[better], ratings[worse] = rated
    return ratings


def _rated(
    package: TrueSkill, margin: float, drawn: bool, winner: Rating, loser: Rating
) -> tuple[Rating, Rating]:
    noise = sqrt(winner.spread**2 + loser.spread**2 + 2 * BETA**2)
    gap = (winner.mean - loser.mean) / noise
    shift, shrink = _moved(package, drawn, gap, margin / noise)
    return _updated(winner, noise, shift, shrink), _updated(loser, noise, -shift, shrink)


def _updated(rating: Rating, noise: float, shift: float, shrink: float) -> Rating:
    mean, spread = rating
    return Rating(
        mean + spread * spread / noise * shift, spread * sqrt(1 - (spread / noise) ** 2 * shrink)
    )


def _moved(package: TrueSkill, drawn: bool, gap: float, margin: float) -> tuple[float, float]:
    """Return how far the means move and how much the spreads shrink.

    Where a result is so near to certain or to impossible that the package gives up, these are the
    limits: nothing is learnt from the one, and all there is to learn from the other.
    """
    of_mean, of_spread = (
        (package.v_draw, package.w_draw) if drawn else (package.v_win, package.w_win)
    )
    shift = of_mean(gap, margin)
    try:
        return shift, of_spread(gap, margin)
    except FloatingPointError:
        return shift, float(bool(shift))

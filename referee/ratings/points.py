"""Points per hand: what one entrant wins on the same deals, and how sure that is.

A hand counts if it was played out in both rooms of its duel, so luck of the deal falls out. Hands
of one duel hang together, so the error is taken over duels.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from referee.engine.record import MatchRecord

_WIDTH: Final = NormalDist().inv_cdf(0.975)


class Margin(NamedTuple):
    """Points per hand, with the half of its 95 % interval; None where there are too few duels."""

    mean: float | None
    plus_or_minus: float | None
    hands: int


def hand_margins(rooms: tuple[MatchRecord, MatchRecord]) -> list[float]:
    """Give, for each hand dealt in both rooms, half of A's net points over both."""
    opened, closed = rooms
    margins = []
    for in_open, in_closed in zip(opened.hands, closed.hands, strict=False):
        (north_south, east_west), (others, ours) = in_open.result.points, in_closed.result.points
        margins.append((north_south - east_west + ours - others) / 2)
    return margins


def points_per_hand(duels: Sequence[tuple[MatchRecord, MatchRecord]]) -> Margin:
    """Estimate what A wins in a hand."""
    sums = [(sum(margins), len(margins)) for margins in map(hand_margins, duels)]
    hands = sum(count for _, count in sums)
    if not hands:
        return Margin(None, None, 0)
    mean = sum(total for total, _ in sums) / hands
    counted = sum(1 for _, count in sums if count)
    if counted < 2:
        return Margin(mean, None, hands)
    spread = sum((total - mean * count) ** 2 for total, count in sums)
    error = sqrt(spread * counted / (counted - 1)) / hands
    return Margin(mean, _WIDTH * error, hands)

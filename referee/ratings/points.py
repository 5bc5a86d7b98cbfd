"""Points per hand: what one entrant wins on the same deals, and how sure that is.

A hand counts if it was played out in both rooms of its duel, so luck of the deal falls out.
"""

from typing import NamedTuple

from referee.engine.record import MatchRecord
from referee.ratings import student


class Margin(NamedTuple):
    """Points per hand, with the half of its 95 % interval; None where there are too few duels."""

    mean: float | None
    plus_or_minus: float | None
    hands: int
    freedom: int = 0
    """The degrees of freedom the interval was made with: about as many as there are duels."""

    @property
    def error(self) -> float | None:
        """The standard error of the mean."""
        return (
            None if self.plus_or_minus is None else self.plus_or_minus / student.width(self.freedom)
        )


def hand_margins(rooms: tuple[MatchRecord, MatchRecord]) -> list[float]:
    """Return, for each hand dealt in both rooms, half of A's net points over both."""
    opened, closed = rooms
    margins = []
    for in_open, in_closed in zip(opened.hands, closed.hands, strict=False):
        (north_south, east_west), (others, ours) = in_open.result.points, in_closed.result.points
        margins.append((north_south - east_west + ours - others) / 2)
    return margins


def identical_hands(rooms: tuple[MatchRecord, MatchRecord]) -> int:
    """Return how many of the hands dealt in both rooms were played alike, by every call and card.

    In one room A sits where B sits in the other, so two that always decide alike play all hands so.
    """
    opened, closed = rooms
    both = zip(opened.hands, closed.hands, strict=False)
    return sum(in_open.actions == in_closed.actions for in_open, in_closed in both)


def turned(margin: Margin) -> Margin:
    """Return the same from B's side."""
    mean, plus_or_minus, hands, freedom = margin
    return margin if mean is None else Margin(0.0 - mean, plus_or_minus, hands, freedom)


def ahead(margin: Margin) -> float:
    """Return the probability that the true mean is above 0; a half where nothing is known."""
    if margin.mean is None or margin.error is None:
        return 0.5
    if not margin.error:
        return 0.5 + (margin.mean > 0) / 2 - (margin.mean < 0) / 2
    return student.chance(margin.mean / margin.error, margin.freedom)

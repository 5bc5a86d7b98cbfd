"""Points per hand: what one entrant wins on the same deals, and how sure that is.

A hand counts if it was played out in all rooms of its duel, so luck of the deal falls out.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.engine.cards import Side
from referee.engine.record import HandRecord, MatchRecord
from referee.engine.seating import sides_of
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


def hand_margins(rooms: Sequence[MatchRecord]) -> list[float]:
    """Return, for each hand dealt in all rooms, what A won with it, in points.

    That is, on average over the rooms, the mean of what its sides scored less that of B's.
    """
    game = rooms[0].game
    seatings = [[sides_of(game, room, entrant) for entrant in (0, 1)] for room in range(len(rooms))]
    return [
        sum(
            _mean(hand.result.points, ours) - _mean(hand.result.points, theirs)
            for hand, (ours, theirs) in zip(hands, seatings, strict=True)
        )
        / len(rooms)
        for hands in _in_all(rooms)
    ]


def _mean(points: Sequence[int], sides: Sequence[Side]) -> float:
    return sum(points[side] for side in sides) / len(sides)


def _in_all(rooms: Sequence[MatchRecord]) -> Iterator[tuple[HandRecord, ...]]:
    """Yield the hands dealt in all rooms: each as it was played in every one."""
    return zip(*(record.hands for record in rooms), strict=False)


def identical_hands(rooms: Sequence[MatchRecord]) -> int:
    """Return how many of the hands dealt in all rooms were played alike, by every action.

    A sits in one room where B sits in another, so two that always decide alike play all hands so.
    """
    return sum(all(hand.actions == hands[0].actions for hand in hands) for hands in _in_all(rooms))


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

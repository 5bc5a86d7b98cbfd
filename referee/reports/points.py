"""Points per hand, and how sure they are, as every report tells them."""

from typing_extensions import TypedDict

from referee.ratings.points import Margin


class Points(TypedDict):
    """Points per hand, with the half of their 95 % interval; None where there are too few duels."""

    mean: float | None
    plus_or_minus: float | None
    hands: int
    freedom: int
    """The degrees of freedom the interval was made with."""


def points(margin: Margin) -> Points:
    """Return points per hand."""
    return {
        "mean": margin.mean,
        "plus_or_minus": margin.plus_or_minus,
        "hands": margin.hands,
        "freedom": margin.freedom,
    }

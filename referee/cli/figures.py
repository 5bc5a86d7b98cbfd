"""How points and chances are written for people."""

from typing import Final

from referee.ratings.fitting import Chances
from referee.ratings.points import Margin

NONE: Final = "-"
_LEAST, _MOST = 0.001, 0.999


def chances(found: Chances | None) -> str:
    """Write how likely it is to win a duel, and a match of one."""
    return NONE if found is None else f"{chance(found.win)}, {chance(found.match)}"


def points(margin: Margin) -> str:
    """Write points a hand with the half of their 95 % interval, as far as they are known."""
    return " ".join(points_in_parts(margin)) or NONE


def points_in_parts(margin: Margin) -> list[str]:
    """Write the points and their uncertainty apart."""
    mean = [] if margin.mean is None else [f"{margin.mean:+.3f}"]
    half = [] if margin.plus_or_minus is None else [f"± {margin.plus_or_minus:.3f}"]
    return [*mean, *half]


def share_alike(share: float | None) -> str:
    """Write the share of hands that were played alike, where that was counted."""
    return "" if share is None else f"={share:.1%}"


def chance(probability: float | None) -> str:
    """Write a probability; none that was found from play is called certain."""
    if probability is None:
        return NONE
    if probability < _LEAST:
        return f"<{_LEAST:.1%}"
    return f">{_MOST:.1%}" if probability > _MOST else f"{probability:.1%}"

"""How numbers and moments are written on a page."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from markupsafe import Markup

from referee.ratings.points import Margin

NONE: Final = "–"
_LEAST, _MOST = 0.001, 0.999


def signed(number: float | None, places: int = 2) -> str:
    """Write what may be below zero."""
    if number is None:
        return NONE
    return f"{number:+z.{places}f}".replace("-", "−")


def margin(points: Margin) -> str:
    """Write points a hand with the half of their 95 % interval, as far as they are known."""
    half = "" if points.plus_or_minus is None else f" ± {points.plus_or_minus:.2f}"
    return f"{signed(points.mean)}{half}"


def chance(probability: float | None) -> str:
    """Write a probability; none that was found from play is called certain."""
    if probability is None:
        return NONE
    if probability < _LEAST:
        return "<0.1 %"
    return ">99.9 %" if probability > _MOST else f"{probability * 100:.1f} %"


def share(of_one: float | None) -> str:
    """Write how often something is."""
    return NONE if of_one is None else f"{of_one * 100:.1f} %"


def milliseconds(seconds: float | None) -> str:
    """Write how long a decision took."""
    return NONE if seconds is None else f"{seconds * 1000:.1f}"


def moment(at: datetime) -> Markup:
    """Write a moment, so that a program can read it too."""
    return Markup('<time datetime="{}">{} UTC</time>').format(
        at.isoformat(timespec="seconds"), f"{at:%Y-%m-%d %H:%M}"
    )


def duration(seconds: float) -> str:
    """Write about how long something takes."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 60:
        return f"about {minutes} min"
    hours = round(seconds / 3600)
    return f"about {hours} h" if hours < 48 else f"about {round(hours / 24)} days"


def points(number: float) -> str:
    """Write how many points something is worth."""
    return f"{number:g} point{'' if number == 1 else 's'}"


def spoken(note: str) -> str:
    """Return a token as a person would."""
    return note.replace("_", " ")


FILTERS: Final[dict[str, Callable[..., object]]] = {
    "signed": signed,
    "margin": margin,
    "chance": chance,
    "share": share,
    "milliseconds": milliseconds,
    "moment": moment,
    "duration": duration,
    "points": points,
    "spoken": spoken,
}

"""How names, numbers and times are written on a page."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Final

from markupsafe import Markup

from referee.ratings.points import Margin
from referee.text import plain

NONE: Final = "–"
_LEAST, _MOST = 0.001, 0.999
_LONGEST_NAME: Final = 48


def short_name(name: str) -> str:
    """Return a name that a stranger chose without unprintable letters, cut if it is long."""
    printable = plain(name[: _LONGEST_NAME + 1])
    return printable if len(printable) <= _LONGEST_NAME else f"{printable[: _LONGEST_NAME - 1]}…"


@lru_cache(maxsize=2048)
def name_html(name: str) -> Markup:
    """Return a short name as HTML; whichever way its letters run, its neighbours stay in place."""
    return Markup("<bdi>{}</bdi>").format(short_name(name))


def signed(number: float | None, places: int = 2) -> str:
    """Return a number with its sign."""
    if number is None:
        return NONE
    return f"{number:+z.{places}f}".replace("-", "−")


def score(points: int) -> str:
    """Return points, which may be negative."""
    return str(points).replace("-", "−")


def scores(points: Iterable[int]) -> str:
    """Return the points of all sides: with a dash between, or with commas if some are negative."""
    each = [*points]
    return (", " if min(each) < 0 or len(each) > 2 else "–").join(map(score, each))


def margin(points: Margin) -> str:
    """Return points per hand with half of their 95 % interval, as far as they are known."""
    half = "" if points.plus_or_minus is None else f" ± {points.plus_or_minus:.2f}"
    return f"{signed(points.mean)}{half}"


def probability(value: float | None) -> str:
    """Return an estimated probability in percent; it is never written as 0 or 100."""
    if value is None:
        return NONE
    if value < _LEAST:
        return "<0.1 %"
    return ">99.9 %" if value > _MOST else f"{value * 100:.1f} %"


def percentage(share: float | None) -> str:
    """Return a counted share in percent."""
    return NONE if share is None else f"{share * 100:.1f} %"


def milliseconds(seconds: float | None) -> str:
    """Return a time in milliseconds."""
    return NONE if seconds is None else f"{seconds * 1000:.1f}"


def timestamp(at: datetime) -> Markup:
    """Return a time as HTML that programs can read, too."""
    return Markup('<time datetime="{}">{} UTC</time>').format(
        at.isoformat(timespec="seconds"), f"{at:%Y-%m-%d %H:%M}"
    )


def duration(seconds: float) -> str:
    """Return about how long something takes."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 60:
        return f"about {minutes} min"
    hours = round(seconds / 3600)
    return f"about {hours} h" if hours < 48 else f"about {round(hours / 24)} days"


def points(number: float) -> str:
    """Return a number of points with its unit."""
    return f"{number:g} point{'' if number == 1 else 's'}"


def capitalised(message: str) -> str:
    """Return a message with a capital first, as it begins on a page."""
    return f"{message[:1].upper()}{message[1:]}"


def words(token: str) -> str:
    """Return a token such as ``ordered_up`` as words."""
    return token.replace("_", " ")


FILTERS: Final[dict[str, Callable[..., object]]] = {
    each.__name__: each
    for each in (
        *(short_name, name_html, signed, score, scores, margin, probability, percentage),
        *(milliseconds, timestamp, duration, points, words),
    )
}
"""The filters of the templates."""

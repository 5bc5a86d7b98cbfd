"""Adds assignments to a course, as an organiser writes them."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from referee.errors import ConfigError
from referee.hosting.choices import chosen_word
from referee.hosting.invitations import checked_name
from referee.store.assignments import add_assignment
from referee.store.database import Store
from referee.store.hosting_models import COUNTS, By, Ladder, NewAssignment, Threshold
from referee.store.ladders import ladder, ladder_entrants
from referee.timespan import timespan

_CONFIDENCE: Final = 0.95
_THRESHOLD: Final = re.compile(
    r"([A-Za-z0-9][A-Za-z0-9_.-]{0,39})=(\d{1,4}(?:\.\d{1,3})?)(?:@(0\.\d{1,4}))?"
)


class WrittenAssignment(NamedTuple):
    """An assignment as text."""

    name: str
    ladder: str
    due: str
    beat: Sequence[str]
    """The thresholds."""
    grace: str = "0s"
    counts: str = "last"
    group: str | None = None


def assign(store: Store, written: WrittenAssignment, by: By) -> NewAssignment:
    """Add an assignment, and return it.

    Raises:
        ConfigError: something in it cannot be, or there is one of that name.
    """
    on = ladder(store, written.ladder)
    new = NewAssignment(
        checked_name(written.name),
        checked_name(written.group) if written.group else None,
        _due(written.due),
        _grace(written.grace),
        chosen_word(written.counts, "way to count submissions", COUNTS),
        tuple(_threshold(each) for each in written.beat),
    )
    _refuse_others(store, on, new.thresholds)
    add_assignment(store, new, on, by)
    return new


def _due(text: str) -> datetime:
    """Return when something is due: a day, which ends it, or a day and a time, in UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(
            f"a due date is as 2026-05-04, or 2026-05-04T18:00, in UTC; not {text[:40]!r}"
        ) from None
    if len(text) == len("2026-05-04"):
        found += timedelta(hours=23, minutes=59, seconds=59)
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def _grace(text: str) -> timedelta:
    found = timespan(text)
    if found is None:
        raise ConfigError(f"the grace is a time, as 90s, 2h or 1d; not {text[:40]!r}")
    return found


def _threshold(text: str) -> Threshold:
    """Return a threshold: ``steady=80@0.9`` is 80 points for who beats steady by that chance."""
    found = _THRESHOLD.fullmatch(text)
    chance = float((found and found[3]) or _CONFIDENCE)
    if found is None or not 0.5 <= chance < 1:
        raise ConfigError(
            f"a threshold is BOT=POINTS, or BOT=POINTS@CHANCE, as in steady=80@0.95; not "
            f"{text[:80]!r}"
        )
    return Threshold(float(found[2]), found[1], chance)


def _refuse_others(store: Store, on: Ladder, thresholds: Sequence[Threshold]) -> None:
    """Refuse thresholds of bots that are no house bots: nobody could be measured by them."""
    house = {each.bot.name for each in ladder_entrants(store, on) if each.account is None}
    for each in thresholds:
        if each.bot not in house:
            names = " or ".join(sorted(house))
            advice = f"choose {names}" if names else "that ladder has none"
            raise ConfigError(f"{each.bot} is no house bot of {on.name}; {advice}")

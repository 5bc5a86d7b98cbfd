"""How much an author may hand in; pure."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from referee.errors import ConfigError
from referee.store.hosting_models import Usage
from referee.text import counted

_DAY: Final = timedelta(days=1)


class Quota(NamedTuple):
    """How much an author may hand in."""

    in_flight: int
    """Submissions that are not examined yet, at most."""
    daily: int
    """Submissions in a day, at most."""
    active: int
    """Bots on a ladder, at most."""


class QuotaError(ConfigError):
    """A quota is used up; it says when there is more."""


def refuse_beyond(quota: Quota, usage: Usage, name: str, now: datetime) -> None:
    """Refuse one more submission where a quota is used up.

    Args:
        quota: how much may be handed in.
        usage: how much was.
        name: the name of the bot, which may be a new version of one that plays.
        now: when that is.

    Raises:
        QuotaError: it is.
    """
    if usage.in_flight >= quota.in_flight:
        waiting = counted(usage.in_flight, "submission")
        raise QuotaError(f"{waiting} of yours waits to be examined; hand in more after that")
    resets = resets_at(quota, usage)
    if resets is not None and resets > now:
        raise QuotaError(
            f"you have handed in {counted(len(usage.lately), 'bot')} in a day, and {quota.daily} "
            f"are allowed; the next one from {resets:%Y-%m-%d %H:%M} UTC"
        )
    refuse_more_active(quota, {*usage.active} - {name})


def refuse_more_active(quota: Quota, others: Collection[str]) -> None:
    """Refuse one more bot where as many others of an author play as may.

    Raises:
        QuotaError: they do.
    """
    if len(others) >= quota.active:
        playing = ", ".join(sorted(others))
        raise QuotaError(
            f"{counted(len(others), 'bot')} of yours play ({playing}), and {quota.active} may; let "
            "one of them rest, or hand in a new version of it"
        )


def resets_at(quota: Quota, usage: Usage) -> datetime | None:
    """Return when the next submission is allowed by the quota of a day; None if one is now."""
    if len(usage.lately) < quota.daily:
        return None
    return usage.lately[-quota.daily] + _DAY

"""How much an author may hand in, and what she is told when that is used up."""

from datetime import UTC, datetime, timedelta

import pytest

from referee.hosting.quotas import Quota, QuotaError, refuse_beyond, resets_at
from referee.store.hosting_models import Usage

NOW = datetime(2026, 9, 1, 8, tzinfo=UTC)
QUOTA = Quota(in_flight=1, daily=3, active=2)


def ago(*hours: int) -> tuple[datetime, ...]:
    return tuple(NOW - timedelta(hours=each) for each in hours)


def refused(usage: Usage, name: str = "mine") -> str:
    with pytest.raises(QuotaError) as error:
        refuse_beyond(QUOTA, usage, name, NOW)
    return str(error.value)


def test_what_is_below_every_quota_is_taken() -> None:
    refuse_beyond(QUOTA, Usage(0, ago(5, 3), ("other",)), "mine", NOW)


def test_who_waits_for_an_examination_hands_in_no_more() -> None:
    says = "1 submission of yours waits to be examined; hand in more after that"
    assert refused(Usage(1, (), ())) == says


def test_the_quota_of_a_day_says_when_there_is_more() -> None:
    assert refused(Usage(0, ago(20, 3, 1), ())) == (
        "you have handed in 3 bots in a day, and 3 are allowed; the next one from "
        "2026-09-01 12:00 UTC"
    )


def test_the_quota_of_a_day_ends_when_it_says() -> None:
    usage = Usage(0, ago(24, 3, 1), ())
    assert resets_at(QUOTA, usage) == NOW
    refuse_beyond(QUOTA, usage, "mine", NOW)


def test_a_quota_that_was_made_smaller_counts_the_latest() -> None:
    assert resets_at(QUOTA, Usage(0, ago(23, 22, 3, 2, 1), ())) == NOW + timedelta(hours=21)


def test_no_more_bots_play_than_may() -> None:
    assert refused(Usage(0, (), ("other", "third"))) == (
        "2 bots of yours play (other, third), and 2 may; let one of them rest, or hand in a new "
        "version of it"
    )


def test_a_new_version_of_a_bot_that_plays_is_no_bot_more() -> None:
    refuse_beyond(QUOTA, Usage(0, (), ("other", "mine")), "mine", NOW)

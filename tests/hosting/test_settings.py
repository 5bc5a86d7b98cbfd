"""What the organiser chooses for a host, and how much an author may hand in."""

from datetime import timedelta

import pytest

from referee.errors import ConfigError
from referee.hosting.quotas import Quota, QuotaError, refuse_beyond, resets_at
from referee.hosting.settings import DEFAULTS, change_setting, host_settings
from referee.store.audit import set_setting
from referee.store.database import Store
from referee.store.hosting_models import Usage
from tests.hosting.conftest import HOST, NOW

QUOTA = Quota(in_flight=1, daily=3, active=2)
NOTHING = Usage(0, (), ())


def test_a_host_has_defaults(store: Store) -> None:
    assert host_settings(store) == DEFAULTS
    assert not DEFAULTS.open_registration


def test_a_setting_is_kept(store: Store) -> None:
    assert change_setting(store, "daily", "5", HOST).daily == 5
    assert change_setting(store, "open_registration", "on", HOST).open_registration
    assert host_settings(store).daily == 5


def test_an_empty_text_is_the_default(store: Store) -> None:
    change_setting(store, "daily", "5", HOST)
    assert change_setting(store, "daily", "", HOST) == DEFAULTS


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("dayly", "5", "choose daily"),
        ("secret_key", "5", "there is no setting"),
        ("daily", "many", "whole number from 1"),
        ("daily", "0", "whole number from 1"),
        ("daily", "9" * 7, "whole number from 1"),
        ("open_registration", "yes", "on or off"),
    ],
)
def test_what_is_no_setting_is_refused(store: Store, name: str, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        change_setting(store, name, text, HOST)


def test_a_value_that_a_program_put_there_is_not_believed(store: Store) -> None:
    set_setting(store, "daily", "five", HOST)
    set_setting(store, "files", -1, HOST)
    assert host_settings(store) == DEFAULTS


def test_who_has_handed_in_nothing_may(store: Store) -> None:
    del store
    refuse_beyond(QUOTA, NOTHING, "mine", NOW)


def test_one_submission_at_a_time_is_examined() -> None:
    with pytest.raises(QuotaError, match="1 submission of yours waits"):
        refuse_beyond(QUOTA, NOTHING._replace(in_flight=1), "mine", NOW)


def test_the_quota_of_a_day_says_when_there_is_more() -> None:
    lately = tuple(NOW - timedelta(hours=hours) for hours in (20, 5, 1))
    used = NOTHING._replace(lately=lately)
    with pytest.raises(QuotaError, match="3 are allowed; the next one from 2026-09-01 12:00 UTC"):
        refuse_beyond(QUOTA, used, "mine", NOW)
    assert resets_at(QUOTA, used) == lately[0] + timedelta(days=1)


def test_below_the_quota_of_a_day_nothing_is_waited_for() -> None:
    assert resets_at(QUOTA, NOTHING._replace(lately=(NOW, NOW))) is None


def test_more_bots_than_may_play_are_refused_but_not_new_versions() -> None:
    used = NOTHING._replace(active=("mine", "yours"))
    with pytest.raises(QuotaError, match=r"2 bots of yours play \(mine, yours\), and 2 may"):
        refuse_beyond(QUOTA, used, "third", NOW)
    refuse_beyond(QUOTA, used, "mine", NOW)

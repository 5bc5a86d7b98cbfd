"""What the organiser chooses for a host, and how much an author may hand in."""

import pytest

from referee.errors import ConfigError
from referee.hosting.settings import DEFAULTS, change_setting, host_settings
from referee.store.audit import set_setting
from referee.store.damage import damage
from referee.store.database import Store
from tests.hosting.conftest import HOST


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


def test_a_number_among_the_settings_is_no_damage_of_the_store(store: Store) -> None:
    change_setting(store, "daily", "5", HOST)
    change_setting(store, "build_network", "on", HOST)
    assert damage(store) == ""

"""What can be chosen at a euchre table, and how anything else is refused."""

import pytest

from referee.engine.euchre import EuchreRules
from referee.engine.registry import preset
from referee.errors import ConfigError
from tests.table import euchre, target_of


def test_the_defaults_are_alone_a_stuck_dealer_and_ten_points() -> None:
    assert euchre().rules == EuchreRules(
        alone=True, stick_dealer=True, partner_must_go_alone=False, target=10
    )


def test_the_course_game_is_without_alone() -> None:
    assert preset("euchre-280").game().rules == EuchreRules(
        alone=False, stick_dealer=True, partner_must_go_alone=False, target=10
    )


@pytest.mark.parametrize(("name", "dealer"), [("euchre", 3), ("euchre-280", 0)])
def test_each_preset_names_its_first_dealer(name: str, dealer: int) -> None:
    assert preset(name).first_dealer == dealer


def test_a_rule_chosen_goes_before_the_presets_own() -> None:
    assert preset("euchre-280").game({"alone": "on"}) == euchre()


@pytest.mark.parametrize(("text", "value"), [("on", True), ("off", False)])
def test_a_switch_is_read_from_its_text(text: str, value: bool) -> None:
    assert euchre(stick_dealer=text) == euchre(stick_dealer=value)


@pytest.mark.parametrize("value", ["yes", "true", "1", "ON", "", 1, None])
def test_a_switch_is_on_or_off_and_nothing_else(value: object) -> None:
    with pytest.raises(ConfigError, match="euchre rule alone must be on or off"):
        euchre(alone=value)


@pytest.mark.parametrize(
    "value", [0, -1, 101, "0", "1.5", "ten", "010", "+5", "", True, None, 10.0, "٣", "9" * 5000]
)
def test_a_target_is_a_whole_number_from_1_to_100(value: object) -> None:
    with pytest.raises(ConfigError, match="euchre rule target must be a whole number from 1 to"):
        euchre(target=value)


@pytest.mark.parametrize("value", [1, 5, 7, 11, 15, "15", 100])
def test_other_targets_are_allowed(value: object) -> None:
    assert target_of(euchre(target=value)) == int(str(value))


def test_an_unknown_rule_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="its rules are alone, stick_dealer, partner_must_go_al"):
        euchre(joker="on")


def test_nobody_can_be_made_to_go_alone_where_nobody_may() -> None:
    with pytest.raises(ConfigError, match="partner_must_go_alone=on needs alone=on"):
        euchre(alone=False, partner_must_go_alone=True)


@pytest.mark.parametrize(("rules", "hands"), [({}, 19), ({"target": 1}, 1), ({"target": 5}, 9)])
def test_with_a_stuck_dealer_a_match_has_at_most_a_hand_for_each_point_but_one(
    rules: dict[str, object], hands: int
) -> None:
    assert euchre(**rules).longest_match == hands


def test_without_a_stuck_dealer_twenty_misdeals_may_come_before_each_hand() -> None:
    assert euchre(stick_dealer=False, target=1).longest_match == 21

"""Random self-play: what it adds up to, and what is known of it beforehand."""

import pytest

from referee.engine.registry import PRESETS
from referee.simulation import Spread, Summary, simulate


def played(name: str, matches: int = 400, **rules: object) -> Summary:
    preset = PRESETS[name]
    summary = Summary(preset.game(rules), preset.first_dealer, bytes(32))
    for _ in simulate(summary, matches):
        pass
    return summary


@pytest.fixture(scope="module")
def euchre() -> Summary:
    return played("euchre")


def test_a_spread_has_count_mean_and_range() -> None:
    spread = Spread()
    for number in (4, 1, 4):
        spread.add(number)
    assert (spread.count, spread.mean, spread.least, spread.most) == (3, 3.0, 1, 4)


def test_a_spread_of_nothing_is_zero() -> None:
    assert (Spread().count, Spread().mean, Spread().least, Spread().most) == (0, 0.0, 0, 0)


@pytest.mark.parametrize(
    ("name", "hands", "decisions"),
    [("euchre", 9.4, 189), ("euchre-280", 10.3, 236), ("whist", 7.2, 373)],
)
def test_random_matches_are_as_long_as_is_known_of_them(
    name: str, hands: float, decisions: float
) -> None:
    summary = played(name, 600)
    assert summary.hands_a_match.mean == pytest.approx(hands, rel=0.04)
    assert summary.decisions_a_match.mean == pytest.approx(decisions, rel=0.04)


def test_every_hand_is_counted_once(euchre: Summary) -> None:
    hands = sum(number * times for number, times in euchre.hands_a_match.times.items())
    assert euchre.decisions_a_hand.count == euchre.points_a_hand.count == hands


def test_every_decision_is_counted_once(euchre: Summary) -> None:
    decisions = sum(number * times for number, times in euchre.decisions_a_match.times.items())
    assert sum(spread.count for spread in euchre.choices.values()) == decisions


def test_every_hand_is_ordered_up_or_named_when_the_dealer_is_stuck(euchre: Summary) -> None:
    assert euchre.notes["ordered_up"] + euchre.notes["named"] == euchre.decisions_a_hand.count


def test_every_match_has_a_winner(euchre: Summary) -> None:
    assert euchre.wins.total() == 400


def test_decisions_come_in_the_order_of_a_hand(euchre: Summary) -> None:
    assert list(euchre.branching) == list(euchre.game.decisions)


def test_the_last_trick_leaves_no_choice(euchre: Summary) -> None:
    assert euchre.choices["trick 5"].most == 1


def test_the_dealer_chooses_among_six_cards_to_discard(euchre: Summary) -> None:
    spread = euchre.choices["discard"]
    assert (spread.least, spread.most) == (6, 6)


def test_a_summary_of_nothing_can_be_told() -> None:
    assert played("euchre", 0).as_json()["matches"] == 0

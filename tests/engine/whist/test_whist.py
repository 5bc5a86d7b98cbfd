"""The rules of whist, each by its fact."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.cards import Card
from referee.engine.game import HandResult
from referee.engine.record import HandRecord
from referee.engine.registry import preset
from referee.engine.whist.hand import PACK, Turned
from referee.errors import ConfigError
from tests.table import cards_offered, play, points, seat, seen, start, target_of, whist

# One suit each: the seat that holds the trumps takes every trick.
CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
ONE_SUIT_EACH = {
    "N": CLUBS,
    "E": CLUBS.replace("C", "D"),
    "S": CLUBS.replace("C", "H"),
    "W": CLUBS.replace("C", "S"),
}


def test_the_dealers_last_card_is_turned_up_for_trump() -> None:
    state = start(whist(), "W", "7S", ONE_SUIT_EACH)
    assert (seen(state, "N").turned, seen(state, "N").trump) == ("7S", "S")


@pytest.mark.parametrize("who", ["N", "E", "S", "W", "spectator"])
def test_everybody_sees_the_trump_card(who: str) -> None:
    assert seen(start(whist(), "W", "7S"), who).turned == "7S"


def test_the_trump_card_stays_in_the_dealers_hand() -> None:
    assert "7S" in seen(start(whist(), "W", "7S"), "W").hand


@pytest.mark.parametrize(("dealer", "eldest"), [("W", "N"), ("N", "E"), ("E", "S"), ("S", "W")])
def test_eldest_leads(dealer: str, eldest: str) -> None:
    assert start(whist(), dealer, "7S").actor == seat(eldest)


def test_there_is_no_bidding() -> None:
    assert start(whist(), "W", "7S").phase == "playing"


def test_nobody_calls_discards_or_sits_out() -> None:
    view = seen(start(whist(), "W", "7S"), "N")
    assert (view.calls, view.discard, view.sits_out, view.picked_up) == ((), None, None, False)


def test_the_leader_may_play_any_card() -> None:
    assert cards_offered(start(whist(), "W", "7S", ONE_SUIT_EACH)) == set(CLUBS.split())


def test_a_card_of_the_led_suit_must_be_played_if_held() -> None:
    hands = {"N": CLUBS, "E": "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD", "W": "2S"}
    mixed = {**hands, "N": "2D " + CLUBS[3:], "E": "2C " + hands["E"][3:]}
    assert cards_offered(play(start(whist(), "W", "7S", mixed), "3C")) == {"2C"}


def test_any_card_may_be_played_if_the_led_suit_is_not_held() -> None:
    state = play(start(whist(), "W", "7S", ONE_SUIT_EACH), "2C")
    assert cards_offered(state) == set(ONE_SUIT_EACH["E"].split())


def test_any_trump_beats_the_ace_led() -> None:
    state = play(start(whist(), "W", "7S", ONE_SUIT_EACH), "AC 2D 2H 2S")
    assert seen(state, "N").tricks[-1].winner == seat("W")


def test_the_highest_card_of_the_led_suit_wins_without_a_trump() -> None:
    hands = {"N": "2C", "E": "KC", "S": "AC", "W": "3C"}
    state = play(start(whist(), "W", "7S", hands), "2C KC AC 3C")
    assert seen(state, "N").tricks[-1].winner == seat("S")


def test_an_ace_of_a_third_suit_cannot_win() -> None:
    state = play(start(whist(), "S", "7H", ONE_SUIT_EACH | {"W": "2S"}), "2S AC AD 2H")
    assert seen(state, "N").tricks[-1].winner == seat("S")


@pytest.mark.slow
@given(st.permutations(PACK.cards), st.randoms())
def test_the_winner_is_the_highest_trump_or_else_the_highest_of_the_suit_led(
    deck: list[Card], random: Random
) -> None:
    """Every trick of a hand played at random, against a list written from the rules."""
    state = whist().start(deck, 3)
    while state.actor is not None:
        state = state.apply(random.choice(state.legal))
    trump = deck[-1][1]
    for trick in seen(state, "spectator").tricks:
        ladder = [
            f"{rank}{suit}" for suit in (trump, trick.cards[0][1]) for rank in "AKQJT98765432"
        ]
        best = next(card for card in ladder if card in trick.cards)
        assert (trick.winner - trick.leader) % 4 == trick.cards.index(best)


def test_the_winner_leads_to_the_next_trick() -> None:
    state = play(start(whist(), "W", "7S", ONE_SUIT_EACH), "AC 2D 2H 2S")
    assert state.actor == seat("W")


@pytest.mark.parametrize(
    ("trumps_with", "won"), [("N", (7, 0)), ("E", (0, 7)), ("S", (7, 0)), ("W", (0, 7))]
)
def test_thirteen_tricks_are_seven_points(trumps_with: str, won: tuple[int, int]) -> None:
    """The seat that holds all the trumps is the dealer, for the last card dealt is one."""
    trumps = ONE_SUIT_EACH[trumps_with]
    state = start(whist(), trumps_with, trumps.split()[0], ONE_SUIT_EACH)
    while state.actor is not None:
        state = state.apply(state.legal[0])
    assert points(state) == won


@pytest.mark.parametrize(
    ("even", "won"), [(0, (0, 7)), (5, (0, 2)), (6, (0, 1)), (7, (1, 0)), (8, (2, 0)), (13, (7, 0))]
)
def test_each_trick_over_six_is_a_point(even: int, won: tuple[int, int]) -> None:
    turned = Turned(dealer=3, card=Card("7S"))
    assert turned.score([0] * even + [1] * (13 - even)).points == won


def test_all_thirteen_tricks_are_played_though_seven_decide() -> None:
    state = start(whist(), "W", "7S", ONE_SUIT_EACH)
    for count in range(52):
        assert state.result is None, f"over after {count} cards"
        state = state.apply(state.legal[0])
    assert state.result is not None


def test_a_slam_is_noted() -> None:
    state = start(whist(), "W", "7S", ONE_SUIT_EACH)
    while state.actor is not None:
        state = state.apply(state.legal[0])
    assert state.result is not None
    assert state.result.notes == ("slam",)


def test_twelve_tricks_are_no_slam() -> None:
    assert Turned(dealer=3, card=Card("7S")).score([0] * 12 + [1]).notes == ()


def test_the_preset_is_to_ten_with_west_dealing_first() -> None:
    assert (target_of(preset("whist").game()), preset("whist").first_dealer) == (10, 3)


@pytest.mark.parametrize("target", [5, 7])
def test_british_and_american_targets_are_allowed(target: int) -> None:
    assert target_of(whist(target=target)) == target


def test_euchres_rules_are_not_whists() -> None:
    with pytest.raises(ConfigError, match="whist has no rule 'alone'; its rules are target"):
        whist(alone=True)


def test_every_card_can_be_played_and_nothing_else_be_done() -> None:
    assert set(whist().actions) == {f"play:{card}" for card in whist().pack}


def test_a_slam_is_counted_of_the_team_that_took_every_trick() -> None:
    slam = HandRecord(0, (), HandResult((0, 7), (0, 13), ("slam",)))
    assert whist().tally(slam) == (
        {"hands": 1, "tricks": 0, "points": -7, "slam": 0},
        {"hands": 1, "tricks": 13, "points": 7, "slam": 1},
    )


def test_twelve_tricks_are_counted_and_no_slam() -> None:
    north_south, _ = whist().tally(HandRecord(0, (), HandResult((6, 0), (12, 1), ())))
    assert north_south == {"hands": 1, "tricks": 12, "points": 6, "slam": 0}

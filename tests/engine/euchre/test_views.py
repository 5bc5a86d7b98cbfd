"""Who may know what at a euchre table."""

import pytest

from referee.engine.game import State
from tests.table import euchre, play, seat, seen, start

HANDS = {
    "N": "9C TC JC QC KC",
    "E": "9D TD JD QD KD",
    "S": "TH JH QH KH AH",
    "W": "9S TS JS QS KS",
}
SEATS = ["N", "E", "S", "W"]
EVERYBODY = [*SEATS, "spectator"]


def played_out(state: State) -> State:
    """Play the first legal action until the hand is over."""
    while state.actor is not None:
        state = state.apply(state.legal[0])
    return state


def ordered_up(by: str) -> State:
    """Return a hand in which a seat ordered up the nine of hearts; West, the dealer, holds six."""
    return play(start(euchre(), "W", "9H", HANDS), "pass " * seat(by) + "order_up")


@pytest.mark.parametrize("who", SEATS)
def test_a_seat_sees_its_own_hand(who: str) -> None:
    assert set(seen(start(euchre(), "W", "9H", HANDS), who).hand) == set(HANDS[who].split())


def test_spectators_see_no_hand() -> None:
    assert seen(start(euchre(), "W", "9H", HANDS), "spectator").hand == ()


@pytest.mark.parametrize("who", EVERYBODY)
def test_nobody_sees_the_kitty(who: str) -> None:
    """The kitty is AC, AD and AS."""
    state = play(start(euchre(), "W", "9H", HANDS), "order_up")
    while state.actor is not None:
        assert not {"AC", "AD", "AS"} & set(repr(seen(state, who)).split("'"))
        state = state.apply(state.legal[0])


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_sees_the_upcard_to_the_end(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "pass " * 4 + "name:S")
    assert seen(played_out(state), who).turned == "9H"


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_sees_the_calls(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "pass order_up_alone")
    assert seen(state, who).calls == ("pass", "order_up_alone")


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_sees_trump_maker_and_who_sits_out(who: str) -> None:
    view = seen(play(start(euchre(), "W", "9H", HANDS), "pass order_up_alone"), who)
    assert (view.trump, view.maker, view.sits_out) == ("H", seat("E"), seat("W"))


@pytest.mark.parametrize("who", EVERYBODY)
def test_only_the_seat_to_act_sees_what_it_may_do(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "order_up")
    assert seen(state, who).legal == (state.legal if who == "W" else ())


def test_the_dealer_sees_six_cards_during_the_discard() -> None:
    assert set(seen(ordered_up("N"), "W").hand) == {*HANDS["W"].split(), "9H"}


@pytest.mark.parametrize("by", SEATS)
@pytest.mark.parametrize("who", ["N", "E", "S"])
def test_the_other_seats_see_their_own_five_cards_during_the_discard(who: str, by: str) -> None:
    assert set(seen(ordered_up(by), who).hand) == set(HANDS[who].split())


@pytest.mark.parametrize("by", SEATS)
def test_spectators_see_no_hand_during_the_discard(by: str) -> None:
    assert seen(ordered_up(by), "spectator").hand == ()


@pytest.mark.parametrize("by", SEATS)
@pytest.mark.parametrize("who", EVERYBODY)
def test_only_the_dealer_sees_the_discard_whoever_made_trump(who: str, by: str) -> None:
    state = play(ordered_up(by), "discard:9S")
    assert seen(state, who).discard == ("9S" if who == "W" else None)


@pytest.mark.parametrize("by", SEATS)
@pytest.mark.parametrize("who", EVERYBODY)
def test_only_the_dealer_sees_the_discard_after_the_hand(who: str, by: str) -> None:
    state = played_out(play(ordered_up(by), "discard:9S"))
    assert seen(state, who).discard == ("9S" if who == "W" else None)


@pytest.mark.parametrize("who", SEATS)
def test_a_seat_sees_only_its_own_cards_after_a_misdeal(who: str) -> None:
    state = play(start(euchre(stick_dealer=False), "W", "9H", HANDS), "pass " * 8)
    assert set(seen(state, who).hand) == set(HANDS[who].split())


def test_spectators_see_no_hand_after_a_misdeal() -> None:
    state = play(start(euchre(stick_dealer=False), "W", "9H", HANDS), "pass " * 8)
    assert seen(state, "spectator").hand == ()


def test_the_seat_that_sits_out_sees_only_its_own_hand_while_the_others_play() -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "order_up_alone discard:9S")
    while state.actor is not None:
        assert set(seen(state, "S").hand) == set(HANDS["S"].split())
        state = state.apply(state.legal[0])


def test_the_seat_that_sits_out_sees_its_hand_to_the_end() -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "order_up_alone discard:9S")
    assert set(seen(played_out(state), "S").hand) == set(HANDS["S"].split())


@pytest.mark.parametrize("who", ["N", "E", "W", "spectator"])
def test_nobody_else_sees_the_hand_that_sits_out(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "order_up_alone discard:9S")
    assert not set(HANDS["S"].split()) & set(repr(seen(played_out(state), who)).split("'"))


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_sees_the_trick_as_it_falls(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "pass " * 4 + "name:S 9C 9D TH")
    view = seen(state, who)
    assert (view.leader, view.trick, view.actor) == (seat("N"), ("9C", "9D", "TH"), seat("W"))


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_sees_the_finished_tricks(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "pass " * 4 + "name:S 9C 9D TH 9S")
    assert seen(state, who).tricks == ((seat("N"), ("9C", "9D", "TH", "9S"), seat("W")),)


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_sees_who_leads_when_eldest_sits_out(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "pass " * 6 + "name_alone:S")
    assert seen(state, who).leader == seat("E")

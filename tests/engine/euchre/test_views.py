"""Who may know what at a euchre table."""

import pytest

from tests.table import euchre, play, seat, seen, start

HANDS = {
    "N": "9C TC JC QC KC",
    "E": "9D TD JD QD KD",
    "S": "TH JH QH KH AH",
    "W": "9S TS JS QS KS",
}
EVERYBODY = ["N", "E", "S", "W", "spectator"]


@pytest.mark.parametrize("who", ["N", "E", "S", "W"])
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
    while state.actor is not None:
        state = state.apply(state.legal[0])
    assert seen(state, who).turned == "9H"


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


@pytest.mark.parametrize("who", EVERYBODY)
def test_only_the_dealer_sees_the_discard(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "order_up discard:9S")
    assert seen(state, who).discard == ("9S" if who == "W" else None)


def test_the_dealer_sees_her_discard_to_the_end() -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "order_up discard:9S")
    while state.actor is not None:
        state = state.apply(state.legal[0])
    assert seen(state, "W").discard == "9S"


def test_the_seat_that_sits_out_keeps_its_hand_to_itself() -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "order_up_alone discard:9S")
    while state.actor is not None:
        state = state.apply(state.legal[0])
    assert set(seen(state, "S").hand) == set(HANDS["S"].split())


@pytest.mark.parametrize("who", ["N", "E", "W", "spectator"])
def test_nobody_else_sees_the_hand_that_sits_out(who: str) -> None:
    state = play(start(euchre(), "W", "9H", HANDS), "order_up_alone discard:9S")
    while state.actor is not None:
        state = state.apply(state.legal[0])
    assert not set(HANDS["S"].split()) & set(repr(seen(state, who)).split("'"))


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

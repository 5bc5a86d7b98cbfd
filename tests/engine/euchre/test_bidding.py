"""The two rounds of bidding, the dealer's discard, and misdeals."""

import pytest

from referee.engine.cards import Action
from referee.engine.registry import preset
from referee.errors import IllegalAction
from tests.table import cards_offered, euchre, offered, play, seat, seen, start

FIRST = {"pass", "order_up", "order_up_alone"}
SECOND = {"pass", "name:C", "name:D", "name:S", "name_alone:C", "name_alone:D", "name_alone:S"}

each_order_up = pytest.mark.parametrize(
    "calls",
    ["pass " * passes + call for passes in range(4) for call in ("order_up", "order_up_alone")],
)


def test_eldest_speaks_first() -> None:
    assert start(euchre(), "W", "9H").actor == seat("N")


def test_the_dealer_speaks_last_in_the_first_round() -> None:
    assert play(start(euchre(), "W", "9H"), "pass pass pass").actor == seat("W")


def test_eldest_begins_the_second_round_too() -> None:
    assert play(start(euchre(), "W", "9H"), "pass pass pass pass").actor == seat("N")


@pytest.mark.parametrize("passes", range(4))
def test_everybody_may_pass_or_order_up_or_go_alone_in_the_first_round(passes: int) -> None:
    assert offered(play(start(euchre(), "W", "9H"), "pass " * passes)) == FIRST


@pytest.mark.parametrize("passes", range(4, 7))
def test_the_second_round_offers_every_suit_but_the_upcards(passes: int) -> None:
    assert offered(play(start(euchre(), "W", "9H"), "pass " * passes)) == SECOND


def test_the_stuck_dealer_has_everything_but_pass() -> None:
    assert offered(play(start(euchre(), "W", "9H"), "pass " * 7)) == SECOND - {"pass"}


def test_the_stuck_dealer_decides_once_and_play_begins() -> None:
    assert play(start(euchre(), "W", "9H"), "pass " * 7 + "name:C").phase == "playing"


def test_a_dealer_who_is_not_stuck_may_pass_in_the_second_round() -> None:
    assert offered(play(start(euchre(stick_dealer=False), "W", "9H"), "pass " * 7)) == SECOND


def test_eight_passes_are_a_misdeal_without_points() -> None:
    done = play(start(euchre(stick_dealer=False), "W", "9H"), "pass " * 8)
    assert done.result == ((0, 0), (0, 0), ("misdeal",))


def test_the_dealer_is_not_stuck_after_nineteen_misdeals() -> None:
    state = start(euchre(stick_dealer=False), "W", "9H", misdeals=19)
    assert "pass" in offered(play(state, "pass " * 7))


def test_the_dealer_is_stuck_after_twenty_misdeals() -> None:
    state = start(euchre(stick_dealer=False), "W", "9H", misdeals=20)
    assert "pass" not in offered(play(state, "pass " * 7))


def test_everybody_sees_that_the_dealer_is_stuck_after_twenty_misdeals() -> None:
    assert seen(start(euchre(stick_dealer=False), "W", "9H", misdeals=20), "spectator").stuck


def test_nobody_may_go_alone_where_that_is_off() -> None:
    state = start(euchre(alone=False), "W", "9H")
    for _ in range(8):
        assert not any("alone" in action for action in state.legal)
        state = play(state, state.legal[0])


def test_the_course_game_has_nobody_alone() -> None:
    assert offered(start(preset("euchre-280").game(), "N", "9H")) == {"pass", "order_up"}


def test_the_dealers_partner_must_go_alone_to_order_up() -> None:
    state = play(start(euchre(partner_must_go_alone=True), "W", "9H"), "pass")
    assert offered(state) == {"pass", "order_up_alone"}


@pytest.mark.parametrize("passes", [0, 2, 3])
def test_only_the_dealers_partner_must_go_alone(passes: int) -> None:
    state = start(euchre(partner_must_go_alone=True), "W", "9H")
    assert offered(play(state, "pass " * passes)) == FIRST


def test_the_dealers_partner_need_not_go_alone_in_the_second_round() -> None:
    state = start(euchre(partner_must_go_alone=True), "W", "9H")
    assert offered(play(state, "pass " * 5)) == SECOND


def test_the_dealer_may_order_up_herself() -> None:
    state = play(start(euchre(), "W", "9H"), "pass pass pass order_up")
    assert (state.phase, state.actor) == ("discarding", seat("W"))


def test_ordering_up_makes_the_upcards_suit_trump() -> None:
    assert seen(play(start(euchre(), "W", "9H"), "order_up"), "E").trump == "H"


def test_naming_makes_that_suit_trump() -> None:
    assert seen(play(start(euchre(), "W", "9H"), "pass " * 4 + "name:D"), "E").trump == "D"


@pytest.mark.parametrize("passes", range(8))
def test_the_maker_is_the_seat_that_spoke(passes: int) -> None:
    call = "order_up" if passes < 4 else "name:S"
    state = play(start(euchre(), "W", "9H"), "pass " * passes + call)
    assert seen(state, "spectator").maker == passes % 4


@pytest.mark.parametrize("call", ["order_up", "order_up_alone"])
def test_only_the_dealer_is_asked_to_discard(call: str) -> None:
    assert play(start(euchre(), "W", "9H"), call).actor == seat("W")


@each_order_up
def test_the_dealer_may_discard_any_of_six_cards_whoever_ordered_up(calls: str) -> None:
    state = start(euchre(), "W", "9H", {"W": "9C TC AD KS AS"})
    assert cards_offered(play(state, calls)) == {"9C", "TC", "AD", "KS", "AS", "9H"}


@each_order_up
def test_the_dealer_may_discard_the_upcard_whoever_ordered_up(calls: str) -> None:
    state = start(euchre(), "W", "9H", {"W": "9C TC AD KS AS"})
    state = play(state, calls + " discard:9H")
    assert set(seen(state, "W").hand) == {"9C", "TC", "AD", "KS", "AS"}


@each_order_up
def test_the_dealer_keeps_the_upcard_in_place_of_the_discard_whoever_ordered_up(
    calls: str,
) -> None:
    state = start(euchre(), "W", "9H", {"W": "9C TC AD KS AS"})
    state = play(state, calls + " discard:9C")
    assert set(seen(state, "W").hand) == {"TC", "AD", "KS", "AS", "9H"}


def test_nothing_is_picked_up_when_a_suit_is_named() -> None:
    state = start(euchre(), "W", "9H", {"W": "9C TC AD KS AS"})
    state = play(state, "pass " * 4 + "name:S")
    assert set(seen(state, "W").hand) == {"9C", "TC", "AD", "KS", "AS"}


def test_nothing_is_discarded_when_a_suit_is_named() -> None:
    assert play(start(euchre(), "W", "9H"), "pass " * 4 + "name:S").phase == "playing"


def test_the_dealer_knows_that_the_maker_is_alone_when_she_discards() -> None:
    state = play(start(euchre(), "W", "9H"), "order_up_alone")
    assert seen(state, "W").sits_out == seat("S")


def test_the_dealer_discards_even_if_she_will_sit_out() -> None:
    state = play(start(euchre(), "W", "9H"), "pass order_up_alone")
    assert (state.actor, state.phase) == (seat("W"), "discarding")


def test_the_dealer_sits_out_when_her_partner_goes_alone() -> None:
    state = play(start(euchre(), "W", "9H"), "pass order_up_alone")
    state = play(state, state.legal[0])
    assert seen(state, "spectator").sits_out == seat("W")


@pytest.mark.parametrize("call", ["name:S", "discard:9H", "play:9H", "order_up:H", "ORDER_UP", ""])
def test_a_call_that_is_not_offered_is_refused(call: str) -> None:
    state = start(euchre(), "W", "9H")
    with pytest.raises(IllegalAction):
        state.apply(Action(call))


def test_a_refused_call_does_not_advance_the_hand() -> None:
    state = start(euchre(), "W", "9H")
    with pytest.raises(IllegalAction):
        state.play(Action("name:S"))
    assert (state.actor, offered(state)) == (seat("N"), FIRST)


def test_a_refusal_shows_no_hidden_card() -> None:
    state = play(start(euchre(), "W", "9H", {"W": "9C TC AD KS AS"}), "order_up")
    with pytest.raises(IllegalAction) as refusal:
        state.apply(Action("discard:JD"))
    assert not {"9C", "TC", "AD", "KS", "AS"} & set(str(refusal.value).replace("'", " ").split())


def test_no_call_lets_a_defender_go_alone_or_names_no_trump() -> None:
    """These are all the calls there are."""
    calls = {action for action in euchre().actions if not action.startswith(("play:", "discard:"))}
    assert calls == FIRST | SECOND | {"name:H", "name_alone:H"}


@pytest.mark.parametrize("passes", range(8))
def test_the_fifth_to_speak_begins_the_second_round(passes: int) -> None:
    state = play(start(euchre(), "W", "9H"), "pass " * passes)
    assert state.decision == ("bid 1" if passes < 4 else "bid 2")


@pytest.mark.parametrize(("calls", "up"), [("order_up", True), ("pass " * 4 + "name:S", False)])
def test_everybody_sees_whether_the_dealer_picked_up(calls: str, up: bool) -> None:
    assert seen(play(start(euchre(), "W", "9H"), calls), "spectator").picked_up is up


def test_the_upcard_is_not_picked_up_while_nobody_ordered_it() -> None:
    assert not seen(play(start(euchre(), "W", "9H"), "pass"), "W").picked_up

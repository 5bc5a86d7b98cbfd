"""What a view tells a bot of the referee's message, and the inferences it draws for it."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import upcard
from referee.engine.game import State
from referee.engine.match import Match
from referee.engine.registry import PRESETS, preset
from referee.engine.tricks import trick_view
from tests.sdk.python.turns import calls, card, cards, seat, suit, turn_of
from upcard import euchre, whist
from upcard.cards import Play, Rules, Sides, Trick
from upcard.v1.euchre_pb2 import EUCHRE_PHASE_PLAYING
from upcard.v1.euchre_pb2 import EuchreView as EuchreMessage
from upcard.v1.referee_pb2 import Turn
from upcard.v1.whist_pb2 import WhistView as WhistMessage

N, E, S, W = range(4)
FIELDS = (
    *("seat", "dealer", "calls", "trump", "sits_out", "hand", "picked_up", "discard"),
    *("leader", "trick", "legal"),
)


def at_euchre(
    hand: str = "JD AD QC",
    trump: str | None = "H",
    played: str = "",
    leaders: tuple[int, ...] = (N,),
    dealer: int = W,
    said: str = "order_up",
    who: int = S,
    **more: Any,  # noqa: ANN401 (any field of the message)
) -> euchre.EuchreView:
    message = EuchreMessage(
        phase=more.pop("phase", EUCHRE_PHASE_PLAYING),
        seat=seat(who),
        dealer=seat(dealer),
        upcard=card(more.pop("upcard", "9H")),
        calls=calls(said),
        trump=suit(trump),
        hand=cards(hand),
        played=cards(played),
        leaders=[seat(leader) for leader in leaders],
        **more,
    )
    turn = Turn(turn_id=7, table_id=4711, euchre=message)
    return euchre.EuchreView(turn, turn.euchre, euchre.legal_actions(turn.euchre), Rules(10))


def at_whist(hand: str, played: str = "", leaders: tuple[int, ...] = (N,)) -> whist.WhistView:
    message = WhistMessage(
        seat=seat(S),
        dealer=seat(W),
        trump_card=card("2H"),
        hand=cards(hand),
        played=cards(played),
        leaders=[seat(leader) for leader in leaders],
    )
    return whist.WhistView(Turn(whist=message), message, whist.legal_actions(message), Rules(10))


def view_of(state: State, match: Match) -> upcard.View:
    turn = turn_of(trick_view(state, state.actor), match)
    rules = Rules(**match.game.rules._asdict())  # type: ignore[arg-type]
    if match.game.name == "euchre":
        return euchre.EuchreView(turn, turn.euchre, euchre.legal_actions(turn.euchre), rules)
    return whist.WhistView(turn, turn.whist, whist.legal_actions(turn.whist), rules)


hands_at_play = given(st.sampled_from(sorted(PRESETS)), st.randoms(use_true_random=False))


def moments(name: str, random: Random) -> list[tuple[State, upcard.View]]:
    """Play a hand at random; give what each seat was shown when it was to act."""
    match = Match(preset(name).game(), random.randrange(4), (3, 5), 2)
    deck = list(match.game.pack)
    random.shuffle(deck)
    state = match.deal(deck)
    found = []
    while state.actor is not None:
        found.append((state.copy(), view_of(state, match)))
        state = state.apply(random.choice(state.legal))
    return found


@hands_at_play
def test_a_view_shows_what_the_engine_shows(name: str, random: Random) -> None:
    for state, view in moments(name, random):
        told = trick_view(state, state.actor)
        for field in FIELDS:
            assert getattr(view, field) == getattr(told, field), field
        assert view.tricks == tuple(Trick(*trick) for trick in told.tricks)
        assert told.turned in (view.upcard, view.trump_card)
        assert view.phase == state.phase


@hands_at_play
def test_what_others_hold_is_still_out(name: str, random: Random) -> None:
    for state, view in moments(name, random):
        others = {c for who in range(4) if who != state.actor for c in trick_view(state, who).hand}
        if view.phase == "discarding":
            others.discard(view.upcard or "")
        assert others <= set(view.cards_still_out)


@hands_at_play
def test_what_is_held_or_gone_is_not_still_out(name: str, random: Random) -> None:
    for _, view in moments(name, random):
        gone = {*view.hand, *(play.card for play in view.plays), view.discard}
        assert not gone & set(view.cards_still_out)


@hands_at_play
def test_the_winning_seat_is_the_engines(name: str, random: Random) -> None:
    before: upcard.View | None = None
    for _, view in moments(name, random):
        if before and before.last_to_play and len(view.tricks) > len(before.tricks):
            trick = view.tricks[-1]
            holds = not before.takes_trick(trick.cards[-1])
            assert trick.winner == (before.winning_seat if holds else before.seat)
        before = view


@hands_at_play
def test_who_does_not_hold_a_suit_is_all_that_is_called_void(name: str, random: Random) -> None:
    for state, view in moments(name, random):
        for who in range(4):
            held = {view.effective_suit(c) for c in trick_view(state, who).hand}
            assert not view.void_suits(who) & held


@hands_at_play
def test_plays_are_those_of_the_tricks(name: str, random: Random) -> None:
    for _, view in moments(name, random):
        played = [c for trick in view.tricks for c in trick.cards] + list(view.trick)
        assert [play.card for play in view.plays] == played
        starts = range(0, len(played), 4 if view.sits_out is None else 3)
        leaders = [*(trick.leader for trick in view.tricks), view.leader]
        assert [view.plays[start].seat for start in starts] == leaders[: len(starts)]


def test_left_bower_follows_trump() -> None:
    assert at_euchre(trump="H").effective_suit("JD") == "H"


def test_left_bower_is_no_trump_when_another_colour_is() -> None:
    assert at_euchre(trump="H").effective_suit("JD", trump="S") == "D"


def test_a_jack_is_of_its_own_suit_before_trump_is_made() -> None:
    assert at_euchre(trump=None).effective_suit("JD") == "D"


def test_left_bower_led_asks_for_trump() -> None:
    assert at_euchre(trump="H", played="JD", leaders=(E,)).suit_led == "H"


def test_left_bower_is_held_as_a_trump() -> None:
    assert at_euchre("JD AD QC", trump="H").holding("H") == ("JD",)


def test_bowers_are_the_strongest_trumps() -> None:
    view = at_euchre(trump="H")
    ladder = sorted(["JH", "AH", "JD", "9H"], key=view.strength)
    assert ladder == ["9H", "AH", "JD", "JH"]


def test_whist_has_no_bowers() -> None:
    view = at_whist("JD AH")
    assert view.effective_suit("JD") == "D"
    assert view.beats("QH", "JH")


@pytest.mark.parametrize(
    ("this", "other", "does"),
    [
        ("9H", "AS", True),
        ("AS", "9H", False),
        ("AD", "9S", False),
        ("AS", "KS", True),
        ("JD", "AH", True),
        ("JH", "JD", True),
        ("JH", "JH", False),
    ],
)
def test_what_beats_what_with_hearts_for_trump(this: str, other: str, does: bool) -> None:
    assert at_euchre(trump="H").beats(this, other) is does


def test_what_beats_what_with_another_suit_for_trump() -> None:
    assert at_euchre(trump="H").beats("JC", "AS", trump="S")


def test_a_leader_takes_the_trick_with_anything() -> None:
    assert at_euchre().takes_trick("QC")


def test_a_trick_to_lead_has_no_winner() -> None:
    view = at_euchre()
    assert (view.winning_card, view.winning_seat, view.suit_led) == (None, None, None)


def test_the_winning_seat_skips_who_sits_out() -> None:
    view = at_euchre(played="9S AS", leaders=(E,), sits_out=seat(W), maker=seat(E), who=S)
    assert view.winning_seat == S  # East, South, and West does not play


@pytest.mark.parametrize(("sits_out", "last"), [(None, False), (W, True)])
def test_the_third_card_is_the_last_when_somebody_sits_out(
    sits_out: int | None, last: bool
) -> None:
    view = at_euchre(played="9S AS", leaders=(E,), sits_out=seat(sits_out))
    assert view.last_to_play is last


def test_partner_is_winning() -> None:
    assert at_euchre(played="AS 9S", leaders=(N,)).partner_is_winning


def test_the_score_is_ours_first() -> None:
    scores = [at_euchre(who=who, points_north_south=3, points_east_west=8).score for who in (N, E)]
    assert scores == [Sides(us=3, them=8), Sides(us=8, them=3)]


def test_tricks_won_are_ours_first() -> None:
    four_tricks = "9S AS KS QS  9C AC KC QC  9D AD KD QD"
    view = at_euchre(played=four_tricks, leaders=(N, E, E, S), who=S)
    assert view.tricks_won == Sides(us=1, them=2)


def test_plays_tell_who_played_what() -> None:
    view = at_euchre(played="9S AS", leaders=(N,))
    assert view.plays == (Play(N, "9S"), Play(E, "AS"))


def test_not_following_shows_a_void() -> None:
    view = at_euchre(trump="H", played="9S JD", leaders=(N,))
    assert view.void_suits(E) == {"S"}


def test_an_upcard_turned_down_is_not_still_out() -> None:
    named = at_euchre(said="pass pass pass pass name:H", upcard="9S", maker=seat(N))
    assert "9S" not in named.cards_still_out


def test_an_upcard_that_another_dealer_took_is_still_out() -> None:
    assert "9H" in at_euchre(upcard="9H", maker=seat(N), dealer=W, who=S).cards_still_out


def test_the_own_discard_is_not_still_out() -> None:
    view = at_euchre(dealer=S, who=S, maker=seat(S), discard=card("9C"))
    assert view.discard == "9C"
    assert "9C" not in view.cards_still_out


def test_still_out_lists_the_strongest_first() -> None:
    assert at_euchre("JD QD AH", trump="H").still_out("H") == ("JH", "KH", "QH", "TH")


def test_we_made_trump_if_partner_did() -> None:
    assert at_euchre(who=S, maker=seat(N)).we_made_trump
    assert not at_euchre(who=S, maker=seat(E)).we_made_trump


def test_nobody_made_trump_in_the_bidding() -> None:
    assert not at_euchre(trump=None, phase=1, said="pass").we_made_trump


def test_legal_cards_stand_as_the_legal_actions_do() -> None:
    view = at_euchre(legal_cards=cards("9S AS"))
    assert view.legal == ("play:9S", "play:AS")
    assert view.legal_cards == ("9S", "AS")


def test_without_a_bank_no_time_is_told() -> None:
    assert at_euchre().time_left is None


def test_time_left_is_in_seconds() -> None:
    turn = Turn(time_left_ms=1500, whist=WhistMessage(trump_card=card("2H")))
    assert whist.WhistView(turn, turn.whist, (), Rules(10)).time_left == 1.5


def test_what_was_asked_for_is_converted_once() -> None:
    view = at_euchre()
    assert view.hand is view.hand


def test_a_view_tells_the_situation_in_a_line() -> None:
    line = "euchre, playing: hand QC AD JD, trump H, trick 9S"
    assert str(at_euchre("QC AD JD", played="9S")) == line

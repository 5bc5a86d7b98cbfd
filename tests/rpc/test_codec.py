"""What goes over the wire is what the seat's view holds, and what comes back is bounded."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.arena.fault import FAULT_KINDS
from referee.arena.limits import Terms, TimeLimits
from referee.arena.player import FORFEITED, PLAYED, VOIDED
from referee.engine.cards import SEATS, Action, Card
from referee.engine.euchre import EuchreView
from referee.engine.game import State, TrickView
from referee.engine.match import Match
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import PRESETS
from referee.engine.tricks import trick_view
from referee.engine.whist import WhistView
from referee.rpc.codec import (
    GOODBYE,
    MOST_ANSWERS,
    MOST_BYTES,
    Answers,
    Hello,
    decode_request,
    encode_fault,
    encode_frame,
    encode_turn,
    encode_welcome,
)
from upcard.v1 import cards_pb2, euchre_pb2, referee_pb2, whist_pb2

MATCHES = 6
NUMBERS = "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"
RANKS = dict(zip("23456789TJQKA", (*NUMBERS, "JACK", "QUEEN", "KING", "ACE"), strict=True))
SUIT_NAMES = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES"}


class Decision(NamedTuple):
    """A state with somebody to act, as it was at that moment."""

    match: Match
    state: State


def decisions(preset: str, chosen: dict[str, object] | None = None) -> Iterator[Decision]:
    """Return every decision of some matches; one player in three mostly takes the first action."""
    for number in range(MATCHES):
        player = Random(number)
        game = PRESETS[preset].game(chosen)
        sheet = Scoresheet(game, number % 4, SeededDeal(bytes(32), str(number)))
        while sheet.state.actor is not None:
            yield Decision(sheet.match, sheet.state.copy())
            shy = number % 3 == 0 and player.random() < 0.9
            sheet.play(sheet.state.legal[0] if shy else player.choice(sheet.state.legal))


# The same turn, built field by field with the generated classes and the names of the values.


def card(token: Card | None) -> "cards_pb2.Card.ValueType":
    name = f"CARD_{RANKS[token[0]]}_OF_{SUIT_NAMES[token[1]]}" if token else "CARD_UNSPECIFIED"
    return cards_pb2.Card.Value(name)


def seat(number: int | None) -> "cards_pb2.Seat.ValueType":
    names = ("NORTH", "EAST", "SOUTH", "WEST")
    return cards_pb2.Seat.Value(f"SEAT_{'UNSPECIFIED' if number is None else names[number]}")


def trump_suit(token: str | None) -> "cards_pb2.Suit.ValueType":
    return cards_pb2.Suit.Value(f"SUIT_{SUIT_NAMES[token] if token else 'UNSPECIFIED'}")


def call(action: Action) -> "euchre_pb2.EuchreCall.ValueType":
    said, _, named = action.partition(":")
    name = f"NAME_{SUIT_NAMES[named]}" if named else said.upper()
    alone = "_ALONE" if said == "name_alone" else ""
    return euchre_pb2.EuchreCall.Value(f"EUCHRE_CALL_{name}{alone}")


def of_action(action: Action) -> "cards_pb2.Card.ValueType":
    return card(Card(action.partition(":")[2]))


def table(
    view: TrickView,
) -> "tuple[list[cards_pb2.Card.ValueType], list[cards_pb2.Seat.ValueType]]":
    """Put the cards and the leaders together from the tricks, as a spectator would."""
    played = [card(one) for trick in view.tricks for one in trick.cards]
    leaders = [seat(trick.leader) for trick in view.tricks]
    if view.leader is not None:
        leaders.append(seat(view.leader))
    return played + [card(one) for one in view.trick], leaders


def euchre_message(match: Match, view: EuchreView) -> euchre_pb2.EuchreView:
    bidding = view.phase == "bidding"
    played, leaders = table(view)
    return euchre_pb2.EuchreView(
        phase=euchre_pb2.EuchrePhase.Value(f"EUCHRE_PHASE_{view.phase.upper()}"),
        seat=seat(view.seat),
        dealer=seat(view.dealer),
        points_north_south=match.score[0],
        points_east_west=match.score[1],
        hand_number=match.hand,
        dealer_stuck=view.stuck,
        upcard=card(view.turned),
        calls=map(call, view.calls),
        trump=trump_suit(view.trump),
        maker=seat(view.maker),
        sits_out=seat(view.sits_out),
        hand=map(card, view.hand),
        discard=card(view.discard),
        played=played,
        leaders=leaders,
        legal_calls=map(call, view.legal) if bidding else (),
        legal_cards=() if bidding else map(of_action, view.legal),
    )


def whist_message(match: Match, view: WhistView) -> whist_pb2.WhistView:
    played, leaders = table(view)
    return whist_pb2.WhistView(
        seat=seat(view.seat),
        dealer=seat(view.dealer),
        points_north_south=match.score[0],
        points_east_west=match.score[1],
        hand_number=match.hand,
        trump_card=card(view.turned),
        hand=map(card, view.hand),
        played=played,
        leaders=leaders,
        legal_cards=map(of_action, view.legal),
    )


def turn_message(
    turn_id: int, table_id: int, time_left_ms: int, match: Match, state: State
) -> referee_pb2.Turn:
    turn = referee_pb2.Turn(turn_id=turn_id, table_id=table_id, time_left_ms=time_left_ms)
    view = state.view(state.actor)
    if isinstance(view, EuchreView):
        turn.euchre.CopyFrom(euchre_message(match, view))
    elif isinstance(view, WhistView):
        turn.whist.CopyFrom(whist_message(match, view))
    return turn


# Turns


@pytest.mark.parametrize("preset", PRESETS)
def test_a_turn_says_what_the_seat_to_act_may_see(preset: str) -> None:
    for match, state in decisions(preset):
        expected = turn_message(3, 5, 0, match, state)
        assert referee_pb2.Turn.FromString(encode_turn(3, 5, 0, match, state)) == expected


@pytest.mark.parametrize("preset", PRESETS)
def test_a_turn_is_written_as_the_generated_classes_write_it(preset: str) -> None:
    for match, state in decisions(preset):
        expected = turn_message(3, 5, 0, match, state).SerializeToString(deterministic=True)
        assert encode_turn(3, 5, 0, match, state) == expected


def test_a_hand_with_a_number_of_two_bytes_is_written_too() -> None:
    """Where nobody is stuck, everybody may pass a long time."""
    match, state = next(decisions("euchre"))
    late = match._replace(hand=4178, score=(99, 98))
    expected = turn_message(1, 1, 0, late, state)
    assert referee_pb2.Turn.FromString(encode_turn(1, 1, 0, late, state)) == expected


def test_the_longest_view_is_written_too() -> None:
    longest = max(
        (encode_turn(2**32 - 1, 2**32 - 1, 4e6, *late) for late in decisions("whist")), key=len
    )
    assert len(referee_pb2.Turn.FromString(longest).whist.played) > 40


@given(
    turn_id=st.integers(1, 2**32 - 1),
    table_id=st.integers(1, 2**32 - 1),
    left=st.integers(0, 2**32 - 1),
)
def test_any_number_goes_over_the_wire(turn_id: int, table_id: int, left: int) -> None:
    match, state = next(decisions("whist"))
    turn = referee_pb2.Turn.FromString(encode_turn(turn_id, table_id, left / 1000, match, state))
    assert (turn.turn_id, turn.table_id) == (turn_id, table_id)
    assert abs(turn.time_left_ms - left) <= 1


def test_who_has_hardly_any_time_left_is_not_told_that_there_is_no_limit() -> None:
    match, state = next(decisions("whist"))
    written = encode_turn(1, 1, 0.0001, match, state)
    assert referee_pb2.Turn.FromString(written).time_left_ms == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_the_nth_action_on_the_wire_is_the_nth_legal_action(preset: str) -> None:
    for match, state in decisions(preset):
        turn = referee_pb2.Turn.FromString(encode_turn(1, 1, 0, match, state))
        legal_calls = turn.euchre.legal_calls
        legal_cards = turn.euchre.legal_cards or turn.whist.legal_cards
        if legal_calls:
            assert list(legal_calls) == [call(action) for action in state.legal]
        else:
            assert list(legal_cards) == [of_action(action) for action in state.legal]


@pytest.mark.parametrize("preset", PRESETS)
def test_one_list_of_legal_actions_is_empty(preset: str) -> None:
    for match, state in decisions(preset):
        view = referee_pb2.Turn.FromString(encode_turn(1, 1, 0, match, state)).euchre
        assert not (view.legal_calls and view.legal_cards)


@pytest.mark.parametrize("preset", PRESETS)
def test_no_card_that_is_hidden_from_the_seat_is_on_the_wire(preset: str) -> None:
    for match, state in decisions(preset):
        turn = referee_pb2.Turn.FromString(encode_turn(1, 1, 0, match, state))
        others = [trick_view(state, other) for other in SEATS if other != state.actor]
        held = {card(one) for view in others for one in (*view.hand, view.discard)}
        hidden = held - {card(None), card(others[0].turned)}
        assert not shown_cards(turn) & hidden


def shown_cards(turn: referee_pb2.Turn) -> set[int]:
    view = turn.euchre if turn.HasField("euchre") else turn.whist
    shown: set[int] = set()
    for field, value in view.ListFields():
        if field.enum_type and field.enum_type.name == "Card":
            shown |= {value} if isinstance(value, int) else set(value)
    return shown


# Frames and the other messages


def response(written: bytes) -> referee_pb2.PlayResponse:
    return referee_pb2.PlayResponse.FromString(written)


def test_a_frame_holds_what_opens_what_is_due_and_what_closes() -> None:
    (first, second), reasons = list(decisions("whist"))[:2], (PLAYED, FORFEITED, VOIDED)
    turns = [encode_turn(1, 7, 0, *first), encode_turn(2, 8, 0, *second)]
    closed = [(5 + place, reason, (10, place)) for place, reason in enumerate(reasons)]
    frame = response(encode_frame([(7, 2**64 - 1), (8, 0)], turns, closed)).frame
    assert frame == referee_pb2.Frame(
        opened=[
            referee_pb2.TableOpened(table_id=7, seed=2**64 - 1),
            referee_pb2.TableOpened(table_id=8),
        ],
        turns=map(referee_pb2.Turn.FromString, turns),
        closed=[
            referee_pb2.TableClosed(
                table_id=5 + place,
                reason=referee_pb2.CloseReason.Value(f"CLOSE_REASON_{name}"),
                points_north_south=10,
                points_east_west=place,
            )
            for place, name in enumerate(("PLAYED", "FORFEITED", "VOIDED"))
        ],
    )


def test_a_frame_is_written_as_the_generated_classes_write_it() -> None:
    turns = [encode_turn(n, n, 0, *one) for n, one in enumerate(decisions("whist"), 1) if n < 300]
    written = encode_frame([(2**32 - 1, 1)], turns, [(9, PLAYED, (0, 10))])
    assert response(written).SerializeToString(deterministic=True) == written


def test_a_frame_may_hold_nothing() -> None:
    assert response(encode_frame([], [], [])).WhichOneof("message") == "frame"


def test_a_welcome_tells_seat_and_limits() -> None:
    game = PRESETS["euchre"].game()
    limits = TimeLimits(decision=0.25, bank=60.0, increment=0.05)
    welcome = response(encode_welcome(Terms(game, limits), 2, 16)).welcome
    assert (welcome.protocol_revision, welcome.seat) == (1, cards_pb2.SEAT_SOUTH)
    assert welcome.limits == referee_pb2.Limits(
        decision_ms=250, bank_ms=60000, increment_ms=50, tables=16
    )


def test_a_welcome_tells_the_rules_of_euchre() -> None:
    game = PRESETS["euchre"].game({"stick_dealer": False, "target": 7})
    welcome = response(encode_welcome(Terms(game), 0, 1)).welcome
    assert welcome.euchre == euchre_pb2.EuchreRules(alone=True, target=7)


def test_a_welcome_tells_the_rules_of_whist() -> None:
    welcome = response(encode_welcome(Terms(PRESETS["whist"].game()), 0, 1)).welcome
    assert welcome.whist == whist_pb2.WhistRules(target=10)


@pytest.mark.parametrize(("number", "kind"), list(enumerate(FAULT_KINDS, 1)))
def test_every_kind_of_fault_has_its_number(number: int, kind: str) -> None:
    assert response(encode_fault(kind, 1, 2, "")).fault.fault == number


def test_a_fault_tells_table_turn_and_rule() -> None:
    told = response(encode_fault("illegal_action", 9, 4, "follow suit")).fault
    assert (told.table_id, told.turn_id, told.explanation) == (9, 4, "follow suit")


def test_an_explanation_is_cut_where_it_is_too_long() -> None:
    assert len(response(encode_fault("crashed", 0, 0, "é" * 501)).fault.explanation) == 500


def test_an_explanation_that_is_no_unicode_text_is_told_all_the_same() -> None:
    assert response(encode_fault("crashed", 0, 0, "\udcff")).fault.explanation == "?"


def test_goodbye_says_goodbye() -> None:
    assert response(GOODBYE).WhichOneof("message") == "goodbye"


# What bots say


def hello(token: str = "", protocol_revision: int = 1, sdk: str = "", tables: int = 0) -> bytes:
    said = referee_pb2.Hello(
        token=token, protocol_revision=protocol_revision, sdk=sdk, tables=tables
    )
    return referee_pb2.PlayRequest(hello=said).SerializeToString()


def answers(turn_ids: Sequence[int], choices: Sequence[int]) -> bytes:
    said = referee_pb2.Answers(turn_ids=turn_ids, choices=choices)
    return referee_pb2.PlayRequest(answers=said).SerializeToString()


def test_a_hello_is_read() -> None:
    said = hello("t", sdk="upcard 1", tables=256)
    assert decode_request(said) == Hello("t", 1, "upcard 1", 256)


def test_a_bot_that_names_no_tables_sits_at_one() -> None:
    said = decode_request(hello("t"))
    assert isinstance(said, Hello)
    assert said.tables == 1


def test_answers_are_read() -> None:
    assert decode_request(answers([7, 2**32 - 1], [0, 2**32 - 1])) == Answers(
        (7, 2**32 - 1), (0, 2**32 - 1)
    )


def test_as_many_answers_as_tables_are_read() -> None:
    assert decode_request(answers(range(256), [0] * 256)) is not None


def test_answers_to_nothing_are_answers() -> None:
    assert decode_request(answers([], [])) == Answers((), ())


def test_a_text_of_128_bytes_is_read() -> None:
    assert decode_request(hello(token="é" * 64, sdk="é" * 64)) is not None


def test_fields_of_a_later_revision_are_passed_over() -> None:
    later = b"\x78\x01" + answers([1], [0])
    assert decode_request(later) == Answers((1,), (0,))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"\x12\x05\x0a",
        b"GET / HTTP/1.1",
        answers([1, 2], [0]),
        answers([1], [0, 0]),
        answers(range(MOST_ANSWERS + 1), [0] * (MOST_ANSWERS + 1)),
        hello(token="t" * 129),
        hello(token="é" * 65),
        hello(sdk="s" * 129),
        hello(tables=257),
        b"\x0a\x04\x0a\x02\xff\xfe",  # a token that is not UTF-8
        b"\x0b" * 60000,  # groups in groups in groups
        b"\x78\x01" * (MOST_BYTES // 2) + answers([], []),
    ],
    ids=[
        "nothing",
        "half a number",
        "half a message",
        "another protocol",
        "a choice too few",
        "a choice too many",
        "too many answers",
        "a long token",
        "a token of many bytes",
        "a long name",
        "too many tables",
        "no UTF-8",
        "nested without end",
        "too large",
    ],
)
def test_what_is_no_message_of_the_protocol_is_none(data: bytes) -> None:
    assert decode_request(data) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    said = decode_request(data)
    assert said is None or isinstance(said, (Hello, Answers))


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_in_a_message_are_read_or_refused(
    hello_bytes: bytes, answer_bytes: bytes
) -> None:
    data = b"\x0a%c%b\x12%c%b" % (len(hello_bytes), hello_bytes, len(answer_bytes), answer_bytes)
    said = decode_request(data)
    assert said is None or isinstance(said, (Hello, Answers))

"""Encodes what the referee sends as `proto/upcard/v1` has it, and decodes what bots send.

No other module touches generated code, but `recycle_codec` for games described in RECYCLE, and
`decoding` for what was recorded. What a bot is shown is encoded from its seat's own view alone, so
hidden cards have no way onto the wire.

A turn goes out for every decision of every match, so it is put together from bytes listed
beforehand; the generated messages take several times as long to build. It stays simple because
every enum value is below 128: a packed list of them is its tag, its length and a byte each.
What is said once in a while is built from the generated messages.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import starmap
from operator import itemgetter
from typing import Any, Final, NamedTuple

from google.protobuf.message import DecodeError, Message

from referee.arena.limits import MOST_TABLES, Terms
from referee.engine.cards import SEATS, SUITS, Action, Seat
from referee.engine.euchre import EuchreView
from referee.engine.game import State, View
from referee.engine.match import Match
from referee.engine.recycle import RecycleView
from referee.engine.whist import WhistView
from referee.rpc.enums import CALLS, CARDS, PHASES
from referee.rpc.fields import head, number_field, sized, varint
from referee.rpc.recycle_codec import encode, rules_message
from upcard.v1 import euchre_pb2, referee_pb2, whist_pb2

PROTOCOL_REVISION: Final = 1
SCORED_BY_SIDE: Final = frozenset({"recycle"})
"""Games of which a closed table tells the score of every side."""
MOST_BYTES: Final = 65536
"""No message of a bot is longer."""
MOST_ANSWERS: Final = 256
MOST_TEXT: Final = 128
"""Bytes of each text in a hello, in UTF-8."""
_MOST_EXPLAINED: Final = 500
_LONGEST_LIST: Final = 52
"""No list in a view is longer: nobody sees a card twice."""
_LONGEST_VIEW: Final = 255
"""Bytes of one of euchre or whist."""


class Hello(NamedTuple):
    """A bot presents itself."""

    token: str
    protocol_revision: int
    sdk: str
    tables: int


class Answers(NamedTuple):
    """A bot decides: for each turn, the place of its choice among the legal actions."""

    turn_ids: Sequence[int]
    choices: Sequence[int]


# Fields and words


class _Count(dict[int, bytes]):
    """A field by its number; large numbers are not cached."""

    def __init__(self, field: int) -> None:
        self._field = field
        super().__init__({number: number_field(field, number) for number in range(128)})

    def __missing__(self, number: int) -> bytes:
        return number_field(self._field, number)


def _words(field: int, numbers: Mapping[Any, int]) -> dict[Any, bytes]:
    """List a field by the word it says; nothing is left out."""
    return {None: b""} | {word: number_field(field, number) for word, number in numbers.items()}


def _heads(field: int) -> list[str]:
    """List the head of a list by the list's length, for `_lists`; an empty one is left out."""
    sizes = range(1, _LONGEST_LIST + 1)
    return ["", *(head(field, size).decode("latin-1") for size in sizes)]


# The words of the table

_SEATS: Final = {seat: seat + 1 for seat in SEATS}
_SUITS: Final = {suit: number for number, suit in enumerate(SUITS, 1)}
_CARDS: Final = {card: number for number, card in enumerate(CARDS, 1)}
_PHASES: Final = {phase: number for number, phase in enumerate(PHASES, 1)}
_IN_LISTS: Final[Mapping[str, int]] = {
    **{chr(byte): byte for byte in range(256)},
    **{str(card): number for card, number in _CARDS.items()},
    **{call: number for number, call in enumerate(CALLS, 1)},
    **{f"{verb}:{card}": n for verb in ("discard", "play") for card, n in _CARDS.items()},
}
"""The number of each word that comes in lists; a byte of a head is its own."""
_AS_SEATS: Final = bytes.maketrans(bytes(_SEATS), bytes(_SEATS.values()))


def _lists(*words: str) -> bytes:
    """Write lists, at least two words with their heads; nothing looks up so many as fast."""
    return bytes(itemgetter(*words)(_IN_LISTS))


# Turns

_E_WHO: Final[Mapping[tuple[str, Seat | None, Seat], bytes]] = {
    (phase, seat, dealer): number_field(1, n)
    + number_field(2, _SEATS[seat])
    + number_field(3, _SEATS[dealer])
    for phase, n in _PHASES.items()
    for seat in SEATS
    for dealer in SEATS
}
_E_NORTH_SOUTH, _E_EAST_WEST, _E_HAND_NUMBER = _Count(4), _Count(5), _Count(6)
_E_STUCK: Final = (number_field(7, False), number_field(7, True))
_E_UPCARD, _E_DISCARD = _words(8, _CARDS), "\x70"
_E_TRUMP, _E_MAKER, _E_SITS_OUT = _words(10, _SUITS), _words(11, _SEATS), _words(12, _SEATS)
_E_CALLS, _E_HAND, _E_PLAYED = map(_heads, (9, 13, 15))
_E_LEADERS: Final = (b"", *(head(16, size) for size in range(1, 6)))
_E_LEGAL: Final = {phase: _heads(17 if phase == "bidding" else 18) for phase in _PHASES}


@lru_cache(256)
def _e_calls(calls: tuple[Action, ...]) -> bytes:
    return _lists(*_E_CALLS[len(calls)], *calls) if calls else b""


@lru_cache(8192)
def _e_legal(phase: str, legal: tuple[Action, ...]) -> bytes:
    return _lists(*_E_LEGAL[phase][len(legal)], *legal) if legal else b""


def _euchre(view: EuchreView, match: Match) -> bytes:
    # Taken apart at once: reading so many fields by name takes several times as long.
    seat, phase, dealer, stuck, turned, calls, trump, maker, sits_out = view[:9]
    hand, discard, played, leaders, _, legal, _ = view[9:]
    return b"".join(
        (
            _E_WHO[phase, seat, dealer],
            _E_NORTH_SOUTH[match.score[0]],
            _E_EAST_WEST[match.score[1]],
            _E_HAND_NUMBER[match.hand],
            _E_STUCK[stuck],
            _E_UPCARD[turned],
            _e_calls(calls),
            _E_TRUMP[trump],
            _E_MAKER[maker],
            _E_SITS_OUT[sits_out],
            _lists(
                *_E_HAND[len(hand)],
                *hand,
                *((_E_DISCARD, discard) if discard else ()),
                *_E_PLAYED[len(played)],
                *played,
            ),
            _E_LEADERS[len(leaders)],
            bytes(leaders).translate(_AS_SEATS),
            _e_legal(phase, legal),
        )
    )


_W_WHO: Final[Mapping[tuple[Seat | None, Seat], bytes]] = {
    (seat, dealer): number_field(1, _SEATS[seat]) + number_field(2, _SEATS[dealer])
    for seat in SEATS
    for dealer in SEATS
}
_W_NORTH_SOUTH, _W_EAST_WEST, _W_HAND_NUMBER = _Count(3), _Count(4), _Count(5)
_W_TRUMP_CARD: Final = _words(6, _CARDS)
_W_HAND, _W_PLAYED, _W_LEGAL = map(_heads, (7, 8, 10))
_W_LEADERS: Final = tuple(head(9, size) for size in range(14))


def _whist(view: WhistView, match: Match) -> bytes:
    seat, _, dealer, turned, _, hand, played, leaders, _, legal, _ = view
    return b"".join(
        (
            _W_WHO[seat, dealer],
            _W_NORTH_SOUTH[match.score[0]],
            _W_EAST_WEST[match.score[1]],
            _W_HAND_NUMBER[match.hand],
            _W_TRUMP_CARD[turned],
            _lists(*_W_HAND[len(hand)], *hand, *_W_PLAYED[len(played)], *played),
            _W_LEADERS[len(leaders)],
            bytes(leaders).translate(_AS_SEATS),
            _lists(*_W_LEGAL[len(legal)], *legal) if legal else b"",
        )
    )


def _recycle(view: RecycleView, match: Match) -> bytes:
    # Partners stay partners, so each side of the program is one side of the match.
    own = dict(zip(view.program.sides, view.sides, strict=True))
    scores = [match.score[own[side]] for side in range(len(own))]
    return encode(view.seen, scores, match.hand)


def _view_heads(field: int) -> Callable[[int], bytes]:
    return [head(field, size) for size in range(_LONGEST_VIEW + 1)].__getitem__


_VIEWS: Final[Mapping[type, tuple[Callable[[Any, Match], bytes], Callable[[int], bytes]]]] = {
    EuchreView: (_euchre, _view_heads(4)),
    WhistView: (_whist, _view_heads(5)),
    RecycleView: (_recycle, partial(head, 15)),
}
"""By the type of a view: what writes it, and the head of the turn's field by its size."""


def encode_turn(turn_id: int, table_id: int, time_left: float, match: Match, state: State) -> bytes:
    """Write the turn of the seat that is to act, which has so many seconds left, or 0."""
    return b"".join(
        (
            b"\x08",
            varint(turn_id),
            b"\x10",
            varint(table_id),
            _time_left(time_left) if time_left else b"",
            encode_view(match, state.view(state.actor)),
        )
    )


def encode_view(match: Match, view: View) -> bytes:
    """Write the field of a turn that holds what a seat sees of a hand in play."""
    write, view_head = _VIEWS[type(view)]
    content = write(view, match)
    return view_head(len(content)) + content


def _time_left(seconds: float) -> bytes:
    """Write the time, and not as 0 where some is left: that stands for no limit."""
    return number_field(3, max(1, int(seconds * 1000)))


# What else the referee says


def encode_frame(
    opened: Iterable[tuple[int, int]],
    turns: Iterable[bytes],
    closed: Iterable[tuple[int, str, Sequence[int]]],
    *,
    by_side: bool = False,
) -> bytes:
    """Write a frame: tables with their seeds, turns already written, reasons and scores.

    The scores are those of the two teams, or `by_side` of as many sides as there are.
    """
    parts = [sized(1, table) for table in starmap(_opened, opened)]
    for turn in turns:
        parts += (head(2, len(turn)), turn)
    close = _closed_by_side if by_side else _closed
    parts += [sized(3, table) for table in starmap(close, closed)]
    frame = b"".join(parts)
    return varint(2 << 3 | 2) + varint(len(frame)) + frame


def _opened(table_id: int, seed: int) -> bytes:
    return referee_pb2.TableOpened(table_id=table_id, seed=seed).SerializeToString()


def _closed(table_id: int, reason: str, score: Sequence[int]) -> bytes:
    north_south, east_west = score
    return referee_pb2.TableClosed(
        table_id=table_id,
        reason=_reason(reason),
        points_north_south=north_south,
        points_east_west=east_west,
    ).SerializeToString()


def _closed_by_side(table_id: int, reason: str, score: Sequence[int]) -> bytes:
    return referee_pb2.TableClosed(
        table_id=table_id, reason=_reason(reason), scores=score
    ).SerializeToString()


def _reason(word: str) -> "referee_pb2.CloseReason.ValueType":
    return referee_pb2.CloseReason.Value(f"CLOSE_REASON_{word.upper()}")


def _of_two_teams(rules: Callable[..., Message]) -> Callable[[Any, Seat], dict[str, Any]]:
    return lambda game, seat: {"seat": _SEATS[seat], game.name: rules(**game.rules._asdict())}


def _described(game: Any, seat: Seat) -> dict[str, Any]:  # noqa: ANN401 (one kind of game)
    rules = game.rules
    return {"recycle": rules_message(rules.name, game.program, rules.hands, seat)}


_RULES: Final[Mapping[str, Callable[[Any, Seat], dict[str, Any]]]] = {
    "euchre": _of_two_teams(euchre_pb2.EuchreRules),
    "whist": _of_two_teams(whist_pb2.WhistRules),
    "recycle": _described,
}
"""By the name of a game: the fields of a welcome that tell it and the seat."""


def encode_welcome(terms: Terms, seat: Seat, tables: int) -> bytes:
    """Encode the welcome of a bot that may play at so many tables at once."""
    game, limits = terms.game, terms.limits
    welcome: dict[str, Any] = {
        "protocol_revision": PROTOCOL_REVISION,
        "limits": referee_pb2.Limits(
            decision_ms=round(limits.decision * 1000),
            bank_ms=round(limits.bank * 1000),
            increment_ms=round(limits.increment * 1000),
            tables=tables,
        ),
        **_RULES[game.name](game, seat),
    }
    return _response(welcome=referee_pb2.Welcome(**welcome))


def encode_fault(kind: str, table_id: int, turn_id: int, explanation: str) -> bytes:
    """Encode what the bot did wrong; `kind` is a token such as ``illegal_action``."""
    words = explanation[:_MOST_EXPLAINED].encode(errors="replace").decode()
    notice = referee_pb2.FaultNotice(
        fault=referee_pb2.Fault.Value(f"FAULT_{kind.upper()}"),
        table_id=table_id,
        turn_id=turn_id,
        explanation=words,
    )
    return _response(fault=notice)


def _response(**said: Any) -> bytes:  # noqa: ANN401 (one of the messages)
    return referee_pb2.PlayResponse(**said).SerializeToString()


GOODBYE: Final = _response(goodbye=referee_pb2.Goodbye())


# What a bot says


def decode_request(data: bytes) -> Hello | Answers | None:
    """Read a message of a bot; None if it is none of this protocol."""
    if len(data) > MOST_BYTES:
        return None
    try:
        request = referee_pb2.PlayRequest.FromString(data)
    except DecodeError:
        return None
    match request.WhichOneof("message"):
        case "answers":
            return _answers(request.answers)
        case "hello":
            return _hello(request.hello)
        case _:
            return None


def _answers(said: referee_pb2.Answers) -> Answers | None:
    turn_ids, choices = said.turn_ids, said.choices
    if len(turn_ids) != len(choices) or len(turn_ids) > MOST_ANSWERS:
        return None
    return Answers(tuple(turn_ids), tuple(choices))


def _hello(said: referee_pb2.Hello) -> Hello | None:
    if max(len(said.token.encode()), len(said.sdk.encode())) > MOST_TEXT:
        return None
    if said.tables > MOST_TABLES:
        return None
    return Hello(said.token, said.protocol_revision, said.sdk, said.tables or 1)

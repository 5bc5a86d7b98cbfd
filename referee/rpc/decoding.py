"""Reads recorded messages of both sides as a card player does."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError, Message

from referee.arena.limits import Terms
from referee.engine.cards import SEATS, SUITS, Action, Card, Seat, Suit
from referee.engine.game import State
from referee.engine.match import Match
from referee.rpc.codec import encode_turn, encode_welcome
from referee.rpc.enums import CALLS, CARDS, PHASES
from referee.rpc.transcript import FROM_BOT
from referee.text import counted, plain
from upcard.v1 import referee_pb2

UNKNOWN: Final = "?"
"""What stands where the number of a card, a call or a phase means nothing."""


class AskedTurn(NamedTuple):
    """A turn, as the card player saw it who was asked."""

    turn: int
    table: int
    time_left: float
    """Seconds; 0 if there is no bank."""
    game: str
    phase: str
    seat: Seat | None
    dealer: Seat | None
    score: tuple[int, ...]
    hand_number: int
    """From 0."""
    turned: Card | None
    calls: tuple[Action, ...]
    trump: Suit | None
    maker: Seat | None
    sits_out: Seat | None
    hand: tuple[Card, ...]
    discard: Card | None
    played: tuple[Card, ...]
    leaders: tuple[Seat, ...]
    legal: tuple[Action, ...]
    table_lines: tuple[str, ...] = ()
    """What lies where and what is stored, in a game described in RECYCLE.

    Its seat is the player; what it has none of is nothing.
    """

    @property
    def tricks(self) -> list[tuple[Seat, tuple[Card, ...]]]:
        """Each trick with its leader, the one in progress last."""
        size = 4 if self.sits_out is None else 3
        return [
            (leader, self.played[number * size : (number + 1) * size])
            for number, leader in enumerate(self.leaders)
        ]


class Frame(NamedTuple):
    """What the referee sent a bot at one moment."""

    opened: Mapping[int, int]
    """The random bits of each table at which a match began."""
    turns: tuple[AskedTurn, ...]
    closed: tuple[int, ...]


class DecodedHello(NamedTuple):
    """How a bot presents itself, whatever it says."""

    token: str
    protocol_revision: int
    sdk: str
    tables: int


def kind_of(way: str, data: bytes) -> str | None:
    """Name a message (``hello``, ``frame``); None if it is none of the protocol."""
    message = _message(way, data)
    return message.WhichOneof("message") if message else None


def as_json(way: str, data: bytes) -> dict[str, Any] | None:
    """Return a message by its fields; None if it is none of the protocol."""
    message = _message(way, data)
    if message is None:
        return None
    return MessageToDict(message, preserving_proto_field_name=True)


def read_faces(data: bytes) -> tuple[str, ...]:
    """Return the names of the cards that a welcome tells; nothing if it tells none."""
    message = _message("", data)
    return tuple(face.name for face in message.welcome.recycle.faces) if message else ()


def read_frame(data: bytes, faces: Sequence[str] = ()) -> Frame | None:
    """Read a frame; None if it is another message.

    The `faces` are those of the welcome, to name cards in a game described in RECYCLE.
    """
    message = _message("", data)
    if message is None or message.WhichOneof("message") != "frame":
        return None
    frame = message.frame
    return Frame(
        {table.table_id: table.seed for table in frame.opened},
        tuple(_asked(turn, faces) for turn in frame.turns),
        tuple(table.table_id for table in frame.closed),
    )


def asked_turn(match: Match, state: State) -> AskedTurn:
    """Return the turn of the seat that is to act, as its bot is asked it."""
    assert state.actor is not None
    faces = read_faces(encode_welcome(Terms(match.game), state.actor, 1))
    return _asked(referee_pb2.Turn.FromString(encode_turn(1, 1, 0, match, state)), faces)


def open_tables(frame: bytes, tables: Iterable[int]) -> bytes:
    """Return a frame that opens some more tables, with a seed of 0."""
    response = referee_pb2.PlayResponse.FromString(frame)
    for table in tables:
        response.frame.opened.add(table_id=table)
    return response.SerializeToString()


def read_hello(data: bytes) -> DecodedHello | None:
    """Read a hello as it is, however wrong; None if it is another message."""
    message = _message(FROM_BOT, data)
    if message is None or message.WhichOneof("message") != "hello":
        return None
    hello = message.hello
    return DecodedHello(hello.token, hello.protocol_revision, hello.sdk, hello.tables)


def _message(way: str, data: bytes) -> Any:  # noqa: ANN401 (one of two generated types)
    kind: type[Message] = referee_pb2.PlayRequest if way == FROM_BOT else referee_pb2.PlayResponse
    try:
        return kind.FromString(data)
    except DecodeError:
        return None


def _asked(turn: referee_pb2.Turn, faces: Sequence[str]) -> AskedTurn:
    match turn.WhichOneof("view"):
        case "euchre":
            seen = _euchre(turn.euchre)
        case "recycle":
            seen = _described(turn.recycle, faces)
        case _:
            seen = _whist(turn.whist)
    return AskedTurn(
        turn=turn.turn_id, table=turn.table_id, time_left=turn.time_left_ms / 1000, **seen
    )


def _euchre(view: Any) -> dict[str, Any]:  # noqa: ANN401 (generated)
    phase = _named(view.phase, PHASES) or UNKNOWN
    verb = "discard" if phase == "discarding" else "play"
    calls, cards = _each(view.legal_calls, CALLS), _each(view.legal_cards, CARDS)
    return _in_common(view) | {
        "game": "euchre",
        "phase": phase,
        "turned": _named(view.upcard, CARDS),
        "calls": _each(view.calls, CALLS),
        "trump": _named(view.trump, SUITS),
        "maker": _named(view.maker, SEATS),
        "sits_out": _named(view.sits_out, SEATS),
        "discard": _named(view.discard, CARDS),
        "legal": calls or tuple(Action(f"{verb}:{card}") for card in cards),
    }


def _whist(view: Any) -> dict[str, Any]:  # noqa: ANN401 (generated)
    turned = _named(view.trump_card, CARDS)
    return _in_common(view) | {
        "game": "whist",
        "phase": "playing",
        "turned": turned,
        "calls": (),
        "trump": turned and Suit(turned[1:]),
        "maker": None,
        "sits_out": None,
        "discard": None,
        "legal": tuple(Action(f"play:{card}") for card in _each(view.legal_cards, CARDS)),
    }


def _described(view: Any, faces: Sequence[str]) -> dict[str, Any]:  # noqa: ANN401 (generated)
    return {
        "game": "recycle",
        "phase": "acting",
        "seat": view.player - 1 if view.player else None,
        "dealer": None,
        "score": tuple(view.scores),
        "hand_number": view.hand_number,
        "turned": None,
        "calls": (),
        "trump": None,
        "maker": None,
        "sits_out": None,
        "hand": (),
        "discard": None,
        "played": (),
        "leaders": (),
        "legal": tuple(Action(plain(move.text)) for move in view.legal),
        "table_lines": tuple(map(plain, _table_lines(view, faces))),
    }


def _table_lines(view: Any, faces: Sequence[str]) -> Iterator[str]:  # noqa: ANN401 (generated)
    for place in view.places:
        index = f" {place.index}" if place.index else ""
        cards = counted(place.size, "card") if place.hidden else " ".join(_each(place.faces, faces))
        yield f"{_owner(place.owner)}, {place.kind} {place.name}{index}: {cards or 'nothing'}"
    for stored in (*view.numbers, *view.texts):
        yield f"{_owner(stored.owner)}, {stored.name}: {stored.value}"


def _owner(owner: int) -> str:
    if not owner:
        return "table"
    return f"player {owner}" if owner > 0 else f"team {-owner}"


def _in_common(view: Any) -> dict[str, Any]:  # noqa: ANN401 (generated)
    return {
        "seat": _named(view.seat, SEATS),
        "dealer": _named(view.dealer, SEATS),
        "score": (view.points_north_south, view.points_east_west),
        "hand_number": view.hand_number,
        "hand": _each(view.hand, CARDS),
        "played": _each(view.played, CARDS),
        "leaders": tuple(seat - 1 for seat in view.leaders if 0 < seat <= len(SEATS)),
    }


def _named(number: int, names: Sequence[Any]) -> Any:  # noqa: ANN401 (one of the names)
    return names[number - 1] if 0 < number <= len(names) else None


def _each(numbers: Sequence[int], names: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(names[n - 1] if 0 < n <= len(names) else UNKNOWN for n in numbers)

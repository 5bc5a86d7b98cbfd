"""The play of a duel as one small record: the match of each room, without the decks.

It is a byte for the format, and then, compressed, what was played. Nothing of the seed stands in
it. There are two formats: 1 for two teams of two, with the game, its rules, every token that it
plays with, and the numbers of those tokens, so that it can be read when the game has learnt new
ones; 2 for any other game, whose actions nobody may be able to list, as JSON of the records without
their game, which the reader knows.
"""

import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import chain, islice
from typing import Final, NamedTuple

from referee.engine.cards import RANKS, SEATS, SUITS, Action, Seat
from referee.engine.game import Game, HandResult
from referee.engine.partnerships import PartnershipGame
from referee.engine.record import (
    Forfeit,
    HandRecord,
    MatchRecord,
    SeededDeal,
    with_game,
    without_game,
)
from referee.engine.recycle.game import LONGEST_PLAY
from referee.engine.registry import kind
from referee.engine.seating import rooms as rooms_of
from referee.errors import ConfigError, RecordError

FORMAT: Final = 1
ANY_GAME: Final = 2
_MATCH: Final = struct.Struct("<BBBHHHH")
"""First dealer; forfeiting seat and actions of its hand; hands, notes, both scores."""
_HEAD: Final = struct.Struct("<H")
_NOBODY: Final = 255
_MOST: Final = 1 << 20
"""Bytes, decompressed; the longest duel takes a twentieth."""
_MOST_ANY: Final = LONGEST_PLAY
"""The same of any other game. With its program in each record, such a duel fits in a line of an
export, and it has fewer values than any file of ours may have."""
LONGEST: Final = _MOST_ANY + (1 << 12)
"""Bytes of a play as it is packed; what cannot be compressed grows by less than a thousandth."""
_LEVEL: Final = 6

_DAMAGED: Final = (
    *(zlib.error, struct.error, ConfigError, StopIteration, RecursionError),
    *(ValueError, LookupError, TypeError, AttributeError),
)
"""What comes of reading bytes that `packed` did not return."""

Rooms = tuple[MatchRecord, ...]


def _tokens(verb: str, ranks: Iterable[str]) -> str:
    return ",".join(f'"{verb}:{rank}{suit}"' for suit in SUITS for rank in ranks)


# Part of the format: another dictionary would make what was written unreadable.
_DICTIONARY: Final = (
    f'["whist",{{"target":10}},[{_tokens("play", RANKS)}],["slam"]]'
    '["euchre",{"alone":true,"stick_dealer":true,"partner_must_go_alone":false,"target":10},'
    f'["pass","order_up","order_up_alone",{_tokens("name", ("",))},{_tokens("name_alone", ("",))},'
    f"{_tokens('discard', RANKS[7:])},{_tokens('play', RANKS[7:])}],"
    '["ordered_up","named","stuck","alone","march","euchred","misdeal"]]'
).encode()


class _Code(NamedTuple):
    """A game as it stands in a record, and the numbers of its tokens."""

    written: bytes
    actions: dict[Action, int]
    notes: dict[str, int]


class _Tokens(NamedTuple):
    """The same, read."""

    game: Game
    actions: tuple[Action, ...]
    notes: tuple[str, ...]


def packed(rooms: Rooms) -> bytes:
    """Pack the play of a duel; all matches are of one game.

    Raises:
        RecordError: it is longer than what can be read back.
    """
    game = rooms[0].game
    if not isinstance(game, PartnershipGame):
        written = json.dumps([*map(without_game, rooms)], separators=(",", ":")).encode()
        if len(written) > _MOST_ANY:
            raise RecordError("play", f"takes more than {_MOST_ANY >> 20} MB; play fewer hands")
        return bytes([ANY_GAME]) + zlib.compress(written, _LEVEL)
    code = _code(game)
    body = b"".join(chain.from_iterable(_match(code, record) for record in rooms))
    squeeze = zlib.compressobj(_LEVEL, zdict=_DICTIONARY)
    head = _HEAD.pack(len(code.written)) + code.written
    return bytes([FORMAT]) + squeeze.compress(head + body) + squeeze.flush()


def unpacked(data: bytes, dealt: SeededDeal, game: Game) -> Rooms:
    """Return the matches of a duel back, exactly as they were packed.

    Args:
        data: the play.
        dealt: what its decks are made from.
        game: what its league plays.

    Raises:
        RecordError: it was damaged, or is of a newer program.
    """
    if data[:1] == bytes([ANY_GAME]):
        return _unpacked_any(data[1:], dealt, game)
    if data[:1] != bytes([FORMAT]):
        raise RecordError("play", "is of a newer upcard, or damaged; update upcard")
    try:
        expand = zlib.decompressobj(zdict=_DICTIONARY)
        body = BytesIO(expand.decompress(data[1:], _MOST))
        (length,) = _HEAD.unpack(body.read(_HEAD.size))
        tokens = _read(body.read(length))
        rooms = _unpack_match(tokens, body, dealt), _unpack_match(tokens, body, dealt)
    except _DAMAGED:
        raise RecordError("play", "is damaged") from None
    if not expand.eof or body.read(1):
        raise RecordError("play", "is damaged")
    return rooms


def _unpacked_any(data: bytes, dealt: SeededDeal, game: Game) -> Rooms:
    expand = zlib.decompressobj()
    try:
        forms = json.loads(expand.decompress(data, _MOST_ANY))
        rooms = tuple(with_game(form, game, dealt) for form in forms)
    except (*_DAMAGED, RecordError):
        raise RecordError("play", "is damaged") from None
    if not expand.eof or len(rooms) != len(rooms_of(game)):
        raise RecordError("play", "is damaged")
    return rooms


@lru_cache(maxsize=16)
def _code(game: Game) -> _Code:
    written = [game.name, game.rules._asdict(), game.actions, game.notes]
    return _Code(
        json.dumps(written, separators=(",", ":")).encode(),
        {action: number for number, action in enumerate(game.actions)},
        {note: number for number, note in enumerate(game.notes)},
    )


@lru_cache(maxsize=16)
def _read(written: bytes) -> _Tokens:
    name, rules, actions, notes = json.loads(written)
    if not {*map(type, (name, *actions, *notes))} <= {str}:
        raise TypeError(name)
    return _Tokens(kind(name).with_rules(rules), tuple(map(Action, actions)), tuple(notes))


def _match(code: _Code, record: MatchRecord) -> Iterator[bytes]:
    hands, forfeit = record.hands, record.forfeit
    results = [hand.result for hand in hands]
    notes = [code.notes[note] for result in results for note in result.notes]
    left, unfinished = (forfeit.seat, forfeit.actions) if forfeit else (_NOBODY, ())
    yield _MATCH.pack(
        record.first_dealer, left, len(unfinished), len(hands), len(notes), *record.score
    )
    yield bytes(hand.dealer for hand in hands)
    yield bytes(len(hand.actions) for hand in hands)
    yield bytes(chain.from_iterable((*result.points, *result.tricks) for result in results))
    yield bytes(len(result.notes) for result in results)
    yield bytes(notes)
    played = [*chain.from_iterable(hand.actions for hand in hands), *unfinished]
    yield _turns([seat for seat, _ in played])
    yield bytes([code.actions[action] for _, action in played])


def _turns(seats: Sequence[Seat]) -> bytes:
    """Return how far the turn moved on beyond the next seat: mostly not, and so well compressed."""
    return bytes(
        [(seat - before - 1) & 3 for before, seat in zip([3, *seats], seats, strict=False)]
    )


def _seats(turns: Iterable[int]) -> Iterator[Seat]:
    seat = 3
    for turn in turns:
        seat = (seat + turn + 1) & 3
        yield seat


def _unpack_match(tokens: _Tokens, body: BytesIO, dealt: SeededDeal) -> MatchRecord:
    first_dealer, left, unfinished, hands, noted, *score = _MATCH.unpack(body.read(_MATCH.size))
    dealers, lengths = body.read(hands), body.read(hands)
    if max(first_dealer, *dealers, 0 if left == _NOBODY else left) not in SEATS:
        raise ValueError(left)
    numbers, counts = iter(body.read(4 * hands)), body.read(hands)
    notes = iter([tokens.notes[number] for number in body.read(noted)])
    results = [_result(numbers, notes, count) for count in counts]
    total = sum(lengths) + unfinished
    seats = _seats(body.read(total))
    played = zip(seats, [tokens.actions[number] for number in body.read(total)], strict=True)
    return MatchRecord(
        tokens.game,
        first_dealer,
        dealt,
        tuple(
            HandRecord(dealer, tuple(islice(played, length)), result)
            for dealer, length, result in zip(dealers, lengths, results, strict=True)
        ),
        (score[0], score[1]),
        None if left == _NOBODY else Forfeit(left, tuple(played)),
    )


def _result(numbers: Iterator[int], notes: Iterator[str], noted: int) -> HandResult:
    points = next(numbers), next(numbers)
    tricks = next(numbers), next(numbers)
    return HandResult(points, tricks, tuple(islice(notes, noted)))

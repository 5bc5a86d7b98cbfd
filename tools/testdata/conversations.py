"""Conversations on the wire that any bot must be able to hold, whatever it is written in."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from referee.arena.limits import Terms, TimeLimits
from referee.engine.game import Game
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import preset
from referee.rpc.codec import encode_fault, encode_frame, encode_turn, encode_welcome
from upcard.v1.euchre_pb2 import EuchreCall, EuchrePhase
from upcard.v1.referee_pb2 import (
    CloseReason,
    Fault,
    FaultNotice,
    Frame,
    PlayResponse,
    TableClosed,
    Turn,
    Welcome,
)

from . import described
from .chance import Chance
from .lines import HELLO, Conversation, Line, answers, ask, close, end, goodbye, say
from .moments import TABLES, DueDecision, moments
from .unknown import UNKNOWN_KIND, with_unknown_fields

SEED: Final = 2**64 - 1
"""The largest a table may have."""


NOT_KNOWN: Final = "does not know"
"""What a bot tells that was asked what it cannot answer."""


def conversations() -> dict[str, Conversation]:
    """Return each of them by its name."""
    return {
        "euchre_match": euchre_match(),
        "whist_match": whist_match(),
        "recycle_turns": recycle_turns(),
        "large_frame": large_frame(),
        "news_only": news_only(),
        "closed_without_a_turn": closed_without_a_turn(),
        "unknown_fields": unknown_fields(),
        "unknown_message": unknown_message(),
        "unknown_reason": unknown_reason(),
        "unknown_fault": unknown_fault(),
        "unknown_game": unknown_game(),
        "unknown_view": unknown_view(),
        "unknown_call": unknown_call(),
        "unknown_phase": unknown_phase(),
        "fault": fault(),
        "goodbye_at_once": goodbye_at_once(),
        "goodbye_instead_of_welcome": goodbye_instead_of_welcome(),
        "refused": refused(),
        "stream_ended": stream_ended(),
        "stream_broken": stream_broken(),
    }


def welcome(name: str = "euchre", seat: int = 0, bank: float = 0.0, **rules: object) -> bytes:
    """Receive a bot in a seat."""
    limits = TimeLimits(bank=bank)
    return encode_welcome(Terms(preset(name).game(rules), limits), seat, tables=256)


RECEIVED: Final = [HELLO, say(welcome())]


def euchre_match() -> Conversation:
    """Play a match to five points, West's turns only."""
    game = preset("euchre").game({"target": 5})
    return Conversation(
        "A short match of euchre, as West was asked.",
        "euchre",
        [HELLO, say(welcome("euchre", 3, target=5)), *match(game, 3, "euchre"), *goodbye()],
    )


def whist_match() -> Conversation:
    """Play a match to three points with a bank of time, East's turns only."""
    game = preset("whist").game({"target": 3})
    return Conversation(
        "A short match of whist, as East was asked, with two minutes for all of it.",
        "whist",
        [HELLO, say(welcome("whist", 1, 120, target=3)), *match(game, 1, "whist", 120), *goodbye()],
    )


def match(game: Game, seat: int, key: str, bank: float = 0.0) -> Iterator[Line]:
    """Ask one seat a turn a frame, as the referee does: not where there is only one action.

    The seat takes the first action, the others draw theirs.
    """
    chance = Chance(7)
    sheet = Scoresheet(game, 0, SeededDeal(bytes(32), key))
    opened = [(TABLES[-1], SEED)]
    turn_id = 0
    while (actor := sheet.state.actor) is not None:
        if actor == seat and len(sheet.state.legal) > 1:
            turn_id += 1
            time_left = bank and bank - turn_id / 100
            turn = encode_turn(turn_id, TABLES[-1], time_left, sheet.match, sheet.state)
            yield from ask(turn, opened=opened)
            opened = []
        sheet.play(sheet.state.legal[0] if actor == seat else chance.choose(sheet.state.legal))
    yield from ask(closed=[(TABLES[-1], "played", sheet.match.score)])


def recycle_turns() -> Conversation:
    """Ask a player of a game described in RECYCLE, with little to say and with much."""
    rules, one, other = described.of_a_match()
    turns = [
        described.turn(rules, view | {"table": table, "turn": number})
        for number, (table, view) in enumerate(((1, one), (2, other), (1, other)), 1)
    ]
    received = Welcome.FromString(described.welcome(rules))
    return Conversation(
        "Turns of a game that is described in RECYCLE, as one of its eight players was asked.",
        "recycle",
        [
            HELLO,
            say(PlayResponse(welcome=received)),
            *ask(*turns[:2], opened=[(1, SEED), (2, 0)]),
            *ask(turns[2]),
            say(encode_frame((), (), [(1, "played", (-200, 13))], by_side=True)),
            *goodbye(),
        ],
    )


def large_frame() -> Conversation:
    """Ask as many tables as a bot may sit at, twice."""
    due = norths_turns(2 * 256)
    numbers = [7919 * number for number in range(1, 257)]
    frames = [
        [
            moment._replace(turn_id=turn_id, table_id=table).turn()
            for turn_id, table, moment in zip(
                range(first + 1, first + 257), numbers, islice(due, 256), strict=True
            )
        ]
        for first in (0, 256)
    ]
    return Conversation(
        "256 tables are opened at once, and all are asked in one frame, and in another.",
        "euchre",
        [
            *RECEIVED,
            *ask(*frames[0], opened=[(table, SEED - table) for table in numbers]),
            *ask(*frames[1]),
            *ask(closed=[(table, "played", (10, 3)) for table in numbers]),
            *goodbye(),
        ],
    )


def norths_turns(number: int) -> Iterator[DueDecision]:
    """Return decisions of North in matches by the usual rules."""
    found = (
        moment
        for match_number in range(number)
        for moment in moments("euchre", {}, match_number)
        if moment.state.actor == 0 and len(moment.state.legal) > 1
    )
    return islice(found, number)


def turns(*places: tuple[int, int]) -> list[bytes]:
    """Return turns of North by their numbers and tables."""
    return [
        moment._replace(turn_id=turn_id, table_id=table_id).turn()
        for moment, (turn_id, table_id) in zip(norths_turns(len(places)), places, strict=True)
    ]


def news_only() -> Conversation:
    """Say frames without a turn."""
    one, two = turns((1, 1), (2, 2))
    return Conversation(
        "Frames with news only, and an empty one, are read and not answered.",
        "euchre",
        [
            *RECEIVED,
            *ask(opened=[(1, 0), (2, SEED)]),
            *ask(one),
            *ask(closed=[(1, "played", (10, 8))]),
            *ask(),
            *ask(two),
            *goodbye(),
        ],
    )


def closed_without_a_turn() -> Conversation:
    """Close a table at which nobody was asked, and one that was never opened."""
    one, two = turns((1, 1), (2, 1))
    return Conversation(
        "Tables are closed at which there was no turn, one of them never opened.",
        "euchre",
        [
            *RECEIVED,
            *ask(one, opened=[(1, 5), (2, 6)], closed=[(2, "forfeited", (10, 0))]),
            *ask(two, closed=[(3, "voided", (0, 0))]),
            *goodbye(),
        ],
    )


def unknown_fields() -> Conversation:
    """Add to every message a field that no revision has."""
    one, two = turns((1, 1), (2, 1))
    told = [
        welcome(),
        bytes.fromhex(ask(one, opened=[(1, 5), (2, 6)], closed=[(2, "voided", (0, 0))])[0]["say"]),
        bytes.fromhex(ask(two)[0]["say"]),
    ]
    first, second, third = (say(with_unknown_fields(response)) for response in told)
    return Conversation(
        "Every message has a field that nobody knows yet.",
        "euchre",
        [HELLO, first, second, answers(one), third, answers(two), *goodbye()],
    )


def unknown_message() -> Conversation:
    """Say things of a kind that is not there yet."""
    one, two = turns((1, 1), (2, 1))
    return Conversation(
        "Messages of a kind that nobody knows yet, and one of none, are passed over.",
        "euchre",
        [
            HELLO,
            say(UNKNOWN_KIND),
            say(welcome()),
            say(UNKNOWN_KIND),
            *ask(one, opened=[(1, 5)]),
            say(UNKNOWN_KIND),
            say(b""),
            *ask(two),
            *goodbye(),
        ],
    )


def unknown_reason() -> Conversation:
    """Close a table for a reason that is not there yet."""
    one, two = turns((1, 1), (2, 2))
    closing = TableClosed(table_id=1, reason=CloseReason.ValueType(999))
    return Conversation(
        "A table is closed for a reason that nobody knows yet.",
        "euchre",
        [
            *RECEIVED,
            *ask(one, opened=[(1, 5), (2, 6)]),
            say(PlayResponse(frame=Frame(closed=[closing]))),
            *ask(two),
            *goodbye(),
        ],
    )


def unknown_fault() -> Conversation:
    """Complain of something that is not there yet."""
    one, two = turns((1, 1), (2, 2))
    notice = FaultNotice(fault=Fault.ValueType(999), table_id=1, turn_id=1, explanation="a new one")
    return Conversation(
        "A fault of a kind that nobody knows yet is told, and play goes on.",
        "euchre",
        [
            *RECEIVED,
            *ask(one, opened=[(1, 5), (2, 6)]),
            say(PlayResponse(fault=notice)),
            *ask(two),
            *goodbye("fault 999 at table 1, turn 1: a new one"),
        ],
    )


def unknown_game() -> Conversation:
    """Receive the bot to a game that is not there yet."""
    welcomed = PlayResponse.FromString(welcome())
    welcomed.welcome.ClearField("euchre")
    welcomed.welcome.MergeFromString(b"\x3a\x02\x08\x0a")
    return Conversation(
        "The game is one that nobody knows yet: that is an error.",
        None,
        [HELLO, say(welcomed), end(1, NOT_KNOWN)],
    )


def unknown_view() -> Conversation:
    """Ask for a decision of a game that is not there yet."""
    turn = Turn(turn_id=1, table_id=1)
    turn.MergeFromString(b"\xa2\x06\x02\x08\x0a")
    return _asked_what_is_not_known("The view of a turn is of a game that nobody knows yet", turn)


def unknown_call() -> Conversation:
    """Offer a call that is not there yet, before those that are."""
    turn = Turn.FromString(*turns((1, 1)))
    turn.euchre.legal_calls.insert(0, EuchreCall.ValueType(999))
    return _asked_what_is_not_known("A turn offers a call that nobody knows yet", turn)


def unknown_phase() -> Conversation:
    """Ask in a phase that is not there yet."""
    turn = Turn.FromString(*turns((1, 1)))
    turn.euchre.phase = EuchrePhase.ValueType(999)
    return _asked_what_is_not_known("A turn is of a phase that nobody knows yet", turn)


def _asked_what_is_not_known(what: str, turn: Turn) -> Conversation:
    asked, _ = ask(turn.SerializeToString(), opened=[(1, 5)])
    return Conversation(
        f"{what}: that is an error.", "euchre", [*RECEIVED, asked, end(1, NOT_KNOWN)]
    )


def fault() -> Conversation:
    """Complain, and go on at another table."""
    one, two = turns((12, 7), (13, 8))
    why = "chose number 2 of 2 legal actions, counted from 0"
    return Conversation(
        "A fault is told, and play goes on at another table.",
        "euchre",
        [
            *RECEIVED,
            *ask(one, opened=[(7, 5), (8, 6)]),
            say(encode_fault("illegal_action", 7, 12, why)),
            *ask(two, closed=[(7, "forfeited", (0, 10))]),
            *goodbye(f"fault ILLEGAL_ACTION at table 7, turn 12: {why}"),
        ],
    )


def goodbye_at_once() -> Conversation:
    """Receive the bot, and have nothing for it."""
    return Conversation(
        "There is nothing to play: goodbye follows the welcome.", "euchre", [*RECEIVED, *goodbye()]
    )


def goodbye_instead_of_welcome() -> Conversation:
    """Return a conversation in which the session is over before the bot is received."""
    return Conversation(
        "The session is over before the bot is received.", "euchre", [HELLO, *goodbye()]
    )


def refused() -> Conversation:
    """Receive no such bot."""
    return Conversation(
        "The referee does not receive the bot: that is an error, and told.",
        "euchre",
        [HELLO, close("UNAUTHENTICATED"), end(1, "UNAUTHENTICATED: closed by the transcript")],
    )


def stream_ended() -> Conversation:
    """End the stream without a goodbye."""
    one = turns((1, 1))
    return Conversation(
        "The stream ends without a goodbye; the bot ends too, and was not to blame.",
        "euchre",
        [*RECEIVED, *ask(*one, opened=[(1, 5)]), close("OK"), end(0)],
    )


def stream_broken() -> Conversation:
    """Break the stream off."""
    one = turns((1, 1))
    told = "UNAVAILABLE: closed by the transcript"
    return Conversation(
        "The stream breaks off; the bot tells why and ends, and was not to blame.",
        "euchre",
        [*RECEIVED, *ask(*one, opened=[(1, 5)]), close("UNAVAILABLE"), end(0, told)],
    )

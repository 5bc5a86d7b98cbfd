"""A turn that a bot was asked, and the messages around it, as text."""

import json
from collections.abc import Iterator
from typing import Final

from referee.arena import fault as kinds
from referee.engine.cards import SEAT_NAMES, TEAM_NAMES, Action, Seat
from referee.engine.registry import kind
from referee.examination.fault_bundle import FaultBundle, SentMessage
from referee.examination.rerun import illegal_answers, steps_of, unanswered
from referee.rpc.decoding import UNKNOWN, AskedTurn, as_json
from referee.rpc.transcript import FROM_BOT, Message
from referee.text import counted, plain

_LONGEST: Final = 1000
_LAST_LINES: Final = 20
_LAST_BYTES: Final = 16 * 1024


def turn_text(asked: AskedTurn) -> str:
    """Return the cards of a turn in one line."""
    if asked.game == "recycle":
        return f"{asked.phase}: {_player(asked.seat)}; legal: {'; '.join(asked.legal)}"
    legal = " ".join(asked.legal)
    return f"{asked.phase}: {_seat(asked.seat)} holds {' '.join(asked.hand)}; legal: {legal}"


def turn_lines(asked: AskedTurn) -> Iterator[str]:
    """Yield a turn as a card player would see it."""
    heading, *lines = situation_lines(asked)
    yield f"turn {asked.turn} at table {asked.table}: {heading}"
    yield from lines


def situation_lines(asked: AskedTurn) -> Iterator[str]:
    """Yield the same without the numbers of the turn and the table."""
    if asked.game == "recycle":
        yield from _described_lines(asked)
        return
    north_south, east_west = asked.score
    yield (
        f"{asked.phase}; hand {asked.hand_number + 1}; "
        f"score {TEAM_NAMES[0]} {north_south}, {TEAM_NAMES[1]} {east_west}"
    )
    yield f"you         {_seat(asked.seat)}; {_seat(asked.dealer)} deals"
    yield f"your hand   {' '.join(asked.hand)}"
    yield f"turned up   {asked.turned}"
    speaker = (asked.dealer or 0) + 1
    for place, call in enumerate(asked.calls):
        yield f"{SEAT_NAMES[(speaker + place) % 4]:<11} {_said(asked.game, call)}"
    if asked.trump:
        alone = f"; {_seat(asked.sits_out)} sits out" if asked.sits_out is not None else ""
        maker = f", made by {_seat(asked.maker)}" if asked.maker is not None else ""
        yield f"trump       {asked.trump}{maker}{alone}"
    if asked.discard:
        yield f"laid away   {asked.discard}"
    for number, (leader, cards) in enumerate(asked.tricks, start=1):
        yield f"trick {number:<5} {_seat(leader)} leads{':' if cards else ''} {' '.join(cards)}"
    legal = "  ".join(f"{number} {action}" for number, action in enumerate(asked.legal))
    yield f"legal       {legal}"


def _described_lines(asked: AskedTurn) -> Iterator[str]:
    yield (f"{asked.phase}; hand {asked.hand_number + 1}; score {' '.join(map(str, asked.score))}")
    yield f"you         {_player(asked.seat)}"
    yield from asked.table_lines
    for number, action in enumerate(asked.legal):
        yield f"{'' if number else 'legal':<11} {number} {action}"


def _player(seat: Seat | None) -> str:
    return "nobody" if seat is None else f"player {seat + 1}"


def _said(game: str, call: Action) -> str:
    return call if call == UNKNOWN else kind(game).say(call)


def _seat(seat: Seat | None) -> str:
    return "nobody" if seat is None else SEAT_NAMES[seat]


def message_text(said: Message) -> str:
    """Return a message in one line."""
    read = as_json(said.way, said.data)
    if not read:
        start = said.data[:32].hex(" ")
        return f"no message of the protocol: {counted(len(said.data), 'byte')} {start}".rstrip()
    words = plain(json.dumps(read, separators=(",", ":")))
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}… ({len(words)} characters)"


def last_lines(output: bytes) -> list[str]:
    """Return the end of what a bot wrote."""
    lines = output[-_LAST_BYTES:].decode(errors="backslashreplace").splitlines()
    return [plain(line)[:_LONGEST] for line in lines[-_LAST_LINES:]]


def turn_in_question(bundle: FaultBundle) -> tuple[AskedTurn | None, str]:
    """Return the turn at fault, and what was answered to it."""
    steps = [step for step in steps_of(bundle.messages) if step.turns]
    said = [each for each in bundle.messages if each.way == FROM_BOT]
    if not said:
        return None, "nothing: it never said hello"
    if bundle.kind == kinds.ILLEGAL_ACTION:
        for asked, choice in illegal_answers(steps):
            if asked.turn == bundle.turn or (not bundle.turn and asked.hand_number == bundle.hand):
                last = len(asked.legal) - 1
                return asked, f"number {choice}, but the legal actions are 0 to {last}"
    waiting = unanswered(bundle.messages)
    named = [each for each in waiting if each.turn == bundle.turn]
    open_turn = next(iter(named or waiting), None)
    if bundle.kind in {kinds.MALFORMED_MESSAGE, kinds.PROTOCOL_ERROR}:
        return open_turn, _last_said(said[-1])
    if open_turn is None:
        return None, "everything it was asked"
    if named or len(waiting) == 1:
        return open_turn, "nothing"
    turns = ", ".join(str(each.turn) for each in waiting)
    return open_turn, (
        f"nothing, with {counted(len(waiting), 'turn')} open: {turns}. Which one was being decided "
        "is not known; a bot on an SDK decides them in this order, so it is the first"
    )


def _last_said(said: SentMessage) -> str:
    words = message_text(Message(said.seconds, said.way, said.data))
    if said.size > len(said.data):
        return f"{words} (the first {len(said.data)} of {said.size} bytes)"
    return words

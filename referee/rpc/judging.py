"""Judges what one bot says and how it goes, by the rules that hold at every table."""

import hmac
from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.arena import fault
from referee.arena.fault import FaultKind
from referee.errors import UpcardError
from referee.rpc import codec
from referee.rpc.launcher import Ending

_LIMITS: Final = {
    "memory": (fault.MEMORY_LIMIT, "needed more memory than its sandbox has"),
    "processes": (fault.PROCESS_LIMIT, "had more processes and threads than its sandbox allows"),
    "cpu": (fault.CPU_LIMIT, "used more processor time than its sandbox allows"),
    "output": (fault.OUTPUT_LIMIT, "wrote more than its sandbox allows"),
}


class Violation(NamedTuple):
    """Something the bot did wrong."""

    kind: FaultKind
    explanation: str
    refusal: str = ""
    """The reason its stream is refused with, if it is."""


NO_HELLO: Final = Violation(
    fault.PROTOCOL_ERROR, "the first message was not a hello", refusal="NO_HELLO"
)


def received(hello: bytes, token: str) -> codec.Hello | Violation:
    """Judge a first message."""
    said = codec.decode_request(hello)
    if said is None:
        return NO_HELLO._replace(kind=fault.MALFORMED_MESSAGE)
    if not isinstance(said, codec.Hello):
        return NO_HELLO
    if not hmac.compare_digest(said.token.encode(), token.encode()):
        return Violation(fault.PROTOCOL_ERROR, "the token was not its own", "WRONG_TOKEN")
    if said.protocol_revision < codec.PROTOCOL_REVISION:
        why = f"speaks revision {said.protocol_revision} of the protocol, which is too old"
        return Violation(fault.PROTOCOL_ERROR, why, "OLD_REVISION")
    return said


def understood(message: bytes) -> codec.Answers | Violation:
    """Judge a later message by itself, whatever was asked."""
    said = codec.decode_request(message)
    if said is None:
        why = "its message is none of this protocol, or is too large"
        return Violation(fault.MALFORMED_MESSAGE, why)
    if isinstance(said, codec.Hello):
        return Violation(fault.PROTOCOL_ERROR, "said hello twice")
    return said


def wrong(said: codec.Answers, waiting: Mapping[int, int], first: int) -> Violation | None:
    """Judge an answer to turns that have so many legal actions each; older turns do not count."""
    seen: set[int] = set()
    for turn, choice in zip(said.turn_ids, said.choices, strict=True):
        if 0 < turn < first:
            continue
        legal = waiting.get(turn)
        if turn in seen or legal is None:
            return Violation(fault.PROTOCOL_ERROR, fault.not_asked(turn))
        seen.add(turn)
        if choice >= legal:
            why = fault.no_such_action(choice, legal)
            return Violation(fault.ILLEGAL_ACTION, f"{why} (turn {turn})")
    return None


def blame(ending: Ending | None) -> Violation:
    """Return what a bot did wrong that left before the goodbye, whose process may not have ended.

    That a sandbox vanished is nobody's misdeed: who can go on without it looks at `ending.how` for
    ``vanished`` first, and does not ask.

    Raises:
        UpcardError: it vanished.
    """
    if ending is None:
        return Violation(fault.DISCONNECTED, "ended its stream before the goodbye")
    if ending.how == "vanished":
        raise UpcardError(f"{ending.detail}; run again")
    if ending.limit:
        kind, why = _LIMITS[ending.limit]
    elif ending.how == "exited" and ending.exit_code == 0:
        kind, why = fault.DISCONNECTED, "left before the goodbye"
    else:
        kind, why = fault.CRASHED, "its process ended"
    return Violation(kind, f"{why} ({ending.detail})")

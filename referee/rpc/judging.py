"""Judges what a bot says, as far as that does not depend on what was asked, and how it leaves."""

import hmac
from typing import Final

from referee.arena import fault
from referee.arena.fault import Violation
from referee.rpc import codec
from referee.rpc.launcher import Ending

_LIMITS: Final = {
    "memory": (fault.MEMORY_LIMIT, "needed more memory than its sandbox has"),
    "processes": (fault.PROCESS_LIMIT, "had more processes and threads than its sandbox allows"),
    "cpu": (fault.CPU_LIMIT, "used more processor time than its sandbox allows"),
    "output": (fault.OUTPUT_LIMIT, "wrote more than its sandbox allows"),
}


NO_HELLO: Final = Violation(
    fault.PROTOCOL_ERROR, "the first message was not a hello", refusal="NO_HELLO"
)


def judge_hello(hello: bytes, token: str) -> codec.Hello | Violation:
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


def judge_message(message: bytes) -> codec.Answers | Violation:
    """Judge a later message by itself, whatever was asked."""
    said = codec.decode_request(message)
    if said is None:
        why = "its message is none of this protocol, or is too large"
        return Violation(fault.MALFORMED_MESSAGE, why)
    if isinstance(said, codec.Hello):
        return Violation(fault.PROTOCOL_ERROR, "said hello twice")
    return said


def blame(ending: Ending | None) -> Violation:
    """Return what a bot did wrong that left before the goodbye, whose process may not have ended.

    It must not be asked about a sandbox that vanished, which is nobody's fault.
    """
    if ending is None:
        return Violation(fault.DISCONNECTED, "ended its stream before the goodbye")
    assert ending.how != "vanished"
    if ending.limit:
        kind, why = _LIMITS[ending.limit]
    elif ending.how == "exited" and ending.exit_code == 0:
        kind, why = fault.DISCONNECTED, "left before the goodbye"
    else:
        kind, why = fault.CRASHED, "its process ended"
    return Violation(kind, f"{why} ({ending.detail})")

"""The lines of a conversation: what the referee says, and what is expected of the bot then."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message

from referee.rpc.codec import GOODBYE, encode_frame
from upcard.v1.referee_pb2 import Turn

Line = Mapping[str, Any]

HELLO: Final[Line] = {"expect": "hello"}


class Conversation(NamedTuple):
    """What is said on one stream."""

    what: str
    """What it shows, in a sentence."""
    game: str | None
    lines: Sequence[Line]

    @property
    def told(self) -> list[Line]:
        """Return it as it is written down, its heading first."""
        return [{"what": self.what, "game": self.game}, *self.lines]


def say(response: bytes | Message) -> Line:
    """Return a line in which the referee says something."""
    told = response if isinstance(response, bytes) else response.SerializeToString()
    return {"say": told.hex()}


def close(status: str) -> Line:
    """Return a line in which the referee ends the stream, by the name of a gRPC status."""
    return {"close": status}


def ask(
    *turns: bytes,
    opened: Iterable[tuple[int, int]] = (),
    closed: Iterable[tuple[int, str, tuple[int, ...]]] = (),
) -> list[Line]:
    """Say a frame, and expect an answer to each of its turns."""
    said = say(encode_frame(opened, turns, closed))
    return [said, answers(*turns)] if turns else [said]


def answers(*turns: bytes) -> Line:
    """Expect an answer to each turn."""
    return {"expect": "answers", "turns": [Turn.FromString(turn).turn_id for turn in turns]}


def end(code: int = 0, stderr: str = "") -> Line:
    """Expect the process to end, having said something if that is given."""
    return {"expect": "end", "code": code, **({"stderr": stderr} if stderr else {})}


def goodbye(stderr: str = "") -> list[Line]:
    """Say goodbye, and expect a good end."""
    return [say(GOODBYE), end(0, stderr)]

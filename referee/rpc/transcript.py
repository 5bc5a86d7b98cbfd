"""What was said on a stream, and what is recorded of a bot that failed."""

from collections import deque
from itertools import chain
from typing import Final, NamedTuple

TO_BOT, FROM_BOT = "to_bot", "from_bot"
TAIL: Final = 16 * 1024
"""Bytes of the messages, and of the output, that evidence has once all was taken before."""
_LARGEST: Final = 4 << 20
"""In bytes. A session of sound bots stays far below it; a bot may pad its messages."""
_GREETING: Final = 2
"""The hello and the welcome, without which nothing can be said again, are never left out."""


class Message(NamedTuple):
    """One message."""

    seconds: float
    """Since the process was started."""
    way: str
    data: bytes
    left_out: int = 0
    """How many bytes at its end were not recorded."""


class TranscriptEvidence(NamedTuple):
    """All that is known of a process when it fails."""

    messages: tuple[Message, ...]
    """Every message since it was started."""
    output: bytes
    """What it wrote to its standard output and error."""
    ending: str
    """How the process ended, if it had."""

    def tail(self) -> "TranscriptEvidence":
        """Return the greeting, the last messages and the end of the output."""
        greeting, later = self.messages[:_GREETING], self.messages[_GREETING:]
        size, first = 0, len(later)
        while first and size + len(later[first - 1].data) <= TAIL:
            first -= 1
            size += len(later[first].data)
        return TranscriptEvidence((*greeting, *later[first:]), self.output[-TAIL:], self.ending)


class Transcript:
    """The messages of one process; of one that says too much, the greeting and the latest."""

    def __init__(self) -> None:
        """Begin with none."""
        self._greeting: list[Message] = []
        self._later: deque[Message] = deque()
        self._size = 0

    def note(self, message: Message) -> None:
        """Add a message, and drop the oldest if that is too much."""
        self._size += len(message.data)
        if len(self._greeting) < _GREETING:
            self._greeting.append(message)
            return
        self._later.append(message)
        while self._size > _LARGEST and self._later:
            self._size -= len(self._later.popleft().data)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return what is recorded."""
        return tuple(chain(self._greeting, self._later))

"""What was said on a stream, and what is recorded of a bot that failed."""

from collections import deque
from itertools import chain
from typing import Final, NamedTuple

TO_BOT, FROM_BOT = "to_bot", "from_bot"
TAIL: Final = 16 * 1024
"""Bytes of the output that evidence has, and of the messages once all were taken before."""
_TOKEN: Final = 64
"""Bytes of the output before that, so that no token is cut in half: it is looked for as a whole."""
_LARGEST: Final = 2 << 20
"""In bytes. A session of sound bots stays below it; a bot may pad its messages, and while a bundle
is made of them no other bot's answer is read."""
_MOST: Final = 16384
"""Messages, each of which takes more memory than most have bytes."""
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
    """The end of what it wrote to its standard output and error."""
    ending: str
    """How the process ended, if it had."""
    output_size: int
    """How many bytes of what it wrote were kept."""

    def tail(self) -> "TranscriptEvidence":
        """Return the same with the greeting and the last messages only."""
        greeting, later = self.messages[:_GREETING], self.messages[_GREETING:]
        size, first = 0, len(later)
        while first and size + len(later[first - 1].data) <= TAIL:
            first -= 1
            size += len(later[first].data)
        return self._replace(messages=(*greeting, *later[first:]))


def bounded_evidence(
    messages: tuple[Message, ...], output: bytes, ending: str
) -> TranscriptEvidence:
    """Return as evidence what was said and how it ended, with the end of the output."""
    return TranscriptEvidence(messages, output[-TAIL - _TOKEN :], ending, len(output))


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
        while self._later and (self._size > _LARGEST or len(self._later) > _MOST):
            self._size -= len(self._later.popleft().data)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return what is recorded."""
        return tuple(chain(self._greeting, self._later))

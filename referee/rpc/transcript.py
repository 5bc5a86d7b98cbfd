"""What was said on a stream, and what is kept of a bot that failed."""

from collections import deque
from typing import Final, NamedTuple

TO_BOT, FROM_BOT = "to_bot", "from_bot"
_MOST_KEPT: Final = 4 << 20
"""In bytes. A session of sound bots stays far below it; a bot may pad its messages."""


class Message(NamedTuple):
    """One message."""

    seconds: float
    """Since the process was started."""
    way: str
    data: bytes
    left_out: int = 0
    """How many bytes at its end were not kept."""


class TranscriptEvidence(NamedTuple):
    """All that is known of a process when it fails."""

    messages: tuple[Message, ...]
    """Every message since it was started."""
    output: bytes
    """What it wrote to its standard output and error."""
    ending: str
    """How the process ended, if it had."""


class Transcript:
    """The messages of one process; of one that says too much, the latest."""

    def __init__(self) -> None:
        """Start with none."""
        self._messages: deque[Message] = deque()
        self._kept = 0

    def note(self, message: Message) -> None:
        """Keep a message, and let go of the oldest if that is too much."""
        self._messages.append(message)
        self._kept += len(message.data)
        while self._kept > _MOST_KEPT:
            self._kept -= len(self._messages.popleft().data)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return what is kept."""
        return tuple(self._messages)

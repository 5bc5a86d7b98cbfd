"""What was said on a stream, and what is kept of a bot that failed."""

from typing import NamedTuple

TO_BOT, FROM_BOT = "to_bot", "from_bot"


class Message(NamedTuple):
    """One message."""

    seconds: float
    """Since the process was started."""
    way: str
    data: bytes


class Evidence(NamedTuple):
    """All that is known of a process when it fails."""

    messages: tuple[Message, ...]
    """Every message since it was started."""
    output: bytes
    """What it wrote to its standard output and error."""
    ending: str
    """How the process ended, if it had."""

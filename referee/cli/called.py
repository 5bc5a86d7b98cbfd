"""The commands that messages advise, written as this one was called."""

import os
import re
from collections.abc import Iterable
from shlex import join, quote
from typing import Final

CALLED: Final = "UPCARD_COMMAND"
"""The script of a clone sets it to how it was called."""
_NAME: Final = "upcard"


def called() -> str:
    """Return how this command was called, as a shell takes it."""
    return quote(os.environ.get(CALLED) or _NAME)


def command(*words: object) -> str:
    """Return a command line that a shell takes."""
    return f"{called()} {join(map(str, words))}"


def as_called(message: str, commands: Iterable[str]) -> str:
    """Return a message with the commands that it advises written as this one was called."""
    advised = rf"(?<![\w./-]){_NAME}(?= (?:{'|'.join(commands)})\b)"
    return re.sub(advised, lambda _: called(), message)

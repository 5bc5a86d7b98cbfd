"""The commands that messages advise, written as this one was called."""

import os
import re
from shlex import join
from typing import Final

CALLED: Final = "UPCARD_COMMAND"
"""The script of a clone sets it to how it was called."""
_NAME: Final = "upcard"
_ADVISED: Final = re.compile(rf"(?<![\w./-]){_NAME}(?= [a-z])")


def command(*words: object) -> str:
    """Return a command line that can be copied to a shell."""
    return f"{_called()} {join(map(str, words))}"


def as_called(message: str) -> str:
    """Return a message with the commands it advises written as this one was called."""
    return _ADVISED.sub(lambda _: _called(), message)


def _called() -> str:
    return join([os.environ.get(CALLED, _NAME)])

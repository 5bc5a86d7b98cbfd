"""Reads one of a few words, as a person writes it; pure."""

from collections.abc import Collection
from typing import TypeVar

from referee.errors import ConfigError

_Word = TypeVar("_Word", bound=str)


def chosen_word(text: str, what: str, allowed: Collection[_Word]) -> _Word:
    """Return the one of some words that a text is.

    Args:
        text: what somebody wrote.
        what: what the words are, for the message.
        allowed: the words.

    Raises:
        ConfigError: it is none of them.
    """
    for word in allowed:
        if word == text:
            return word
    raise ConfigError(f"{text[:40]!r} is no {what}; choose from {', '.join(allowed)}")

"""Numbers of things in words, and untrusted text made safe to show."""

from collections.abc import Iterable
from difflib import get_close_matches


def close_names(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that somebody may have meant by one that there is not."""
    by_folded = {each.casefold(): each for each in names}
    return [by_folded[each] for each in get_close_matches(name.casefold(), by_folded)]


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return a number with its noun, in the plural if need be."""
    return f"{number} {what}{plural if number != 1 else ''}"


def plain(words: str) -> str:
    """Return untrusted text without control characters, which a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in words)


def without_place(message: str, place: object) -> str:
    """Return a message about what is in a directory without naming that, for who cannot see it."""
    return message.replace(f"{place}/", "").replace(f"{place}", "it")


def storable(words: str) -> str:
    """Return untrusted text with what no database takes replaced."""
    return words.encode(errors="replace").decode().replace("\0", "?")

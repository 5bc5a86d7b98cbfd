"""Puts into words what is counted, and what strangers wrote, so that it can be shown to anybody."""


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return a number of things in words."""
    return f"{number} {what}{plural if number != 1 else ''}"


def plain(words: str) -> str:
    """Make what a stranger had a say in harmless to a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in words)

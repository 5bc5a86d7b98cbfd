"""Numbers of things in words, and untrusted text made safe to show."""


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return a number with its noun, in the plural if need be."""
    return f"{number} {what}{plural if number != 1 else ''}"


def plain(words: str) -> str:
    """Return untrusted text without control characters, which a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in words)

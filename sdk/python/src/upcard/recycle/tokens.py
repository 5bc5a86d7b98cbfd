"""Cuts a program into its words."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from upcard.recycle import bounds
from upcard.recycle.pages import Page


class Sort(Enum):
    """What a word is."""

    NAME = "a name"
    WORD = "a keyword"
    NUMBER = "a number"
    VARIABLE = "a variable"
    MARK = "an operator"
    OPEN = "'('"
    CLOSE = "')'"


class Token(NamedTuple):
    """A word of a program."""

    sort: Sort
    text: str
    """A variable is without its apostrophe."""
    at: int

    def __str__(self) -> str:
        mark = "'" if self.sort is Sort.VARIABLE else ""
        return mark + self.text


_TOKEN: Final = re.compile(
    r"(?P<gap>\s+|;;[^\n]*)"
    r"|(?P<open>\()|(?P<close>\))"
    r"|'(?P<variable>[A-Za-z0-9_]+)"
    r"|(?P<run>[A-Za-z0-9_]+)"
    r"|(?P<mark>==|!=|<=|>=|\.\.|//|[<>+\-*%^:,])"
)
_HINTS: Final = {
    ";": "a comment begins with two semicolons",
    "=": "equality is '=='",
    "!": "inequality is '!='",
    "/": "division is '//'",
    "'": "a variable is an apostrophe directly before a name, as 'C",
    "’": "a variable begins with a straight apostrophe, as 'C",
    '"': "text is written without quotes, in capital letters",
}


def tokens(page: Page) -> Iterator[Token]:
    """Yield every word of the program."""
    at = page.start
    while at < page.end:
        match = _TOKEN.match(page.text, at, page.end)
        if match is None:
            raise page.error(at, _unexpected(page.text[at]))
        group = match.lastgroup or ""
        if group != "gap":
            yield _token(page, group, match[group], at)
        at = match.end()


def _token(page: Page, group: str, text: str, at: int) -> Token:
    """Return a word, given the group of the pattern that matched it."""
    if len(text) > bounds.NAME:
        raise page.error(at, f"a word has at most {bounds.NAME} characters")
    if group == "variable":
        if not _is_name(text):
            raise page.error(
                at, f"expected a name in capital letters after the apostrophe: '{text}"
            )
        return Token(Sort.VARIABLE, text, at)
    if group != "run":
        return Token({"open": Sort.OPEN, "close": Sort.CLOSE}.get(group, Sort.MARK), text, at)
    if _is_name(text):
        return Token(Sort.NAME, text, at)
    if text.isalpha() and text.islower():
        return Token(Sort.WORD, text, at)
    if text.isdigit():
        if len(text) > 10 or int(text) > bounds.INTEGER:
            raise page.error(at, f"{text} is above the largest number, {bounds.INTEGER}")
        return Token(Sort.NUMBER, text, at)
    raise page.error(
        at,
        f"{text} is neither a name (capital letters), a keyword (small letters) nor a number",
    )


def _is_name(text: str) -> bool:
    return text.isalpha() and text.isupper()


def _unexpected(character: str) -> str:
    """Say what is wrong with a character that begins no word."""
    message = f"unexpected character {character!r}"
    hint = _HINTS.get(character)
    return f"{message}: {hint}" if hint else message

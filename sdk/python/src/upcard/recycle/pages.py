"""Finds a program in a page, which may be prose with a program in it, and knows its lines."""

import re
from bisect import bisect_right
from typing import Final

from upcard.recycle import bounds
from upcard.recycle.errors import ProgramError
from upcard.recycle.values import ProgramWarning

_GAP: Final = r"(?:\s|;;[^\n]*\n)*"
# A line that quotes `(game iloc STOCK)` begins no program.
_START: Final = re.compile(
    rf"^[ \t]*(?P<start>\({_GAP}game{_GAP}\({_GAP}(?:declare|setup)\b)", re.MULTILINE
)
_LIKELY_START: Final = re.compile(r"^[ \t]*(?P<start>\(\s*game\b)", re.MULTILINE)
_QUOTED: Final = 50
"""Characters of a construct that an error quotes."""
_WORD: Final = re.compile(r"'?\w*")
_CONSTRUCT: Final = re.compile(r"\(\s*([^\s()]+)")
_MARKS: Final = re.compile(r"[()]|;;[^\n]*")
_COMMENT: Final = re.compile(r";;[^\n]*")


class Page:
    """A text with a program in it. A place in it is an offset; people are told line and column."""

    def __init__(self, text: str) -> None:
        """Find the program; raise `ProgramError` if there is none."""
        self.text: Final = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self._lines: Final = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.warnings: Final[list[tuple[int, str]]] = []
        if len(self.text) > bounds.TEXT:
            raise self.error(bounds.TEXT, f"a program has at most {bounds.TEXT} characters")
        found = _START.search(self.text) or _LIKELY_START.search(self.text)
        if found is None:
            raise self.error(0, "there is no program: expected a line that begins with '(game'")
        self.start: Final = found.start("start")
        """Where the opening parenthesis of the program is."""
        self.end: Final = self._closing(self.start)
        """Where the program ends, after its closing parenthesis."""
        comments = self._comments()
        self.title: Final = comments[0].lstrip("; \t") if comments else ""
        self.program: Final = "\n".join([*comments, self.text[self.start : self.end]]) + "\n"
        """The program with the comment right before it."""
        self._look_behind()

    def where(self, at: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both from 1."""
        line = bisect_right(self._lines, at)
        return line, at - self._lines[line - 1] + 1

    def error(self, at: int, message: str) -> ProgramError:
        """Return the error that says what is wrong there."""
        return ProgramError(message, *self.where(at))

    def construct(self, at: int) -> str:
        """Return the keyword of the construct that begins there, or nothing."""
        construct = _CONSTRUCT.match(self.text, at)
        return construct[1] if construct else ""

    def run_error(self, at: int, message: str) -> ProgramError:
        """Return the error that says what is wrong with a construct in play, quoting it."""
        if self.text[at] == "(":
            words = _COMMENT.sub("", self.text[at : self._closing(at)])
        else:
            words = _WORD.findall(self.text, at)[0]
        # It is a stranger's text, and goes to terminals and logs.
        shown = "".join(letter if letter.isprintable() else " " for letter in words)
        words = " ".join(shown.split())
        if len(words) > _QUOTED:
            words = f"{words[:_QUOTED]}…"
        return self.error(at, f"{words}: {message}")

    def warn(self, at: int, message: str) -> None:
        """Remember what the author should know."""
        self.warnings.append((at, message))

    def warned(self) -> tuple[ProgramWarning, ...]:
        """Return every warning, in the order of the text."""
        return tuple(
            ProgramWarning(*self.where(at), message) for at, message in sorted(self.warnings)
        )

    def _closing(self, at: int) -> int:
        """Return where the parenthesis is closed that opens there, or the end of the page."""
        depth = 0
        for mark in _MARKS.finditer(self.text, at):
            depth += {"(": 1, ")": -1}.get(mark[0], 0)
            if depth == 0:
                return mark.end()
        return len(self.text)

    def _comments(self) -> list[str]:
        """Return the lines of comment right before the program; blank lines may be in between."""
        comments: list[str] = []
        for line in reversed(self.text[: self.start].split("\n")[:-1]):
            comment = line.strip()
            if comment and not comment.startswith(";;"):
                break
            comments.append(comment)
        return [comment for comment in reversed(comments) if comment]

    def _look_behind(self) -> None:
        """Warn of text behind the program that is no comment."""
        behind = re.compile(_GAP).match(self.text, self.end)
        at = behind.end() if behind else self.end
        if at < len(self.text) and not self.text.startswith(";;", at):
            self.warn(at, "this text after the end of the program is ignored")

"""A program that was read: what it declares, and how to play it."""

from upcard.recycle.position import Position
from upcard.recycle.values import Choice, Face, Part, ProgramWarning, Source


class Program:
    """A program that was read and checked. It does not change."""

    text: str
    """The program itself, cut out of the page it came in."""
    title: str
    """The first line of the comment right before it, or nothing."""
    players: int
    sides: tuple[int, ...]
    """The side of each player, from 0: his team, or he himself where there are no teams."""
    teams: bool
    """Whether there are teams."""
    faces: tuple[Face, ...]
    cards: tuple[int, ...]
    """The face of every card; a card is its index."""
    lowest_wins: bool
    numbering: int
    """What the first player and the first team are called in the text: 0 or 1."""
    warnings: tuple[ProgramWarning, ...]
    choices: tuple[Choice, ...]
    """Every `choice` of the text."""
    parts: tuple[Part, ...]
    """Every stage and every block of the text that is run as a whole."""

    def start(self, source: Source) -> Position:
        """Return a hand at its first decision, or at its end if it has none."""
        raise NotImplementedError


def read(text: str, numbering: int | None = None) -> Program:
    """Return the program in a text, which may be a page of prose with a program in it.

    Args:
        text: the page.
        numbering: whether players and teams count from 0 or from 1, where the text leaves it open.

    Raises:
        ProgramError: there is none, or it breaks the rules of the language.
    """
    raise NotImplementedError

"""A program that was read: what it declares, and how to play it."""

from typing import Final

from upcard.recycle.compiling import Compiled, compiled
from upcard.recycle.decks import faces_of
from upcard.recycle.flow import all_parts
from upcard.recycle.options import Describer
from upcard.recycle.outline import read_outline
from upcard.recycle.pages import Page
from upcard.recycle.position import Position
from upcard.recycle.tracing import Moved, watch
from upcard.recycle.unread import unread
from upcard.recycle.values import Choice, Entry, Face, Part, ProgramWarning, Source


class Program:
    """A program that was read and checked. It does not change.

    Attributes:
        text: the program itself with the comment right before it, cut out of the page it came in.
        title: the first line of that comment, or nothing.
        players: how many there are.
        sides: the side of each player, from 0: his team, or he himself where there are no teams.
        teams: whether there are teams.
        faces: every face that a card has.
        cards: the face of every card; a card is its index.
        lowest_wins: whether a low score is a good one.
        numbering: what the first player and the first team are called in the text: 0 or 1.
        warnings: what is allowed, but hardly meant.
        unread: what is stored and never asked for, which may be meant for the players.
        choices: every `choice` of the text.
        parts: every stage, choice and block of the text that is run as a whole.
    """

    def __init__(self, page: Page, numbering: int | None, *, tries_all: bool = False) -> None:
        """Read the program of a page; `tries_all` is for tests: see `choice_code.Choices`."""
        outline = read_outline(page, numbering)
        faces, cards = faces_of(outline.decks)
        self.text: Final[str] = page.program
        self.title: Final[str] = page.title
        self.players: Final[int] = outline.players
        self.teams: Final[bool] = bool(outline.teams)
        self.sides: Final[tuple[int, ...]] = _sides(outline.players, outline.teams)
        self.faces: Final[tuple[Face, ...]] = faces
        self.cards: Final[tuple[int, ...]] = cards
        self.lowest_wins: Final[bool] = outline.lowest_wins
        self.numbering: Final[int] = outline.numbering
        self.warnings: Final[tuple[ProgramWarning, ...]] = page.warned()
        self.unread: Final[tuple[ProgramWarning, ...]] = tuple(
            ProgramWarning(*page.where(at), f"{what} is stored, and the program never reads it")
            for at, what in unread((*outline.parts, outline.score))
        )
        parts = list(all_parts(outline.parts))
        self.parts: Final[tuple[Part, ...]] = tuple(
            Part(*page.where(part.at), page.construct(part.at)) for part in parts
        )
        self.choices: Final[tuple[Choice, ...]] = tuple(
            Choice(
                *page.where(part.at), tuple(Entry(*page.where(entry.at)) for entry in part.parts)
            )
            for part in parts
            if part.op == "choice"
        )
        self.compiled: Final[Compiled] = compiled(page, outline, tries_all=tries_all)
        self.describer: Final[Describer] = Describer(
            outline.players, faces, cards, self.compiled.tables.places.keys
        )

    def start(self, source: Source, moved: Moved | None = None) -> Position:
        """Return a hand at its first decision, or at its end if it has none.

        Args:
            source: where its shuffles and its other random numbers come from.
            moved: is told of every card that moves in this hand, though not in its copies.
        """
        position = Position(self, source)
        if moved is not None:
            watch(position, moved)
        position.run()
        return position

    def __reduce__(self) -> tuple[object, ...]:
        return read, (self.text, self.numbering)


def read(text: str, numbering: int | None = None) -> Program:
    """Return the program in a text, which may be a page of prose with a program in it.

    Args:
        text: the page.
        numbering: whether players and teams count from 0 or from 1, where the text leaves it open.

    Raises:
        ProgramError: there is none, or it breaks the rules of the language.
    """
    return Program(Page(text), numbering)


def _sides(players: int, teams: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Return the side of each player."""
    sides = list(range(players))
    for side, members in enumerate(teams):
        for player in members:
            sides[player] = side
    return tuple(sides)

"""Moves in words, with the seats of the table instead of the players of the program."""

from collections.abc import Callable, Container
from typing import Final

from referee.engine.recycle.hand import TurnedProgram
from upcard.recycle import Option, Place, PointsMap, Step

TABLE: Final = "table"
"""Whose something is that belongs to no player and no team."""
_HIDDEN: Final = "a card"


class Wording:
    """What players, teams and places are called in a hand."""

    def __init__(self, turned: TurnedProgram) -> None:
        """Take who the players are."""
        self._turned = turned

    def owner(self, owner: int) -> str:
        """Return the token of a seat, the name of a team, or ``table``."""
        if owner > 0:
            return str(self._turned.seat(owner - 1) + 1)
        return self._team(owner) if owner < 0 else TABLE

    def move(self, player: int, option: Option, hidden: Container[int] = ()) -> str:
        """Return what a player does, counted from 0; the cards of some steps may be hidden."""
        return ", ".join(
            _VERBS.get(step.verb, _other)(_Clause(self, player + 1, step, number in hidden))
            for number, step in enumerate(option.steps)
        )

    def name(self, owner: int) -> str:
        """Return what an owner is called in a sentence."""
        if owner > 0:
            return self._turned.names[self._turned.seat(owner - 1)]
        return self._team(owner) if owner < 0 else "the table"

    def face(self, face: int | None) -> str:
        """Return the name of a card, if that may be said."""
        return _HIDDEN if face is None else self._turned.program.faces[face].name

    def _team(self, owner: int) -> str:
        """Return the name of a team, which is the side of each of its players."""
        player = self._turned.program.sides.index(-owner - 1)
        return f"Team {self._turned.sides[self._turned.seat(player)] + 1}"


class _Clause:
    """One step of a move."""

    def __init__(self, words: Wording, own: int, step: Step, hidden: bool) -> None:
        self._words = words
        self._own = own
        self.step = step
        self.card = words.face(None if hidden else step.face)

    def place(self, place: Place | None) -> str:
        if place is None:
            return "nowhere"
        nth = f" {place.index}" if place.index else ""
        return f"{self._whose(place.owner)}{place.name}{nth}"

    @property
    def source(self) -> str:
        return self.place(self.step.source)

    @property
    def target(self) -> str:
        return self.place(self.step.target)

    @property
    def owner(self) -> str:
        return "nobody" if self.step.owner is None else self._words.name(self.step.owner)

    @property
    def stored(self) -> str:
        owner = self.step.owner
        return f"{'' if owner is None else self._whose(owner)}{self.step.name}"

    @property
    def value(self) -> str:
        value = self.step.value
        if value is None:
            return "what is drawn"
        return points_text(value) if isinstance(value, tuple) else str(value)

    def _whose(self, owner: int) -> str:
        if owner in (self._own, 0):
            return "" if owner else "the table’s "
        return f"{self._words.name(owner)}’s "


def points_text(points: PointsMap) -> str:
    """Return a points map as text."""
    return ", ".join(
        f"{' '.join(value for _, value in award.attributes) or 'each card'} {award.points}"
        for award in points
    )


def _move(clause: _Clause) -> str:
    where = clause.step.value
    at = "" if where is None else " at the bottom" if where == "bottom" else f" at {where}"
    return f"moves {clause.card} from {clause.source} to {clause.target}{at}"


def _swap(clause: _Clause) -> str:
    return f"swaps {clause.card} of {clause.source} and a card of {clause.target}"


def _other(clause: _Clause) -> str:
    return clause.step.verb


_VERBS: Final[dict[str, Callable[[_Clause], str]]] = {
    "move": _move,
    "set": lambda clause: f"sets {clause.stored} to {clause.value}",
    "update": lambda clause: f"updates {clause.stored} by {clause.value}",
    "inc": lambda clause: f"adds {clause.value} to {clause.stored}",
    "dec": lambda clause: f"takes {clause.value} from {clause.stored}",
    "shuffle": lambda clause: f"shuffles {clause.source}",
    "next": lambda clause: f"makes {clause.owner} the next player",
    "current": lambda clause: f"makes {clause.owner} the current player",
    "pass": lambda _: "passes",
    "remember": lambda clause: f"notes {clause.card} of {clause.source} at {clause.target}",
    "forget": lambda clause: f"forgets {clause.card} of {clause.source}",
    "swap": _swap,
    "exchange": lambda clause: f"exchanges all of {clause.source} for all of {clause.target}",
}

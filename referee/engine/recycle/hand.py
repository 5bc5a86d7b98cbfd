"""A hand of such a game: a position of its program, seen by seats instead of players."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final, NamedTuple, Self

from referee.engine.cards import Action, Seat
from referee.engine.game import HandResult, State
from referee.errors import GameError
from upcard.recycle import Option, Position, Program, ProgramError, Seen, seen

HIGHEST: Final = 2**31 // 100
"""The highest score of a hand, so that the sum of the most hands is a number of the protocol."""


_TOKEN: Final[Callable[[Option], Action]] = itemgetter(1)
"""Returns the token of an option: its text, of which nothing is made."""


class RecycleView(NamedTuple):
    """What one seat may know of a hand; with no seat, what everybody may."""

    seat: Seat | None
    actor: Seat | None
    legal: tuple[Action, ...]
    result: HandResult | None
    program: Program
    sides: Sequence[int]
    """The side of each player of the program, in this hand."""
    seen: Seen
    """The same in the words of the program, which counts players from the first one to act."""


class Turned(NamedTuple):
    """A program, and who its players are in a hand."""

    program: Program
    names: Sequence[str]
    """What messages call the seats."""
    sides: Sequence[int]
    """The side of each seat."""
    dealer: Seat

    def seat(self, player: int) -> Seat:
        """Return the seat of a player: the first one sits to the dealer's left."""
        return (self.dealer + 1 + player) % self.program.players

    def player(self, seat: Seat) -> int:
        """Return who sits there, the first player being 0."""
        return (seat - self.dealer - 1) % self.program.players


class Playing(State):
    """A hand, in play or over.

    Its position has every card open; only what `view` returns of it may leave the engine before the
    hand is over.
    """

    __slots__ = ("position", "result", "seat_names", "turned")

    def __init__(self, turned: Turned, position: Position) -> None:
        """Take a position of the program."""
        self.turned = turned
        self.position = position
        self.seat_names = turned.names
        self._note()

    def play(self, action: Action) -> Self:
        """Return the state after a legal action; this one is spent."""
        try:
            number = self.legal.index(action)
        except ValueError:
            self.refuse(action)
        try:
            self.position.play(number)
            self._note()
        except ProgramError as error:
            raise GameError(str(error)) from None
        return self

    def copy(self) -> Self:
        """Return the same state, sharing nothing which can change."""
        return type(self)(self.turned, self.position.copy())

    def view(self, seat: Seat | None) -> RecycleView:
        """Show the places a seat can see, and what its choices are if it is to act."""
        turned = self.turned
        player = None if seat is None else turned.player(seat)
        return RecycleView(
            seat,
            self.actor,
            self.offered_to(seat),
            self.result,
            turned.program,
            [turned.sides[turned.seat(each)] for each in range(turned.program.players)],
            seen(self.position, player),
        )

    @property
    def phase(self) -> str:  # type: ignore[override]  # which nobody sets
        """Name the `choice` of the program that is due, by its line."""
        is_over = self.actor is None
        return "over" if is_over else decision_name(self.turned.program, self.position.choice)

    @property
    def decision(self) -> str:
        """Name the `choice` that is due; there are no other phases."""
        return self.phase

    def _note(self) -> None:
        """Note who is to act, what she may do, and how it ended if it has."""
        position, turned = self.position, self.turned
        player = position.actor
        self.legal = tuple(map(_TOKEN, position.options))
        if player is not None:
            self.actor, self.result = turned.seat(player), None
        else:
            assert position.scores is not None
            self.actor = None
            self.result = HandResult(_points(turned, position.scores), (), ())


def decision_name(program: Program, choice: int) -> str:
    """Return what a decision is called: the place of its `choice` in the program."""
    return f"line {program.choices[choice].line}"


def _points(turned: Turned, scores: Sequence[int]) -> tuple[int, ...]:
    """Return what each side scored, more of it being better.

    Raises:
        GameError: partners scored differently, or a score is too high or too low.
    """
    sign = -1 if turned.program.lowest_wins else 1
    points: dict[int, int] = {}
    for player, score in enumerate(scores):
        if abs(score) > HIGHEST:
            message = f"(scoring …): scores are at most {HIGHEST}, and at least -{HIGHEST}"
            raise GameError(message)
        if points.setdefault(turned.sides[turned.seat(player)], sign * score) != sign * score:
            message = (
                "(scoring …): partners scored differently; score a team by what its team stores, "
                "as in ((team (current player)) sto SCORE)"
            )
            raise GameError(message)
    return tuple(points[side] for side in range(len(points)))

"""A hand of such a game: a position of its program, seen by seats instead of players."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final, NamedTuple, Self

from referee.engine.cards import Action, Seat
from referee.engine.game import HandResult, State
from upcard.recycle import Option, Position, Program, ProgramError, Seen, seen

STOPPED: Final = "stopped"
"""The note of a hand that could not go on."""
_AROUND_MOVE: Final = len('["1",""],')
"""Bytes of a move in a record, besides its text."""
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


class TurnedProgram(NamedTuple):
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


class RecycleHand(State):
    """A hand, in play or over.

    Its position has every card open; only what `view` returns of it may leave the engine before the
    hand is over. A hand that cannot go on is stopped: it is over, and scored as it stands, so that
    nobody can save a match by bringing that about.
    """

    __slots__ = ("_left", "position", "result", "seat_names", "stopped", "turned")

    stopped: str | None
    """Why the hand could not go on; None as long as it could."""

    def __init__(self, turned: TurnedProgram, position: Position, most_bytes: int) -> None:
        """Take a position of the program, from which moves take about so many bytes in a record.

        Raises:
            ProgramError: what may be done cannot be told.
        """
        self.turned = turned
        self.position = position
        self.seat_names = turned.names
        self.stopped = None
        self._left = most_bytes
        self._note()

    def play(self, action: Action) -> Self:
        """Return the state after a legal action; this one is spent."""
        try:
            number = self.legal.index(action)
        except ValueError:
            self.refuse(action)
        self._left -= len(action) + _AROUND_MOVE
        try:
            self.position.play(number)
            self._note()
        except ProgramError as error:
            self._stop(str(error))
        return self

    def copy(self) -> Self:
        """Return the same state, sharing nothing which can change."""
        copied = super().copy()
        copied.position = self.position.copy()
        return copied

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
        """Note who is to act, and what she may do, or how the hand ended.

        Raises:
            ProgramError: what may be done cannot be told.
        """
        player = self.position.actor
        if player is None:
            self._end()
        elif self._left < 0:
            self._stop("the moves of the hand take more than its share of a record")
        else:
            self.actor, self.result = self.turned.seat(player), None
            self.legal = tuple(map(_TOKEN, self.position.options))

    def _stop(self, reason: str) -> None:
        """End the hand as it stands."""
        self.position.stop()
        self.stopped = reason
        self._end(STOPPED)

    def _end(self, *notes: str) -> None:
        """Note that the hand is over."""
        scores = self.position.scores
        assert scores is not None
        self.actor, self.legal = None, ()
        self.result = HandResult(_points(self.turned, scores), (), notes)


def decision_name(program: Program, choice: int) -> str:
    """Return what a decision is called: the place of its `choice` in the program."""
    return f"line {program.choices[choice].line}"


def _points(turned: TurnedProgram, scores: Sequence[int]) -> tuple[int, ...]:
    """Return what each side scored, more of it being better; partners have equal scores."""
    sign = -1 if turned.program.lowest_wins else 1
    points = {
        turned.sides[turned.seat(player)]: sign * score for player, score in enumerate(scores)
    }
    return tuple(points[side] for side in range(len(points)))

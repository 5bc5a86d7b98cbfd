"""The port through which a session speaks to one bot's process."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from referee.arena.clock import ClockedProcess
from referee.arena.fault import FaultKind
from referee.engine.game import State
from referee.engine.match import Match

PLAYED, FORFEITED, VOIDED = "played", "forfeited", "voided"


class Opened(NamedTuple):
    """A match that begins."""

    table: int
    seed: int


class Turn(NamedTuple):
    """A decision that is due. The state goes on being played, so it is read at once or never."""

    turn: int
    table: int
    time_left: float
    """Seconds; 0 if there is no bank."""
    match: Match
    state: State


class Closed(NamedTuple):
    """A match that is over."""

    table: int
    reason: str
    score: tuple[int, ...]


class Player(ClockedProcess, Protocol):
    """One bot's process, which may be started again."""

    @property
    def most_turns(self) -> int:
        """How many turns its next frame may have, so that it is not too large; one at least."""

    def referee_seconds(self) -> float:
        """Return the processor time that the referee has spent on it, since it was started."""

    def send(
        self, opened: Sequence[Opened], turns: Sequence[Turn], closed: Sequence[Closed]
    ) -> None:
        """Send it a frame."""

    def send_fault(self, kind: str, table: int, turn: int, explanation: str) -> None:
        """Send it a notice of what it did wrong, for its author."""

    def restart(self) -> None:
        """Kill it and start another, which joins when it is ready."""

    def freeze(self) -> None:
        """Stop it from running until it is thawed."""

    def thaw(self) -> None:
        """Resume it."""

    def evidence(self, kind: FaultKind, *, always: bool = False) -> object:
        """Return what is known of it, if that is to be kept for a fault of a kind, or always."""

"""The port through which a session speaks to one bot's process."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from referee.engine.game import State
from referee.engine.match import Match

PLAYED, FORFEITED, VOIDED = "played", "forfeited", "voided"


class Opened(NamedTuple):
    """A match begins."""

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
    """A match is over."""

    table: int
    reason: str
    score: tuple[int, int]


class Player(Protocol):
    """One bot's process, which may be started again."""

    def send(
        self, opened: Sequence[Opened], turns: Sequence[Turn], closed: Sequence[Closed]
    ) -> None:
        """Hand a frame to it."""

    def tell_fault(self, kind: str, table: int, turn: int, explanation: str) -> None:
        """Let its author know what it did wrong."""

    def restart(self) -> None:
        """Kill it and start another; the session is told when that one is ready."""

    def freeze(self) -> None:
        """Let it not run until it is thawed."""

    def thaw(self) -> None:
        """Let it run again."""

    def cpu_seconds(self) -> float:
        """Return the processor time it has used since it was started."""

    def waited_seconds(self) -> float:
        """Return the time it could have run and got no processor, since it was started."""

    def evidence(self) -> object:
        """Return what was kept of it: every message, its output, its limits."""

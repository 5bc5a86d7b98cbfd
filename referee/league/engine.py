"""Where the visits of a run are played: on this machine, or on those of a cluster.

A run knows engines only by what stands here, so that it is the same run wherever bots play.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from referee.league.channel import Sent, VisitId
from referee.league.visit import Visit
from referee.sandbox.limits import SandboxLimits
from referee.store.log import Body, Kind
from referee.store.models import Isolation, League


class FinishedVisit(NamedTuple):
    """That a visit is over."""

    visit: VisitId
    killed: bool = False
    """Whether its worker ended before it did."""
    error: BaseException | None = None
    """Why it could not be played."""
    seconds: float = 0.0
    """How long a worker was busy with it."""


class Pool(Protocol):
    """Workers that are there, each with a visit or free."""

    @property
    def run(self) -> str:
        """What tells its visits from those of any other run."""

    @property
    def size(self) -> int:
        """How many visits it plays at the same time; in a cluster, that changes."""

    @property
    def is_busy(self) -> bool:
        """Whether any visit is under way."""

    @property
    def has_room(self) -> bool:
        """Whether a worker is free."""

    def play(self, visit: Visit) -> None:
        """Hand a visit to a worker that is free."""

    def isolation(self, visit: VisitId) -> Isolation:
        """Return what isolates the bots of a visit that was handed out."""

    def receive(self, seconds: float) -> Iterator[Sent]:
        """Yield outcomes, having waited so long at most for the first."""

    def receive_all(self) -> Iterator[Sent]:
        """Yield all outcomes that were sent by now."""

    def wind_up(self) -> None:
        """Ask all workers to begin no other duel."""

    def finished(self) -> tuple[list[FinishedVisit], list[Sent]]:
        """Return the visits that are over, and the last of their outcomes."""

    def log(self) -> list[tuple[Kind, Body]]:
        """Return what the league's log is to say of workers, since this was asked last."""


class Engine(Protocol):
    """Where visits are played."""

    def examine(self, league: League, stops: Callable[[], int]) -> Isolation:
        """Return what isolates the bots, once that was tried; a cluster may have to be waited for.

        Raises:
            ConfigError: bots cannot play there, or a guarantee is missing.
            KeyboardInterrupt: somebody asked to stop meanwhile.
        """

    def open(self, limits: Sequence[SandboxLimits]) -> AbstractContextManager[Pool]:
        """Open a pool of workers for bots of these limits; at its end nothing is left of them."""

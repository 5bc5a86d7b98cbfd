"""Workers that have played a visit as soon as it is handed out, and bots that nobody starts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from referee.league.channel import News, Sent, VisitId
from referee.league.engine import FinishedVisit
from referee.sandbox.limits import SandboxLimits
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block
from referee.store.log import Body, Kind
from referee.store.models import Isolation

Play = Callable[[DuelKey], News]
NO_SANDBOX: Final = Isolation(False, False, ())


class InstantVisit(NamedTuple):
    """What is played in a visit."""

    id: VisitId
    block: Block


class InstantPool:
    """So many workers."""

    run = "instant"

    def __init__(self, play: Play, size: int) -> None:
        self.size = size
        self._play = play
        self._sent: list[Sent] = []
        self._finished: list[FinishedVisit] = []

    @property
    def is_busy(self) -> bool:
        return bool(self._finished)

    @property
    def has_room(self) -> bool:
        return len(self._finished) < self.size

    def play(self, visit: Any) -> None:  # noqa: ANN401 (an `InstantVisit`)
        self._sent += [Sent(visit.id, self._play(key)) for key in visit.block.keys]
        self._finished.append(FinishedVisit(visit.id))

    def isolation(self, _: VisitId) -> Isolation:
        return NO_SANDBOX

    def receive(self, _: float) -> Iterator[Sent]:
        received, self._sent = self._sent, []
        return iter(received)

    def receive_all(self) -> Iterator[Sent]:
        return self.receive(0)

    def wind_up(self) -> None:
        self._sent.clear()

    def finished(self) -> tuple[list[FinishedVisit], list[Sent]]:
        finished, self._finished = self._finished, []
        return finished, []

    def log(self) -> list[tuple[Kind, Body]]:
        return []


class InstantEngine:
    """Takes the place of a machine's workers, or of a cluster's."""

    def __init__(self, play: Play, workers: int = 1) -> None:
        self._play = play
        self._workers = workers

    def examine(self, *_: object) -> Isolation:
        return NO_SANDBOX

    @contextmanager
    def open(self, _: object) -> Iterator[InstantPool]:
        yield InstantPool(self._play, self._workers)


class NoBots:
    """Takes the place of a league's bots."""

    def __init__(self, *_: object) -> None: ...

    def read(self, *_: object) -> None: ...

    def limits(self, *_: object) -> list[SandboxLimits]:
        return []

    def visit(self, _: object, block: Block, visit: VisitId) -> InstantVisit:
        return InstantVisit(visit, block)

"""A machine of a cluster: its main thread plays the visits that tasks bring, and sends each duel.

It stays when the scheduler is gone, ends what it was playing, and connects again when there is one.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import AsyncExitStack, contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final, NamedTuple

from anyio.abc import TaskStatus
from anyio.from_thread import BlockingPortal, start_blocking_portal
from distributed import Worker

from referee.bots.cache import cache_directory
from referee.cluster.addresses import NOWHERE, Endpoint, listening_host, unreachable
from referee.cluster.bundles import Bundles
from referee.cluster.desk import Desk, Ended, Request
from referee.cluster.forms import Greeting, greeting_as_text
from referee.files.own_directory import own_directory
from referee.league.channel import Sent, VisitId
from referee.league.outcome_forms import news_as_json
from referee.league.visit import Visit
from referee.league.worker_pool import WorkerPool, examined, open_pool
from referee.league.workers import default_jobs
from referee.sandbox.limits import SandboxLimits
from referee.text import counted

if TYPE_CHECKING:
    from referee.engine.game import Game

STOPPED: Final = "it was stopped"
"""Why a visit was not played to its end on a machine that somebody asked to stop."""
_RECEIVING: Final = 0.2
"""Seconds for which nothing else is looked at."""
_REGISTERING: Final = 20.0
"""Seconds after which a scheduler that is there, but does not answer, is given up."""
_AGAIN: Final = 2.0
"""Seconds after which a scheduler is looked for again."""


class MachineOptions(NamedTuple):
    """How a machine takes part."""

    name: str
    """What it is called."""
    jobs: int | None = None
    """Visits at the same time; as many as it can take, if that is not said."""
    accepted: tuple[str, ...] = ()
    """The guarantees that may be missing."""
    sandboxed: bool = True


def topic(run: str) -> str:
    """Return under what the outcomes of a run are sent."""
    return f"upcard-{run}"


def work(
    scheduler: Endpoint,
    options: MachineOptions,
    stops: Callable[[], int],
    report: Callable[[str], None],
) -> None:
    """Take part in a cluster until somebody asks to stop.

    Args:
        scheduler: that of the cluster.
        options: how to take part.
        stops: how often somebody has asked to stop: once is after the duels in flight, twice at
            once.
        report: takes lines that tell the user what happens.

    Raises:
        ConfigError: bots cannot play here.
    """
    address = scheduler.address
    sandboxing = examined(options.accepted, sandboxed=options.sandboxed, strict=False)
    jobs = options.jobs or default_jobs([SandboxLimits()])
    about = Greeting(version("upcard-referee"), options.name, jobs, sandboxing.isolation)
    with (
        own_directory(cache_directory(), "machine-") as own,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(AsyncExitStack()) as in_use,
    ):
        bundles = Bundles(own, in_use)
        waiting = ""
        while not stops():
            if (why := portal.call(unreachable, scheduler)) is not None:
                if why != waiting:
                    report(f"waiting for a scheduler at {address}: {why}")
                waiting = why
                _pause(stops)
                continue
            waiting = ""
            # Anew each time, so that nothing is left of what was played for an earlier scheduler.
            with open_pool(jobs, sandboxing) as pool:
                desk = Desk(greeting_as_text(about), bundles, pool.wake)
                with _connected(portal, scheduler, own, jobs, desk) as connection:
                    report(f"{options.name} plays {counted(jobs, 'visit')} at a time for {address}")
                    _Machine(pool, desk, connection, stops).serve()
            if not stops():
                report(f"the scheduler at {address} is gone")


def _pause(stops: Callable[[], int]) -> None:
    again = monotonic() + _AGAIN
    while monotonic() < again and not stops():
        sleep(_RECEIVING)


class _Connection(NamedTuple):
    """A connection to a scheduler."""

    worker: Worker
    ended: Future[None]
    """Is done when the connection is lost."""


@contextmanager
def _connected(
    portal: BlockingPortal,
    scheduler: Endpoint,
    own: Path,
    jobs: int,
    desk: Desk,
) -> Iterator[_Connection]:
    """Connect to a scheduler, on the event loop of another thread, until the context ends."""
    address = scheduler.address

    async def take_part(*, task_status: TaskStatus[Worker]) -> None:
        async with Worker(
            str(address),
            nthreads=jobs,
            # A scheduler wants no two of the same name, nor one again that it takes to be there.
            name=f"{address}-{token_hex(8)}",
            security=scheduler.certificates,
            host=listening_host(address),
            local_directory=str(own),
            memory_limit=0,
            dashboard=False,
            dashboard_address=NOWHERE,
            plugins=(desk,),
            death_timeout=_REGISTERING,
        ) as worker:
            task_status.started(worker)
            await worker.finished()

    ended, worker = portal.start_task(take_part)
    try:
        yield _Connection(worker, ended)
    finally:
        with suppress(Exception):  # it may be gone in any way
            portal.call(worker.close)
        wait([ended], _REGISTERING)


class _Machine:
    """The main thread while it is connected."""

    def __init__(
        self, pool: WorkerPool, desk: Desk, connection: _Connection, stops: Callable[[], int]
    ) -> None:
        self._pool = pool
        self._desk = desk
        self._connection = connection
        self._stops = stops
        self._waiting: deque[Request] = deque()
        self._answers: dict[VisitId, Callable[[Ended], None]] = {}
        """Take how the visits ended that are under way."""
        self._games: dict[VisitId, Game] = {}
        """What is played in them."""

    def serve(self) -> None:
        """Play visits until the connection is lost, or somebody asks to stop."""
        while not self._connection.ended.done():
            for asked in self._desk.asked():
                if isinstance(asked, Request):
                    self._waiting.append(asked)
                else:
                    self._pool.wind_up(asked.run)
            stops = self._stops()
            if stops:
                for visit in self._answers:
                    self._pool.wind_up(visit.run)
                self._refuse_waiting()
            if stops > 1 or (stops and not self._answers):
                return
            while self._waiting and self._pool.has_room:
                self._play(self._waiting.popleft())
            self._send(self._pool.receive(_RECEIVING))
            self._finish()

    def _refuse_waiting(self) -> None:
        while self._waiting:
            self._waiting.popleft().answer(Ended(why=STOPPED))

    def _play(self, request: Request) -> None:
        sent = request.visit
        first, second = map(self._desk.bundles.bot, sent.digests)
        self._answers[sent.id] = request.answer
        self._games[sent.id] = sent.terms.game
        self._pool.play(
            Visit(sent.id, sent.terms, sent.entrants, (first, second), sent.digests, sent.duels)
        )

    def _send(self, outcomes: Iterable[Sent]) -> None:
        # What came in together is one message: each costs more than a duel's part in it.
        messages: dict[str, list[tuple[int, str]]] = {}
        for visit, news in outcomes:
            text = json.dumps(news_as_json(news, self._games[visit]))
            messages.setdefault(visit.run, []).append((visit.number, text))
        for run, message in messages.items():
            self._connection.worker.log_event(topic(run), message)

    def _finish(self) -> None:
        finished, outcomes = self._pool.finished()
        self._send(outcomes)
        for each in finished:
            why = STOPPED if self._stops() else str(each.error or "")
            del self._games[each.visit]
            self._answers.pop(each.visit)(Ended(each.killed, why))

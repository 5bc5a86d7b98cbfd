"""A visit; and a cluster whose machines are in this process, and say what a test wants."""

import json
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path
from threading import Event

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from distributed import Worker, get_worker

from referee.arena.duel import Duel
from referee.arena.limits import Policy, Terms, TimeLimits
from referee.bots.manifest import read_manifest
from referee.bots.seating import SeatedBot
from referee.cluster import settings
from referee.cluster.addresses import NOWHERE, Endpoint, endpoint
from referee.cluster.bundles import Bundles
from referee.cluster.desk import Desk, Ended
from referee.cluster.forms import Greeting, SentVisit, greeting_as_text
from referee.cluster.machine import topic
from referee.cluster.scheduler import schedule
from referee.engine.record import SeededDeal
from referee.league.channel import News, VisitId
from referee.league.outcome_forms import news_as_json
from referee.league.visit import Visit
from referee.sandbox.runtimes import find_runtimes
from referee.store.models import Isolation
from tests.cli.bots import write_bot
from tests.table import whist

settings.set_up()
PLAYED = Ended()
NO_SANDBOX = Isolation(False, False, ())


@pytest.fixture(scope="session")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Visit:
    place = write_bot(tmp_path_factory.mktemp("bots") / "one", "pass", games="whist")
    bot = SeatedBot(read_manifest(place, find_runtimes()), Path("any"), find_runtimes()["python"])
    return Visit(
        VisitId("5a" * 8, 3),
        Terms(whist(), TimeLimits(2.5, 7, 30, 0.5), Policy(3), 17, 1, 0.05),
        (4, 2),
        (bot, bot),
        ("ab" * 32, "cd" * 32),
        tuple(Duel(n, SeededDeal(bytes(range(32)), f"a/whist/4-2/{n + 1}"), n % 4) for n in (1, 6)),
    )


def greeting(name: str, jobs: int = 1) -> Greeting:
    return Greeting(version("upcard-referee"), name, jobs, NO_SANDBOX)


class EveryBundle(Bundles):
    """All bundles there could be."""

    def __init__(self) -> None:
        pass

    async def lacking(self, digests: Sequence[str]) -> list[str]:
        del digests
        return []


class Scripted(Desk):
    """Plays nothing: says what it was told to say of each visit."""

    def __init__(
        self, about: str, outcomes: Callable[[SentVisit], Sequence[News | str]], ended: Ended
    ) -> None:
        super().__init__(about, EveryBundle(), lambda: None)
        self._outcomes = outcomes
        self._ended = ended
        self.wound_up = Event()

    async def play(self, visit: SentVisit) -> Ended:
        for news in self._outcomes(visit):
            text = (
                news if isinstance(news, str) else json.dumps(news_as_json(news, visit.terms.game))
            )
            get_worker().log_event(topic(visit.id.run), [(visit.id.number, text)])
        return self._ended

    def wind_up(self, run: str) -> None:
        del run
        self.wound_up.set()


class Cluster:
    """A scheduler on this machine, and the machines that a test adds."""

    def __init__(self, portal: BlockingPortal, scheduler: Endpoint) -> None:
        self._portal = portal
        self.scheduler = scheduler

    @contextmanager
    def machine(
        self,
        about: Greeting | str,
        outcomes: Callable[[SentVisit], Sequence[News | str]] = lambda _: (),
        ended: Ended = PLAYED,
    ) -> Iterator[Scripted]:
        """Add a machine."""
        text = about if isinstance(about, str) else greeting_as_text(about)
        jobs = about.jobs if isinstance(about, Greeting) else 1
        desk = Scripted(text, outcomes, ended)

        async def started() -> AsyncExitStack:
            stack = AsyncExitStack()
            await stack.enter_async_context(
                Worker(
                    str(self.scheduler.address),
                    nthreads=jobs,
                    host="127.0.0.1",
                    memory_limit=0,
                    dashboard=False,
                    dashboard_address=NOWHERE,
                    plugins=(desk,),
                )
            )
            return stack

        stack = self._portal.call(started)
        try:
            yield desk
        finally:
            self._portal.call(stack.aclose)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = endpoint(f"tcp://127.0.0.1:{free.getsockname()[1]}", None)
    listens = Event()
    with start_blocking_portal() as portal:
        running = portal.start_task_soon(schedule, where, listens.set)
        assert listens.wait(600)
        yield Cluster(portal, where)
        running.cancel()

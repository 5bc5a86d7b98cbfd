"""Passes what is asked of a machine on to its main thread, and brings the answers back.

Dask runs tasks on an event loop in a thread of its own. Workers are started by the main thread,
for they are killed when the thread ends that started them.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple

from distributed import WorkerPlugin

from referee.cluster.bundles import Bundles
from referee.cluster.forms import SentVisit

NAME: Final = "upcard"
"""What tasks find it by, on the machine that they run on."""
VISIT_TASK: Final = "visit-"
"""How the names of the tasks begin that play visits; the token of the run follows."""


class Ended(NamedTuple):
    """How a visit ended on a machine."""

    killed: bool = False
    """Whether its worker ended before it did."""
    why: str = ""
    """Why the machine plays no more of them; empty if it does."""


class Request(NamedTuple):
    """A visit that is to be played."""

    visit: SentVisit
    answer: Callable[[Ended], None]


class WindUp(NamedTuple):
    """That a run wants no other duel to begin."""

    run: str


class Desk(WorkerPlugin):
    """What tasks find on a machine."""

    name = NAME

    def __init__(self, greeting: str, bundles: Bundles, wake: Callable[[], None]) -> None:
        """Take what the machine says of itself, its bots, and what wakes its main thread."""
        self.greeting = greeting
        self.bundles = bundles
        self._wake = wake
        self._asked: SimpleQueue[Request | WindUp] = SimpleQueue()

    async def play(self, visit: SentVisit) -> Ended:
        """Play a visit on the main thread, and return how it ended."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Ended] = loop.create_future()

        def settle(ended: Ended) -> None:
            if not answer.done():
                answer.set_result(ended)

        self._ask(Request(visit, lambda ended: _in_loop(loop, settle, ended)))
        return await answer

    def wind_up(self, run: str) -> None:
        """Start no other duel of a run."""
        self._ask(WindUp(run))

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:  # noqa: ANN401 (Dask's)
        """Wind up the run of a visit that nobody waits for any more: its coordinator is gone."""
        del start
        if finish == "cancelled" and str(key).startswith(VISIT_TASK):
            self.wind_up(str(key).removeprefix(VISIT_TASK).partition("-")[0])

    def _ask(self, what: Request | WindUp) -> None:
        self._asked.put(what)
        self._wake()

    def asked(self) -> list[Request | WindUp]:
        """Return what was asked since the last time, to the main thread."""
        found = []
        while True:
            try:
                found.append(self._asked.get_nowait())
            except Empty:
                return found


def _in_loop(
    loop: asyncio.AbstractEventLoop, settle: Callable[[Ended], None], ended: Ended
) -> None:
    with suppress(RuntimeError):  # it is closed, and nobody waits
        loop.call_soon_threadsafe(settle, ended)

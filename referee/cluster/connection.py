"""The coordinator's connection to a cluster: meets its machines, sends them bots and visits.

It lives on an event loop in a thread of its own. When the scheduler is lost, so is every machine
with its visits; it connects again, as often as there is progress in between.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Final, NamedTuple, TypeVar

from distributed import Client

from referee.cluster import tasks
from referee.cluster.addresses import Endpoint, unreachable
from referee.cluster.archives import parts
from referee.cluster.desk import VISIT_TASK, Ended
from referee.cluster.forms import Greeting, greeting_from_text, visit_as_text
from referee.cluster.machine import topic
from referee.errors import UpcardError
from referee.league.visit import Visit
from referee.store.log import WorkerChange
from referee.store.models import Isolation

ROUNDS: Final = 5
"""How often a scheduler may be lost before a duel is over, in a row."""
_LOOKING: Final = 1.0
"""Seconds from one look at which machines there are to the next."""
_PATIENCE: Final = 60.0
"""Seconds for which a scheduler that was lost is looked for, each time."""
_CLOSING: Final = 3.0
"""Seconds; what is not closed by then is left to the scheduler."""
_ANSWERING: Final = 30.0
"""Seconds a machine has for an answer."""

_T = TypeVar("_T")


class MachineChange(NamedTuple):
    """What happened to a machine."""

    name: str
    what: WorkerChange
    why: str
    """Empty for one that joined."""
    isolation: Isolation | None = None
    """What isolates bots on one that joined, in a league that is not strict."""


Refusal = Callable[[Greeting], str | None]
"""Returns why a machine is to play nothing; None if it may."""


@dataclass(eq=False, slots=True)
class Machine:
    """A machine that is there, and may play."""

    address: str
    """As Dask has it."""
    greeting: Greeting
    sending: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while bots are sent to it: else two visits would send the same."""
    visits: set["asyncio.Task[Ended]"] = field(default_factory=set)
    is_lost: asyncio.Event = field(default_factory=asyncio.Event)
    scheduler_is_lost: bool = False
    """Whether it was lost because the scheduler was."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.greeting.name


class MachineLost(Exception):
    """A machine was lost while it played, or the scheduler and all machines with it."""


class ClusterConnection:
    """A run's connection to a cluster."""

    def __init__(
        self,
        scheduler: Endpoint,
        refusal: Refusal,
        came: Callable[[tuple[int, str]], None],
        changed: Callable[[MachineChange], None],
    ) -> None:
        """Take where the scheduler is, and who is told what.

        Args:
            scheduler: that of the cluster.
            refusal: says which machines are to play nothing.
            came: takes the number of a visit, with what came of it as JSON, on this thread.
            changed: takes what happens to machines, on this thread.
        """
        self._scheduler = scheduler
        self.run = token_hex(8)
        """What tells the run's visits from those of any other."""
        self._refusal = refusal
        self._came = came
        self._changed = changed
        self._client: Client | None = None
        self._met: dict[str, asyncio.Task[None]] = {}
        """What asks each machine of this connection what it is, or has asked it."""
        self.machines: dict[str, Machine] = {}
        """Those that may play. It is replaced and never changed, as another thread reads it."""
        self._closed = asyncio.Event()
        self.has_progressed = False
        """Whether a duel is over since this was last asked."""

    async def keep(self) -> str:
        """Stay connected until this is closed; return why that is not possible any more."""
        fruitless, why = 0, None
        while not self._closed.is_set():
            why = await self._reached(_PATIENCE if self._client else 0)
            if why is not None:
                return why
            try:
                await self._connect_and_watch()
            except Exception as error:  # noqa: BLE001 (whatever Dask makes of one that is gone)
                why = str(error) or "it does not answer"
            finally:
                await self._disconnect()
            fruitless = 0 if self.has_progressed else fruitless + 1
            self.has_progressed = False
            if fruitless >= ROUNDS:
                return f"it was lost {ROUNDS} times before a duel was over: {why}"
        return "it was left"

    async def close(self) -> None:
        """Disconnect; what is under way is lost."""
        self._closed.set()

    async def _reached(self, patience: float) -> str | None:
        """Wait for a scheduler; return why there is none after so many seconds."""
        loop = asyncio.get_running_loop()
        until = loop.time() + patience
        while (why := await unreachable(self._scheduler)) is not None:
            if loop.time() >= until or await self._is_closed():
                return why
        return None

    async def _is_closed(self) -> bool:
        """Wait a moment; return whether this is closed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOKING):
                await self._closed.wait()
        return self._closed.is_set()

    async def _connect_and_watch(self) -> None:
        self._client = client = await Client(
            str(self._scheduler.address),
            security=self._scheduler.certificates,
            asynchronous=True,
            set_as_default=False,
            timeout=_ANSWERING,
        )
        # It would connect again by itself, and know nothing then of what was going on.
        stream = client.scheduler_comm
        client.subscribe_topic(topic(self.run), self._received)
        while client.scheduler_comm is stream:
            async with asyncio.timeout(_ANSWERING):
                found = await client.scheduler.identity(n_workers=-1)
            there = {each["name"]: address for address, each in found["workers"].items()}
            for key in [*self._met]:
                if key not in there:
                    self._lose(key, "it is gone")
            for key, address in there.items():
                if key not in self._met:
                    self._met[key] = asyncio.create_task(self._meet(key, address))
            if await self._is_closed():
                return
        raise OSError("the connection was lost")

    async def _disconnect(self) -> None:
        for machine in self.machines.values():
            machine.scheduler_is_lost = True
        for key in [*self._met]:
            self._lose(key, "the scheduler is gone")
        if self._client:
            with suppress(Exception):  # likewise
                async with asyncio.timeout(_CLOSING):
                    await self._client.close(timeout=_CLOSING)

    async def _received(self, event: tuple[float, Sequence[tuple[int, str]]]) -> None:
        self.has_progressed = True
        _, message = event
        for number, news in message:
            self._came((number, news))

    # Machines

    async def _meet(self, key: str, address: str) -> None:
        """Ask a machine what it is, and let it play if it may."""
        greeting: Greeting | None = None
        why: str | None = "it is no worker of Upcard, or one of another version"
        try:
            greeting = greeting_from_text(await self._ask(address, tasks.greet))
            why = self._refusal(greeting)
        except MachineLost:
            del self._met[key]  # it is asked again, if it stays there
            return
        except Exception as error:  # noqa: BLE001 (whatever another program raises)
            why = f"{why}: {error}"
        name = greeting.name if greeting else address
        if why is None and greeting:
            self.machines = self.machines | {key: Machine(address, greeting)}
            self._changed(MachineChange(name, "joined", "", greeting.isolation))
        else:
            self._changed(MachineChange(name, "refused", why or ""))

    def _lose(self, key: str, why: str) -> None:
        self._met.pop(key).cancel()
        machine = self.machines.get(key)
        if machine:
            self.machines = {of: each for of, each in self.machines.items() if of != key}
            machine.is_lost.set()
            for visit in machine.visits:
                visit.cancel()
            if not self._closed.is_set():
                self._changed(MachineChange(machine.name, "lost", why))

    async def _ask(
        self, address: str, task: Callable[..., Awaitable[_T]], *arguments: object
    ) -> _T:
        """Run one of `tasks` on a machine, whatever else it does."""
        client = self._client
        assert client
        try:
            async with asyncio.timeout(_ANSWERING):
                answers = await client.run(task, *arguments, workers=[address])
        except (OSError, TimeoutError) as error:
            raise MachineLost from error
        answer: _T = answers[address]
        return answer

    # Visits

    async def play(self, machine: Machine, visit: Visit) -> Ended:
        """Play a visit on a machine, and return how it ended.

        Raises:
            MachineLost: the machine was, or the scheduler.
        """
        own = asyncio.current_task()
        assert own
        machine.visits.add(own)
        try:
            async with machine.sending:
                await self._send_bots(machine, visit)
            return await self._played(machine, visit)
        except UpcardError as error:  # it cannot keep a bot, or has no runtime for it
            return Ended(why=str(error))
        except MachineLost:
            # What is lost is noticed at the next look, and whether that is the scheduler.
            with suppress(TimeoutError, asyncio.CancelledError):
                async with asyncio.timeout(_ANSWERING):
                    await machine.is_lost.wait()
            raise
        except asyncio.CancelledError:
            raise MachineLost from None
        finally:
            machine.visits.discard(own)

    async def _send_bots(self, machine: Machine, visit: Visit) -> None:
        lacking = await self._ask(machine.address, tasks.lacking, visit.digests)
        for digest, bot in zip(visit.digests, visit.bots, strict=True):
            if digest in lacking:
                begin = 0
                for part in parts(bot.bundle):
                    await self._ask(machine.address, tasks.take, self.run, digest, begin, part)
                    begin += len(part)
                await self._ask(machine.address, tasks.finish, self.run, digest)

    async def _played(self, machine: Machine, visit: Visit) -> Ended:
        client = self._client
        assert client
        future = client.submit(
            tasks.play,
            visit_as_text(visit),
            key=f"{VISIT_TASK}{self.run}-{visit.id.number}",
            workers=[machine.address],
            allow_other_workers=False,
            pure=False,
            retries=0,
        )
        try:
            killed, why = await future
        except UpcardError:
            raise
        except Exception as error:  # whatever Dask makes of a machine that is gone
            raise MachineLost from error
        finally:
            future.release()
        return Ended(killed, why)

    async def wind_up(self) -> None:
        """Ask all machines to begin no other duel."""
        every = self.machines.values()
        asked = (self._ask(machine.address, tasks.wind_up, self.run) for machine in every)
        await asyncio.gather(*asked, return_exceptions=True)  # who is lost winds up by itself

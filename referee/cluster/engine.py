"""The engine by which a run plays on a cluster."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager, suppress
from importlib.metadata import version
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final, NamedTuple

from anyio.from_thread import BlockingPortal, start_blocking_portal

from referee import json_fields
from referee.cluster.addresses import Endpoint
from referee.cluster.connection import ClusterConnection, Machine, MachineChange, MachineLost
from referee.cluster.desk import Ended
from referee.cluster.forms import Greeting
from referee.cluster.machine import STOPPED
from referee.cluster.machines import Record, is_set_aside, preference
from referee.errors import ConfigError, RecordError, UpcardError
from referee.league.channel import News, Sent, VisitId
from referee.league.engine import FinishedVisit
from referee.league.epochs import refuse_less
from referee.league.outcome_forms import news_from_json
from referee.league.visit import Visit
from referee.sandbox.limits import SandboxLimits
from referee.scheduling.keys import DuelKey
from referee.store.log import Body, Kind
from referee.store.models import Isolation, League, StoredDuel, StoredVoid

if TYPE_CHECKING:
    from referee.engine.game import Game

_LOOKING: Final = 0.2
"""Seconds for which nothing else is looked at while no machine is there."""
_SAYING: Final = 5.0
"""Seconds after which the user is told that no machine is there."""
_TOGETHER: Final = 0.05
"""Seconds for more outcomes to come in after the first: they are stored together."""
_AGAIN: Final = "see to that, and run again: nothing is lost"
MOST_LOSSES: Final = 5
"""After so many visits that were lost on a machine in a row it plays no more of a run."""
_CLOSING: Final = 10.0
"""Seconds for which a scheduler is waited for that does not answer."""
_SAID: Final = {
    "joined": "has joined",
    "refused": "is refused",
    "lost": "is lost",
    "set aside": "is set aside",
}


class ClusterOptions(NamedTuple):
    """Where a cluster is, and what its machines must have."""

    scheduler: Endpoint
    accepted: Sequence[str] = ()
    """The guarantees that may be missing."""
    sandboxed: bool = True


@contextmanager
def cluster_engine(
    options: ClusterOptions, report: Callable[[str], None]
) -> Iterator["ClusterEngine"]:
    """Return the engine of a cluster, for one run.

    Args:
        options: where the cluster is.
        report: takes lines that tell the user what happens.
    """
    with start_blocking_portal() as portal:
        engine = ClusterEngine(portal, options, report)
        try:
            yield engine
        finally:
            engine.close()


class ClusterEngine:
    """Plays on the machines of a cluster."""

    def __init__(
        self, portal: BlockingPortal, options: ClusterOptions, report: Callable[[str], None]
    ) -> None:
        """Take the event loop it lives on, and where the cluster is; connect to nothing yet."""
        self._portal = portal
        self._options = options
        self._report = report
        self._pool: ClusterPool | None = None

    def examine(self, league: League, stops: Callable[[], int]) -> Isolation:
        """Wait for the first machine that may play, and return what isolates the bots there.

        Raises:
            ConfigError: there is no scheduler.
            KeyboardInterrupt: somebody asked to stop meanwhile.
        """
        self._pool = pool = ClusterPool(self._portal, self._options, league, self._report)
        began, has_said = monotonic(), False
        while not pool.has_room:
            if stops():
                raise KeyboardInterrupt
            pool.wait(_LOOKING)
            if not has_said and monotonic() > began + _SAYING:
                has_said = True
                address = self._options.scheduler.address
                self._report(f"waiting for workers; start one: upcard worker {address}")
        return pool.first_isolation

    @contextmanager
    def open(self, limits: Sequence[SandboxLimits]) -> Iterator["ClusterPool"]:
        """Return the machines that are there; each knows how much memory it has."""
        del limits
        assert self._pool
        yield self._pool

    def close(self) -> None:
        """Disconnect."""
        if self._pool:
            self._pool.close()


class _Visit(NamedTuple):
    machine: Machine
    future: Future[Ended]
    began: float


class ClusterPool:
    """The machines of a cluster that may play, each with as many visits as it plays at a time."""

    def __init__(
        self,
        portal: BlockingPortal,
        options: ClusterOptions,
        league: League,
        report: Callable[[str], None],
    ) -> None:
        """Connect to a scheduler, in another thread."""
        self._portal = portal
        self._options = options
        self._league = league
        self._strict = league.plan.terms.beat > 0
        self._report = report
        self._came: SimpleQueue[tuple[int, str] | None] = SimpleQueue()
        """What came of visits, by their numbers; None only wakes who waits for it."""
        self._changes: SimpleQueue[MachineChange] = SimpleQueue()
        self._pending: list[tuple[int, str] | None] = []
        self._is_winding_up = False
        self._records: dict[Machine, Record] = defaultdict(Record)
        self._aside: dict[Machine, str] = {}
        """Which machines play no more, and why."""
        self._losses: Counter[str] = Counter()
        """How many visits were lost on each machine since a duel was over there."""
        self._leaving: set[Machine] = set()
        """Which machines were asked to stop; others may come in their place."""
        self._visits: dict[int, _Visit] = {}
        """Those under way."""
        self._machines: dict[int, Machine] = {}
        """Where each visit was played."""
        self._games: dict[int, Game] = {}
        """What was played in it."""
        self._connection = ClusterConnection(
            options.scheduler, self._refusal, self._came.put, self._change
        )
        self._keeping = portal.start_task_soon(self._connection.keep)

    @property
    def run(self) -> str:
        """What tells its visits from those of any other run."""
        return self._connection.run

    @property
    def _usable(self) -> list[Machine]:
        return [machine for machine in self._staying if machine not in self._aside]

    @property
    def _staying(self) -> list[Machine]:
        there = self._connection.machines.values()
        return [machine for machine in there if machine not in self._leaving]

    @property
    def first_isolation(self) -> Isolation:
        """What isolates bots on the machine that came first."""
        return self._isolation_on(self._usable[0])

    @property
    def size(self) -> int:
        """How many visits it plays at the same time, on the machines that are there."""
        return sum(machine.greeting.jobs for machine in self._usable)

    @property
    def is_busy(self) -> bool:
        """Whether any visit is under way."""
        return bool(self._visits)

    @property
    def has_room(self) -> bool:
        """Whether a machine has a worker that is free."""
        return any(self._free(machine) > 0 for machine in self._usable)

    def _free(self, machine: Machine) -> int:
        busy = sum(visit.machine is machine for visit in self._visits.values())
        return machine.greeting.jobs - busy

    def play(self, visit: Visit) -> None:
        """Hand a visit to a machine that has a worker that is free."""
        numbers = visit.numbers
        keys = [DuelKey(*numbers, duel.number) for duel in visit.duels]
        free = {each: self._free(each) for each in self._usable}
        machine = max(
            (each for each in free if free[each] > 0),
            key=lambda each: preference(self._records[each], free[each], keys),
        )
        future = self._portal.start_task_soon(self._connection.play, machine, visit)
        future.add_done_callback(lambda _: self._came.put(None))
        self._visits[visit.id.number] = _Visit(machine, future, monotonic())
        self._machines[visit.id.number] = machine
        self._games[visit.id.number] = visit.terms.game

    def isolation(self, visit: VisitId) -> Isolation:
        """Return what isolates the bots of a visit."""
        return self._isolation_on(self._machines[visit.number])

    def _isolation_on(self, machine: Machine) -> Isolation:
        return machine.greeting.isolation._replace(strict=self._strict)

    # What comes

    def wait(self, seconds: float) -> bool:
        """Wait for something to come; return whether it did.

        Raises:
            UpcardError: the scheduler is lost for good, or no machine is left that may play.
        """
        self._refuse_end()
        with suppress(Empty):
            self._pending.append(self._came.get(timeout=seconds))
        return bool(self._pending)

    def receive(self, seconds: float) -> Iterator[Sent]:
        """Yield outcomes, having waited so long at most for the first."""
        if self.wait(seconds):
            sleep(_TOGETHER)
        yield from self.receive_all()

    def receive_all(self) -> Iterator[Sent]:
        """Yield all outcomes that were sent by now."""
        with suppress(Empty):
            while True:
                self._pending.append(self._came.get_nowait())
        came, self._pending = self._pending, []
        for number, text in filter(None, came):
            machine = self._machines[number]
            try:
                news = news_from_json(json_fields.parsed(text.encode()), self._games[number])
            except RecordError as error:
                self._set_aside(machine, f"it sends what cannot be read: {error}")
                continue
            self._count(machine, news)
            yield Sent(VisitId(self.run, number), news)

    def _count(self, machine: Machine, news: News) -> None:
        if isinstance(news, StoredDuel | StoredVoid):
            self._losses[machine.name] = 0
            own = self._records[machine]
            own.count(news.key, is_void=isinstance(news, StoredVoid))
            others = [each for of, each in self._records.items() if of is not machine]
            if is_set_aside(own, others):
                self._set_aside(machine, f"{own.voids} of {own.duels} duels were void there")

    def _set_aside(self, machine: Machine, why: str) -> None:
        if machine not in self._aside:
            self._aside[machine] = why
            self._change(MachineChange(machine.name, "set aside", why))

    def _refuse_end(self) -> None:
        """Refuse to wait for what will not come."""
        if self._keeping.done():
            why = self._keeping.result()
            raise UpcardError(f"no scheduler at {self._options.scheduler.address}: {why}; {_AGAIN}")
        if self._staying and not self._visits and not self._usable:
            names = "; ".join(f"{each.name}: {self._aside[each]}" for each in self._staying)
            raise UpcardError(f"no worker is left that may play: {names}; {_AGAIN}")

    def finished(self) -> tuple[list[FinishedVisit], list[Sent]]:
        """Return the visits that are over, and the last of their outcomes."""
        over = {number: visit for number, visit in self._visits.items() if visit.future.done()}
        for number in over:
            del self._visits[number]
        # What a machine sent before it ended a visit came before that.
        outcomes = [*self.receive_all()] if over else []
        return [self._finished(number, visit) for number, visit in over.items()], outcomes

    def _finished(self, number: int, visit: _Visit) -> FinishedVisit:
        machine, id_ = visit.machine, VisitId(self.run, number)
        try:
            killed, why = visit.future.result()
        except (MachineLost, CancelledError):
            killed, why = not machine.scheduler_is_lost, ""
        if killed:
            self._losses[machine.name] += 1
            why = self._too_many_losses(machine.name) or ""
        if why == STOPPED:
            self._leaving.add(machine)
        elif why:
            self._set_aside(machine, why)
        # One that is killed again and again is set aside, and ends no run.
        return FinishedVisit(id_, seconds=monotonic() - visit.began)

    def _too_many_losses(self, name: str) -> str | None:
        if self._losses[name] < MOST_LOSSES:
            return None
        return f"{MOST_LOSSES} visits there were lost before a duel was over"

    def wind_up(self) -> None:
        """Ask all machines to begin no other duel."""
        if not self._is_winding_up:
            self._is_winding_up = True
            self._portal.start_task_soon(self._connection.wind_up)

    # Machines

    def _refusal(self, greeting: Greeting) -> str | None:
        ours, isolation = version("upcard-referee"), greeting.isolation
        if greeting.version != ours:
            return f"it has Upcard {greeting.version}, and this is {ours}; install the same"
        if isolation.sandboxed != self._options.sandboxed:
            without = "without" if self._options.sandboxed else "in"
            return f"it plays {without} a sandbox; start it as this run is, with or without one"
        missing = [
            each["name"]
            for each in isolation.guarantees
            if each["level"] == "missing" and each["name"] not in self._options.accepted
        ]
        if missing:
            return f"its sandbox lacks {', '.join(missing)}; see 'upcard doctor' there"
        if (why := self._too_many_losses(greeting.name)) is not None:
            return why
        try:
            refuse_less(self._league, isolation)
        except ConfigError as error:
            return str(error)
        return None

    def _change(self, change: MachineChange) -> None:
        """Report what happened to a machine, and keep it for the league's log."""
        self._report(
            ": ".join(filter(None, (f"worker {change.name} {_SAID[change.what]}", change.why)))
        )
        self._changes.put(change)

    def log(self) -> list[tuple[Kind, Body]]:
        """Return what happened to machines, since this was asked last."""
        entries: list[tuple[Kind, Body]] = []
        with suppress(Empty):
            while True:
                entries.append(("worker", _as_body(self._changes.get_nowait(), self._strict)))
        return entries

    def close(self) -> None:
        """End what is under way, and disconnect."""
        self._portal.call(self._connection.close)
        wait([self._keeping], _CLOSING)


def _as_body(change: MachineChange, strict: bool) -> Body:
    isolation = change.isolation
    return {
        "worker": change.name,
        "change": change.what,
        "why": change.why,
        "isolation": isolation and isolation._replace(strict=strict).digest,
    }

"""The workers of this machine: each is given a visit when it is free, and sends what comes."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from secrets import token_hex
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from referee.examination.guarantees import guaranteed_sandboxes, isolation_of
from referee.league.channel import ResultChannel, Sent, VisitId
from referee.league.engine import FinishedVisit
from referee.league.visit import Visit, WorkerSettings, play_visit
from referee.league.workers import default_jobs, kill_workers, worker_directory, worker_makers
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.modes import Mode
from referee.store.log import Body, Kind
from referee.store.models import Isolation, League

Result = TypeVar("Result")


class Sandboxing(NamedTuple):
    """How bots are isolated on this machine, once that was tried."""

    mode: Mode | None
    """None if they are not."""
    shared_files: bool
    """Whether bots share the files of the machine."""
    isolation: Isolation


class LocalEngine:
    """Plays on this machine."""

    def __init__(
        self, jobs: int | None, accepted: Sequence[str], *, sandboxed: bool, isolates: bool
    ) -> None:
        """Take how bots are to play.

        Args:
            jobs: how many workers there are to be, if that is said.
            accepted: the guarantees that may be missing.
            sandboxed: whether there are sandboxes.
            isolates: whether every bot is in one; if not, nothing is said to be guaranteed.
        """
        self._jobs = jobs
        self._accepted = accepted
        self._sandboxed = sandboxed
        self._isolates = isolates
        self._sandboxing: Sandboxing
        self._seats: int

    def examine(self, league: League, stops: Callable[[], int]) -> Isolation:
        """Try the sandbox, and return what it guarantees.

        Raises:
            ConfigError: a guarantee is missing that was not accepted as missing.
        """
        del stops  # it takes a second
        self._seats = len(league.plan.terms.game.seats)
        strict = league.plan.terms.beat > 0
        found = examined(self._accepted, sandboxed=self._sandboxed, strict=strict)
        held = found.isolation if self._isolates else Isolation(False, strict, ())
        self._sandboxing = found._replace(isolation=held)
        return held

    @contextmanager
    def open(self, limits: Sequence[SandboxLimits]) -> Iterator["WorkerPool"]:
        """Open a pool; at its end the workers are killed, and nothing of them is left."""
        jobs = self._jobs or default_jobs(limits, self._seats)
        with open_pool(jobs, self._sandboxing) as pool:
            yield pool


def examined(accepted: Sequence[str], *, sandboxed: bool, strict: bool) -> Sandboxing:
    """Try the sandbox of this machine; it takes a second.

    Raises:
        ConfigError: a guarantee is missing that was not accepted as missing.
    """
    return asyncio.run(_examined(accepted, sandboxed=sandboxed, strict=strict))


async def _examined(accepted: Sequence[str], *, sandboxed: bool, strict: bool) -> Sandboxing:
    async with guaranteed_sandboxes(accepted, sandboxed=sandboxed) as (sandboxes, guarantees):
        isolation = isolation_of(guarantees, sandboxed=sandboxed, strict=strict)
        return Sandboxing(sandboxes.mode, bool(sandboxes.shared_because), isolation)


@contextmanager
def open_pool(jobs: int, sandboxing: Sandboxing) -> Iterator["WorkerPool"]:
    """Open a pool of so many workers; at its end they are killed, and nothing of them is left."""
    sandboxed = sandboxing.mode is not None
    with worker_directory(sandboxed=sandboxed) as directory, ResultChannel(directory) as channel:
        pool = WorkerPool(worker_makers(jobs), channel, sandboxing)
        try:
            yield pool
        finally:
            kill_workers()
            pool.close()


class WorkerPool:
    """All workers, and the channel they send on."""

    def __init__(
        self,
        makers: Sequence[Callable[[], Executor]],
        channel: ResultChannel,
        sandboxing: Sandboxing,
    ) -> None:
        """Take what starts the workers; each is started when there is something to play."""
        self._workers = [_Worker(make) for make in makers]
        self._channel = channel
        self._isolation = sandboxing.isolation
        self._settings = WorkerSettings(sandboxing.mode, sandboxing.shared_files, channel.address)
        self.run = token_hex(8)
        """What tells its visits from those of any other run."""

    @property
    def size(self) -> int:
        """How many visits it plays at the same time."""
        return len(self._workers)

    @property
    def is_busy(self) -> bool:
        """Whether any visit is under way."""
        return any(worker.visit for worker in self._workers)

    @property
    def has_room(self) -> bool:
        """Whether a worker is free."""
        return any(worker.is_free for worker in self._workers)

    def play(self, visit: Visit) -> None:
        """Hand a visit to a worker that is free."""
        self._free.play(visit, self._settings, self.wake)

    def submit(self, work: Callable[..., Result], *args: object) -> Future[Result]:
        """Hand something else to a worker that is free: a function of a module, and its arguments.

        Its result, or a `BrokenExecutor` if the worker was killed, is in the future.
        """
        return self._free.submit(work, args, self.wake)

    @property
    def _free(self) -> "_Worker":
        return next(worker for worker in self._workers if worker.is_free)

    def isolation(self, visit: VisitId) -> Isolation:
        """Return what isolates the bots, which is the same in all visits."""
        del visit
        return self._isolation

    def receive(self, seconds: float) -> Iterator[Sent]:
        """Yield outcomes, having waited so long at most for the first."""
        return self._channel.receive(seconds)

    def receive_all(self) -> Iterator[Sent]:
        """Yield all outcomes that were sent by now."""
        return self._channel.receive_all()

    def wake(self) -> None:
        """End a `receive` that is waiting, from any thread."""
        self._channel.wake()

    def wind_up(self, run: str | None = None) -> None:
        """Ask all workers of a run, else of the one it was opened for, to begin no other duel."""
        self._channel.wind_up(self.run if run is None else run)

    def finished(self) -> tuple[list[FinishedVisit], list[Sent]]:
        """Return the visits that are over, and the last of their outcomes."""
        finished = [worker.finish() for worker in self._workers if worker.has_finished]
        # What a worker sent before it ended is there, though it may not have been received.
        return finished, list(self._channel.receive_all()) if finished else []

    def log(self) -> list[tuple[Kind, Body]]:
        """Return nothing: the log says of this machine what it says of the run."""
        return []

    def close(self) -> None:
        """Close all workers."""
        for worker in self._workers:
            worker.close()


class _Worker:
    def __init__(self, make: Callable[[], Executor]) -> None:
        self._make = make
        self._executor: Executor | None = None
        self._future: Future[Any] | None = None
        self.visit: VisitId | None = None
        self._began = 0.0

    def play(self, visit: Visit, settings: WorkerSettings, done: Callable[[], None]) -> None:
        self._future = self.submit(play_visit, (visit, settings), done)
        self.visit, self._began = visit.id, monotonic()

    def submit(
        self, work: Callable[..., Result], args: tuple[object, ...], done: Callable[[], None]
    ) -> Future[Result]:
        if self._future and isinstance(self._future.exception(), BrokenExecutor):
            self.close()
        try:
            future = self._started().submit(work, *args)
        except BrokenExecutor:  # it was killed while it had nothing to do
            self.close()
            future = self._started().submit(work, *args)
        self._future = future
        future.add_done_callback(lambda _: done())
        return future

    def _started(self) -> Executor:
        self._executor = self._executor or self._make()
        return self._executor

    @property
    def is_free(self) -> bool:
        return self.visit is None and (self._future is None or self._future.done())

    @property
    def has_finished(self) -> bool:
        return self.visit is not None and self._future is not None and self._future.done()

    def finish(self) -> FinishedVisit:
        assert self.visit
        assert self._future
        error = self._future.exception()
        visit, self.visit, self._future = self.visit, None, None
        killed, seconds = isinstance(error, BrokenExecutor), monotonic() - self._began
        if killed:
            self.close()
        return FinishedVisit(visit, killed, None if killed else error, seconds)

    def close(self) -> None:
        if self._executor:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None

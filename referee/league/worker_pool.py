"""The pool of workers: each is given a visit when it is free, and sends what comes of it."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from typing import NamedTuple

from referee.league.channel import News, ResultChannel
from referee.league.visit import Visit, play_visit
from referee.league.workers import kill_workers, worker_directory, worker_makers
from referee.scheduling.round_robin import Block


class FinishedVisit(NamedTuple):
    """That a visit is over."""

    block: Block
    killed: bool
    """Whether its worker ended before it did."""


@contextmanager
def open_pool(jobs: int, *, sandboxed: bool) -> Iterator["WorkerPool"]:
    """Open a pool of so many workers; at its end they are killed, and nothing of them is left."""
    with worker_directory(sandboxed=sandboxed) as directory, ResultChannel(directory) as channel:
        pool = WorkerPool(worker_makers(jobs), channel)
        try:
            yield pool
        finally:
            kill_workers()
            pool.close()


class WorkerPool:
    """All workers, and the channel they send on."""

    def __init__(self, makers: Sequence[Callable[[], Executor]], channel: ResultChannel) -> None:
        """Take what starts the workers; each is started when there is something to play."""
        self._workers = [_Worker(make) for make in makers]
        self._channel = channel
        self.address = channel.address
        """Where a visit's outcomes are to be sent."""

    @property
    def is_busy(self) -> bool:
        """Whether any visit is under way."""
        return any(worker.block for worker in self._workers)

    @property
    def has_room(self) -> bool:
        """Whether a worker is free."""
        return not all(worker.block for worker in self._workers)

    def play(self, block: Block, visit: Visit) -> None:
        """Hand a visit to a worker that is free."""
        worker = next(worker for worker in self._workers if not worker.block)
        worker.play(block, visit, self._channel.wake)

    def receive(self, seconds: float) -> Iterator[News]:
        """Yield outcomes, having waited so long at most for the first."""
        return self._channel.receive(seconds)

    def receive_all(self) -> Iterator[News]:
        """Yield all outcomes that were sent by now."""
        return self._channel.receive_all()

    def wind_up(self) -> None:
        """Ask all workers to begin no other duel."""
        self._channel.wind_up()

    def finished(self) -> tuple[list[FinishedVisit], list[News]]:
        """Return the visits that are over, and the last of their outcomes."""
        finished = [worker.finish() for worker in self._workers if worker.has_finished]
        # What a worker sent before it ended is there, though it may not have been received.
        return finished, list(self._channel.receive_all()) if finished else []

    def close(self) -> None:
        """Let go of all workers."""
        for worker in self._workers:
            worker.close()


class _Worker:
    def __init__(self, make: Callable[[], Executor]) -> None:
        self._make = make
        self._executor: Executor | None = None
        self._future: Future[None] | None = None
        self.block: Block | None = None

    def play(self, block: Block, visit: Visit, done: Callable[[], None]) -> None:
        self.block = block
        try:
            self._future = self._started().submit(play_visit, visit)
        except BrokenExecutor:  # it was killed while it had nothing to do
            self.close()
            self._future = self._started().submit(play_visit, visit)
        self._future.add_done_callback(lambda _: done())

    def _started(self) -> Executor:
        self._executor = self._executor or self._make()
        return self._executor

    @property
    def has_finished(self) -> bool:
        return self._future is not None and self._future.done()

    def finish(self) -> FinishedVisit:
        assert self.block
        assert self._future
        error = self._future.exception()
        finished = FinishedVisit(self.block, killed=isinstance(error, BrokenExecutor))
        self.block = self._future = None
        if finished.killed:
            self.close()
        elif error:
            raise error
        return finished

    def close(self) -> None:
        if self._executor:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None

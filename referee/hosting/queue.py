"""The process that works for a host: it examines submissions, plays ladders and challenges.

One such process at a time works on a store. It may be killed at any moment: what it was doing is
done again by the next one, and what was stored is not.
"""

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from threading import Thread
from typing import Final, NamedTuple

from referee.errors import ConfigError, FileError, UpcardError
from referee.hosting.challenges import Challenges
from referee.hosting.examinations import Examiner
from referee.hosting.ladder_history import LadderHistory
from referee.hosting.ladders import LadderRunner
from referee.hosting.shared_pool import SharedPool
from referee.league.worker_pool import examined, open_pool
from referee.league.workers import default_jobs
from referee.sandbox.limits import SandboxLimits
from referee.store.database import Store
from referee.store.jobs import requeue_running
from referee.store.ladders import ladder, ladders

LOCK: Final = "queue.lock"
_EXAMINERS: Final = 2
"""Submissions that are examined at the same time, at most: one that hangs holds up no other."""
_PAUSE: Final = 1.0
"""Seconds from one look at what there is to do to the next."""
_AFTER_TROUBLE: Final = 10.0
_LOG: Final = logging.getLogger("upcard.queue")


class QueueOptions(NamedTuple):
    """How a host works."""

    jobs: int | None = None
    """Workers; as many as this machine can take, if that is not said."""
    accepted: Sequence[str] = ()
    """The guarantees of the sandbox that may be missing."""
    sandboxed: bool = True


def work(
    store: Store,
    options: QueueOptions,
    stops: Callable[[], int],
    report: Callable[[str], None],
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> None:
    """Work for a host until it is asked to stop.

    Args:
        store: the store of the host.
        options: how it works.
        stops: how often somebody has asked to stop: once is after the duels in flight, twice at
            once.
        report: takes lines that tell the organiser what happens.
        clock: returns the time.

    Raises:
        ConfigError: another process works on the store, or bots cannot play here.
    """
    with queue_lock(store.files):
        again = requeue_running(store)
        sandboxing = examined(options.accepted, sandboxed=options.sandboxed, strict=False)
        jobs = options.jobs or default_jobs([SandboxLimits()])
        with open_pool(jobs, sandboxing) as pool:
            shared, threads = SharedPool(pool, sandboxing), Threads()
            examiner = Examiner(store, shared, Path(gettempdir()), clock, lambda: bool(stops()))
            for _ in range(_EXAMINERS):
                threads.start(examiner.work)
            threads.start(Challenges(store, shared, clock, stops).work)
            threads.start(Ladders(store, shared, clock, stops, threads).work)
            report(f"working with {jobs} at a time" + (f"; {again} begun again" if again else ""))
            shared.serve(lambda: stops() > 1 or threads.are_over)
            threads.raise_error()


class Threads:
    """Threads that work until they return; an error in one of them is the end of all."""

    def __init__(self) -> None:
        """Begin with none."""
        self._threads: list[Thread] = []
        self._errors: list[BaseException] = []

    def start(self, work: Callable[[], object]) -> None:
        """Start one."""
        thread = Thread(target=self._run, args=(work,), daemon=True)
        self._threads.append(thread)
        thread.start()

    @property
    def are_over(self) -> bool:
        """Return whether all have returned, or one has failed."""
        return bool(self._errors) or not any(each.is_alive() for each in self._threads)

    def raise_error(self) -> None:
        """Raise the error that ended one, if one did."""
        for error in self._errors:
            raise error

    def _run(self, work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 (raised where the threads are waited for)
            self._errors.append(error)


@dataclass
class Ladders:
    """Plays all ladders of a host, each in a thread of its own."""

    store: Store
    pool: SharedPool
    clock: Callable[[], datetime]
    stops: Callable[[], int]
    threads: Threads

    def work(self) -> None:
        """Play, until the host stops."""
        playing = set[str]()
        while not self.stops():
            for each in ladders(self.store):
                if each.name not in playing:
                    playing.add(each.name)
                    self.threads.start(partial(self._play, each.name))
            time.sleep(_PAUSE)

    def _play(self, name: str) -> None:
        runner = LadderRunner(
            self.store,
            ladder(self.store, name),
            LadderHistory(self.store),
            lambda: self.pool.engine("ladder"),
            self.clock,
            self.stops,
        )
        while not self.stops():
            runner.ladder = ladder(self.store, name)
            time.sleep(self._turn(runner))

    def _turn(self, runner: LadderRunner) -> float:
        """Play a round if one is due; return after how many seconds to look again."""
        try:
            return 0.0 if runner.turn() else _PAUSE
        except KeyboardInterrupt:
            return 0.0
        except UpcardError as error:
            _LOG.warning("ladder %s does not go on: %s", runner.ladder.name, error)
            return _AFTER_TROUBLE


@contextmanager
def queue_lock(files: Path) -> Iterator[None]:
    """Hold the lock of the process that works for a host, as long as the context lasts.

    Raises:
        ConfigError: another process holds it.
        FileError: there is no place for it.
    """
    try:
        files.mkdir(exist_ok=True)
        lock = os.open(files / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise FileError(f"cannot write {files / LOCK}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigError(
            "another process works on the queue of this store; stop it first"
        ) from None
    else:
        yield
    finally:
        os.close(lock)

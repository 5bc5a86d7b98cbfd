"""The process that works for a host: it examines submissions, plays ladders and challenges.

One such process at a time works on a store. It may be killed at any moment: what it was doing is
done again by the next one, and what was stored is not. So trouble with the store ends the process,
which is started again; trouble with one ladder or submission does not.
"""

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from threading import Thread
from typing import Final, NamedTuple

from referee.errors import ConfigError, FileError, UpcardError
from referee.hosting.challenges import Challenges
from referee.hosting.examinations import Examinations
from referee.hosting.ladder_history import LadderHistory
from referee.hosting.ladders import LadderRunner, OpenEngine
from referee.hosting.queued import Queued, queue_killed_again
from referee.hosting.shared_pool import SharedPool
from referee.league.worker_pool import examined, open_pool
from referee.league.workers import default_jobs
from referee.sandbox.limits import SandboxLimits
from referee.store.database import Store
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
    engine: OpenEngine | None = None
    """Opens what ladders are played on, if that is not the workers of this machine."""


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
        again = queue_killed_again(store, clock())
        sandboxing = examined(options.accepted, sandboxed=options.sandboxed, strict=False)
        jobs = options.jobs or default_jobs([SandboxLimits()])
        with open_pool(jobs, sandboxing) as pool:
            shared, threads = SharedPool(pool, sandboxing), Threads()
            engine = options.engine or (lambda _: nullcontext(shared.engine("ladder")))
            examine = Examinations(store, shared, Path(gettempdir()), clock, stops).examine
            play = Challenges(store, shared, clock, stops).play
            for each in (
                *[Queued(store, "examine", examine, clock, stops).work] * _EXAMINERS,
                Queued(store, "challenge", play, clock, stops).work,
                Ladders(store, engine, clock, stops, threads).work,
            ):
                threads.start(each)
            report(f"working with {jobs} at a time" + (f"; {again} begun again" if again else ""))
            shared.serve(lambda: stops() > 1 or threads.are_over)
            threads.raise_failure()


class Threads:
    """The threads of this process; if one of them fails, all are over."""

    def __init__(self) -> None:
        """Begin with none."""
        self._threads: list[Thread] = []
        self._failures: list[Exception] = []

    def start(self, work: Callable[[], object]) -> None:
        """Start one more."""
        thread = Thread(target=self._run, args=(work,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _run(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as failure:  # noqa: BLE001 (whatever it is, it is raised for all of them)
            self._failures.append(failure)

    @property
    def are_over(self) -> bool:
        """Whether none is left, or one has failed."""
        return bool(self._failures) or not any(each.is_alive() for each in self._threads)

    def raise_failure(self) -> None:
        """Raise what one of them failed with, if one did."""
        for failure in self._failures:
            raise failure


@dataclass
class Ladders:
    """Plays all ladders of a host, each in a thread of its own."""

    store: Store
    engine: OpenEngine
    clock: Callable[[], datetime]
    stops: Callable[[], int]
    threads: Threads

    def work(self) -> None:
        """Play, until the host stops."""
        playing: set[str] = set()
        while not self.stops():
            for each in ladders(self.store):
                if each.name not in playing:
                    playing.add(each.name)
                    self.threads.start(partial(self.play, each.name))
            time.sleep(_PAUSE)

    def play(self, name: str) -> None:
        """Play one ladder, until it is over or the host stops."""
        runner = LadderRunner(
            self.store,
            ladder(self.store, name),
            LadderHistory(self.store),
            self.engine,
            self.clock,
            self.stops,
        )
        while not (runner.is_over or self.stops()):
            time.sleep(self._turn(runner))

    def _turn(self, runner: LadderRunner) -> float:
        """Play a round if one is due; return after how many seconds to look again."""
        try:
            runner.ladder = ladder(self.store, runner.ladder.name)
            return 0.0 if runner.turn() else _PAUSE
        except KeyboardInterrupt:
            return 0.0
        except UpcardError as error:
            _LOG.warning("ladder %s does not go on: %s", runner.ladder.name, error)
        except Exception:  # noqa: BLE001 (whatever it is, other ladders go on)
            _LOG.exception("ladder %s does not go on", runner.ladder.name)
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

"""One pool of workers for all that a host does: ladders, examinations and challenges.

Each of them is done by a thread of its own, as if it had a pool to itself; the thread that owns the
workers hands out what waits, one by one, by the shares. Workers are started by that thread alone,
for they end with the thread that started them.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Lock
from time import monotonic
from typing import Any, Final, NamedTuple, TypeVar

from referee.hosting.shares import Shares, Work
from referee.league.channel import Sent, VisitId
from referee.league.engine import FinishedVisit
from referee.league.visit import Visit
from referee.league.worker_pool import Sandboxing, WorkerPool
from referee.sandbox.limits import SandboxLimits
from referee.store.log import Body, Kind
from referee.store.models import Isolation, League

_RECEIVING: Final = 0.2
"""Seconds for which nothing else is looked at."""
Result = TypeVar("Result")


class _Request(NamedTuple):
    """Something that waits for a worker."""

    kind: Work
    start: Callable[[WorkerPool], Future[Any] | None]
    """Hands it to a free worker; returns the future of what is no visit."""
    run: "SharedRun | None"
    visit: VisitId | None


class _Began(NamedTuple):
    """Something that a worker is doing."""

    kind: Work
    at: float


class SharedPool:
    """The workers of a host, which several threads share."""

    def __init__(
        self, pool: WorkerPool, sandboxing: Sandboxing, clock: Callable[[], float] = monotonic
    ) -> None:
        """Take the workers, and what isolates bots on them."""
        self.size = pool.size
        self.sandboxing = sandboxing
        self._pool = pool
        self._clock = clock
        self._shares = Shares(pool.size, clock())
        self._lock = Lock()
        self._waiting: defaultdict[Work, deque[_Request]] = defaultdict(deque)
        self._winding_up: SimpleQueue[str] = SimpleQueue()
        self._runs: dict[str, SharedRun] = {}
        self._visits: dict[VisitId, _Began] = {}
        self._tasks: dict[Future[Any], _Began] = {}

    # What other threads call

    def engine(self, kind: Work) -> "SharedEngine":
        """Return the engine by which a run of a kind plays on these workers."""
        return SharedEngine(self, kind)

    def submit(self, kind: Work, work: Callable[..., Result], *args: object) -> Future[Result]:
        """Queue something else than a visit: a function of a module, and its arguments."""
        outer: Future[Result] = Future()

        def start(pool: WorkerPool) -> Future[Result]:
            inner = pool.submit(work, *args)
            inner.add_done_callback(lambda done: _pass_on(done, outer))
            return inner

        self.request(_Request(kind, start, None, None))
        return outer

    def request(self, request: _Request) -> None:
        """Queue something."""
        with self._lock:
            self._waiting[request.kind].append(request)
        self._pool.wake()

    def join(self, run: "SharedRun") -> None:
        """Register a run, which plays from now on."""
        with self._lock:
            self._runs[run.run] = run

    def leave(self, run: "SharedRun") -> None:
        """Forget a run; what waits of it is not begun."""
        with self._lock:
            self._runs.pop(run.run, None)
            for waiting in self._waiting.values():
                for request in [each for each in waiting if each.run is run]:
                    waiting.remove(request)

    def wind_up(self, run: "SharedRun") -> None:
        """Ask the workers of a run to begin no other duel; what waits of it is not begun."""
        with self._lock:
            dropped = [
                (waiting, each)
                for waiting in self._waiting.values()
                for each in waiting
                if each.run is run
            ]
            for waiting, each in dropped:
                waiting.remove(each)
        for _, each in dropped:
            assert each.visit
            run.dropped(each.visit)
        self._winding_up.put(run.run)
        self._pool.wake()

    def busy(self) -> dict[Work, int]:
        """Return how many workers are busy with each kind."""
        with self._lock:
            found: dict[Work, int] = {}
            for began in (*self._visits.values(), *self._tasks.values()):
                found[began.kind] = found.get(began.kind, 0) + 1
            return found

    # What the thread calls that owns the workers

    def serve(self, is_over: Callable[[], bool]) -> None:
        """Hand out what waits, and pass on what comes, until that is over."""
        while not is_over():
            self._wind_up_runs()
            self._hand_out()
            for sent in self._pool.receive(_RECEIVING):
                self._route(sent)
            self._finish()

    def _wind_up_runs(self) -> None:
        with suppress(Empty):
            while True:
                self._pool.wind_up(self._winding_up.get_nowait())

    def _hand_out(self) -> None:
        while self._pool.has_room and (request := self._next()):
            future = request.start(self._pool)
            began = _Began(request.kind, self._clock())
            with self._lock:
                if future is not None:
                    self._tasks[future] = began
                elif request.visit:
                    self._visits[request.visit] = began
            if request.run:
                request.run.started()

    def _next(self) -> _Request | None:
        with self._lock:
            waiting = [kind for kind, requests in self._waiting.items() if requests]
            kind = self._shares.choose(waiting, self._clock())
            if kind is None:
                return None
            self._shares.began(kind)
            return self._waiting[kind].popleft()

    def _route(self, sent: Sent) -> None:
        with self._lock:
            run = self._runs.get(sent.visit.run)
        if run:
            run.sent(sent)

    def _finish(self) -> None:
        finished, outcomes = self._pool.finished()
        for sent in outcomes:
            self._route(sent)
        for each in finished:
            with self._lock:
                began = self._visits.pop(each.visit)
                run = self._runs.get(each.visit.run)
            seconds = self._charge(began)
            if run:
                run.ended(each._replace(seconds=seconds))
        for future in [each for each in self._tasks if each.done()]:
            with self._lock:
                began = self._tasks.pop(future)
            self._charge(began)

    def _charge(self, began: _Began) -> float:
        """Return how long a worker was busy with something, which counts for its kind."""
        seconds = self._clock() - began.at
        with self._lock:
            self._shares.ended(began.kind, seconds)
        return seconds


def _pass_on(done: Future[Result], outer: Future[Result]) -> None:
    error = done.exception()
    if error is not None:
        outer.set_exception(error)
    else:
        outer.set_result(done.result())


class SharedEngine:
    """Plays the visits of one run on workers that others use too (`referee.league.engine`)."""

    def __init__(self, pool: SharedPool, kind: Work) -> None:
        """Take the workers, and the kind of work that it is."""
        self._pool = pool
        self._kind = kind

    def examine(self, league: League, stops: Callable[[], int]) -> Isolation:
        """Return what isolates the bots, which was tried when the host began."""
        del stops
        strict = league.plan.terms.beat > 0
        return self._pool.sandboxing.isolation._replace(strict=strict)

    @contextmanager
    def open(self, limits: Sequence[SandboxLimits]) -> Iterator["SharedRun"]:
        """Join those who use the workers."""
        del limits
        run = SharedRun(self._pool, self._kind)
        self._pool.join(run)
        try:
            yield run
        finally:
            self._pool.leave(run)


class SharedRun:
    """The workers, as one run sees them: it has one visit at most that waits for one of them."""

    def __init__(self, pool: SharedPool, kind: Work) -> None:
        """Begin without any visit."""
        self.run = token_hex(8)
        self._shared = pool
        self._kind = kind
        self._lock = Lock()
        self._waits = False
        self._under_way: set[VisitId] = set()
        self._came: SimpleQueue[Sent | None] = SimpleQueue()
        """None only wakes who waits."""
        self._finished: SimpleQueue[FinishedVisit] = SimpleQueue()

    # As `referee.league.engine.Pool` has it

    @property
    def size(self) -> int:
        """How many visits it may play at the same time."""
        return self._shared.size

    @property
    def is_busy(self) -> bool:
        """Whether any visit is under way, or waits."""
        with self._lock:
            return bool(self._under_way)

    @property
    def has_room(self) -> bool:
        """Whether no visit waits: one may, also while all workers are busy."""
        with self._lock:
            return not self._waits

    def play(self, visit: Visit) -> None:
        """Queue a visit."""
        with self._lock:
            self._waits = True
            self._under_way.add(visit.id)

        def start(pool: WorkerPool) -> None:
            pool.play(visit)

        self._shared.request(_Request(self._kind, start, self, visit.id))

    def isolation(self, visit: VisitId) -> Isolation:
        """Return what isolates the bots, which is the same in all visits."""
        del visit
        return self._shared.sandboxing.isolation

    def receive(self, seconds: float) -> Iterator[Sent]:
        """Yield outcomes, having waited so long at most for the first."""
        with suppress(Empty):
            if first := self._came.get(timeout=seconds):
                yield first
        yield from self.receive_all()

    def receive_all(self) -> Iterator[Sent]:
        """Yield all outcomes that were sent by now."""
        with suppress(Empty):
            while True:
                if sent := self._came.get_nowait():
                    yield sent

    def wind_up(self) -> None:
        """Ask all workers of this run to begin no other duel."""
        self._shared.wind_up(self)

    def finished(self) -> tuple[list[FinishedVisit], list[Sent]]:
        """Return the visits that are over, and the last of their outcomes."""
        over: list[FinishedVisit] = []
        with suppress(Empty):
            while True:
                over.append(self._finished.get_nowait())
        with self._lock:
            for each in over:
                self._under_way.remove(each.visit)
        return over, list(self.receive_all()) if over else []

    def log(self) -> list[tuple[Kind, Body]]:
        """Return nothing: the log says of this machine what it says of the run."""
        return []

    # What the thread calls that owns the workers

    def started(self) -> None:
        """Note that what waited has a worker."""
        with self._lock:
            self._waits = False
        self._came.put(None)

    def sent(self, sent: Sent) -> None:
        """Pass on an outcome."""
        self._came.put(sent)

    def dropped(self, visit: VisitId) -> None:
        """Note that what waited is not begun any more."""
        with self._lock:
            self._waits = False
        self.ended(FinishedVisit(visit))

    def ended(self, finished: FinishedVisit) -> None:
        """Pass on that a visit is over."""
        self._finished.put(finished)
        self._came.put(None)

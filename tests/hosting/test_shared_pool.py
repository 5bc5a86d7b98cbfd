"""Several runs on the same workers: each as if it had them to itself."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread
from typing import Any, cast

import pytest

from referee.arena.fault import CRASHED
from referee.hosting.shared_pool import SharedPool, SharedRun
from referee.league.channel import NeverStarted, Sent, VisitId
from referee.league.engine import FinishedVisit
from referee.league.visit import Visit
from referee.league.worker_pool import Sandboxing, WorkerPool
from tests.league.instant import NO_SANDBOX, InstantVisit
from tests.waiting import PATIENCE, until


class Workers:
    """So many workers, which play a visit when they are told to."""

    def __init__(self, size: int = 1) -> None:
        self.size = size
        self.playing: list[VisitId] = []
        self.wound_up: list[str | None] = []
        self._over: list[FinishedVisit] = []
        self._sent: list[Sent] = []
        self._tasks: list[Future[Any]] = []

    @property
    def has_room(self) -> bool:
        running = [each for each in self._tasks if not each.done()]
        return len(self.playing) + len(running) < self.size

    def play(self, visit: Visit) -> None:
        self.playing.append(visit.id)

    def submit(self, work: Callable[..., Any], *args: object) -> Future[Any]:
        future: Future[Any] = Future()
        self._tasks.append(future)
        try:
            future.set_result(work(*args))
        except ValueError as error:
            future.set_exception(error)
        return future

    def end(self) -> VisitId:
        """Let the first visit be over, with one outcome."""
        visit = self.playing.pop(0)
        self._sent.append(Sent(visit, NeverStarted(1, CRASHED, "no", None)))
        self._over.append(FinishedVisit(visit))
        return visit

    def receive(self, _: float) -> Iterator[Sent]:
        sent, self._sent = self._sent, []
        return iter(sent)

    def finished(self) -> tuple[list[FinishedVisit], list[Sent]]:
        over, self._over = self._over, []
        return over, list(self.receive(0))

    def wake(self) -> None: ...

    def wind_up(self, run: str | None = None) -> None:
        self.wound_up.append(run)


class Scene:
    """Workers that are shared; what owns them takes one step after the other."""

    def __init__(self, size: int = 1) -> None:
        self.workers = Workers(size)
        self.now = 0.0
        sandboxing = Sandboxing(None, shared_files=False, isolation=NO_SANDBOX)
        self.pool = SharedPool(cast("WorkerPool", self.workers), sandboxing, clock=lambda: self.now)

    def step(self) -> None:
        """Hand out what waits, and pass on what came."""
        steps = iter([False, True])
        self.pool.serve(lambda: next(steps))

    @contextmanager
    def run(self, kind: Any = "ladder") -> Iterator[SharedRun]:  # noqa: ANN401 (a `Work`)
        with self.pool.engine(kind).open(()) as run:
            yield run


def visit(run: SharedRun, number: int = 1) -> Visit:
    made = InstantVisit(VisitId(run.run, number), cast("Any", None))
    return cast("Visit", _Numbered(*made))


class _Numbered(InstantVisit):
    numbers = (1, 2)


def test_a_run_sees_its_visit_from_its_beginning_to_its_end() -> None:
    scene = Scene()
    with scene.run() as run:
        run.play(visit(run))
        assert run.is_busy
        scene.step()
        ended = scene.workers.end()
        scene.step()
        assert [sent.visit for sent in run.receive(0)] == [ended]
        over, _ = run.finished()
        assert [each.visit for each in over] == [ended]
        assert not run.is_busy


def test_a_run_has_one_visit_at_most_that_waits() -> None:
    scene = Scene()
    with scene.run() as run:
        run.play(visit(run, 1))
        assert not run.has_room
        scene.step()
        assert run.has_room
        run.play(visit(run, 2))
        assert not run.has_room


def test_who_has_used_more_does_not_come_between_two_visits() -> None:
    scene = Scene()

    def examine() -> None:
        scene.now += 60.0

    with scene.run() as run:
        scene.pool.submit("examine", examine)
        scene.step()
        run.play(visit(run, 1))
        second = scene.pool.submit("examine", examine)
        scene.step()
        run.play(visit(run, 2))
        scene.workers.end()
        scene.step()
        assert scene.workers.playing == [VisitId(run.run, 2)]
        assert not second.done()


def test_outcomes_go_to_the_run_that_they_are_of() -> None:
    scene = Scene(2)
    with scene.run() as one, scene.run() as other:
        one.play(visit(one))
        other.play(visit(other))
        scene.step()
        scene.workers.end()
        scene.step()
        assert len([*one.receive(0)]) == 1
        assert [*other.receive(0)] == []


def test_two_ladders_take_turns() -> None:
    scene = Scene()
    with scene.run() as one, scene.run() as other:
        played = []
        one.play(visit(one, 1))
        other.play(visit(other, 1))
        for number in range(2, 6):
            scene.step()
            played.append(scene.workers.end().run)
            scene.step()
            owner = one if played[-1] == one.run else other
            owner.finished()
            owner.play(visit(owner, number))
        assert played == [one.run, other.run, one.run, other.run]


def test_a_visit_counts_for_as_long_as_a_worker_was_busy_with_it() -> None:
    scene = Scene()
    with scene.run() as run:
        scene.now = 5.0
        run.play(visit(run))
        scene.now = 20.0
        scene.step()
        scene.now = 50.0
        scene.workers.end()
        scene.step()
        ((ended,), _) = run.finished()
        assert ended.seconds == 30.0


def test_what_waits_is_not_begun_once_its_run_winds_up() -> None:
    scene = Scene()
    with scene.run() as one, scene.run() as other:
        one.play(visit(one))
        scene.step()
        other.play(visit(other))
        other.wind_up()
        assert [each.visit.run for each in other.finished()[0]] == [other.run]
        assert not other.is_busy
        scene.step()
        assert scene.workers.wound_up == [other.run]
        assert one.is_busy


def test_what_waits_is_forgotten_once_its_run_is_over() -> None:
    scene = Scene()
    with scene.run() as run:
        run.play(visit(run))
    scene.step()
    assert scene.workers.playing == []


def test_what_comes_for_a_run_that_is_over_is_dropped() -> None:
    scene = Scene()
    with scene.run() as run:
        run.play(visit(run))
        scene.step()
    scene.workers.end()
    scene.step()
    with scene.run() as run:
        run.play(visit(run))
        scene.step()
        assert [*run.receive(0)] == []
        assert scene.workers.playing == [VisitId(run.run, 1)]


def test_a_function_returns_what_it_returned_on_the_worker() -> None:
    scene = Scene()
    future = scene.pool.submit("examine", sum, [1, 2])
    assert not future.done()
    scene.step()
    assert future.result(0) == 3


def test_a_function_that_failed_fails_for_who_asked() -> None:
    scene = Scene()
    future = scene.pool.submit("examine", int, "x")
    scene.step()
    with pytest.raises(ValueError, match="invalid literal"):
        future.result(0)


def test_challenges_wait_while_they_have_had_their_share() -> None:
    scene = Scene()
    with scene.run("challenge") as run:
        run.play(visit(run))
        scene.step()
        scene.now = 3000.0
        scene.workers.end()
        scene.step()
        run.finished()
        run.play(visit(run, 2))
        scene.step()
        assert scene.workers.playing == []
        scene.now = 60000.0
        scene.step()
        assert scene.workers.playing == [VisitId(run.run, 2)]


def test_what_is_busy_is_told_by_kind() -> None:
    scene = Scene(2)
    with scene.run("ladder") as one, scene.run("challenge") as other:
        one.play(visit(one))
        other.play(visit(other))
        scene.step()
        assert scene.pool.busy() == {"ladder": 1, "challenge": 1}


def test_who_waits_for_an_outcome_wakes_up_with_it() -> None:
    scene = Scene()
    with scene.run() as run:
        run.play(visit(run))
        scene.step()
        came: list[Sent] = []
        waiting = Thread(target=lambda: came.extend(_first(run)))
        waiting.start()
        scene.workers.end()
        scene.step()
        until(lambda: bool(came))
        waiting.join()


def _first(run: SharedRun) -> list[Sent]:
    while not (came := [*run.receive(PATIENCE)]):
        pass  # woken up by the begin of the visit
    return came

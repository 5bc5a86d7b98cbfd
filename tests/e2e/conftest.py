"""A small league that was played undisturbed, and others of the same beginning to be disturbed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import NamedTuple

import pytest

from referee.arena.limits import Terms
from referee.store.leases import lease_holder
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.soak import kin
from tests.soak.blows import Coordinator
from tests.soak.comparing import differences, last_line
from tests.soak.remains import remains
from tests.soak.scene import LIMITS, NAME, Scene, progress, run, set_scene
from tests.table import euchre

SEED = "5a" * 32
PATIENCE = 100.0
"""Seconds in which whatever is waited for happens, on a machine that is busy."""


def until(fact: Callable[[], bool]) -> None:
    """Wait for a fact."""
    deadline = monotonic() + PATIENCE
    while not fact():
        assert monotonic() < deadline, "it does not come about"
        sleep(0.02)


class Disturbed(NamedTuple):
    """A league to be disturbed."""

    scene: Scene
    calm: Scene
    log: Path
    started: list[Coordinator]
    """All that runs of it, to be ended with the test."""

    @property
    def said(self) -> str:
        """The last line the command said."""
        return last_line(self.log)

    @property
    def duels(self) -> int:
        return progress(self.scene).duels

    @property
    def holder(self) -> str | None:
        """Who runs it."""
        with open_store(str(self.scene.store)) as store:
            return lease_holder(store, NAME)

    def run(self, jobs: int = 2) -> Coordinator:
        """Start to play it."""
        self.started.append(run(self.scene, SEED, jobs, self.log))
        return self.started[-1]

    def run_until_a_duel_is_stored(self, jobs: int = 2) -> Coordinator:
        """Start to play it, and wait until it has got somewhere."""
        before, coordinator = self.duels, self.run(jobs)
        until(lambda: self.duels > before or coordinator.poll() is not None)
        assert coordinator.poll() is None, self.said
        return coordinator

    def resumed(self) -> list[str]:
        """Play the rest, and tell in what it differs from what was undisturbed."""
        assert self.run().wait(PATIENCE) == 0, self.said
        return differences(self.calm, self.scene, self.log) + remains(self.scene, ())


def family(coordinator: Coordinator) -> set[int]:
    """Give the numbers of all its processes."""
    return {each.pid for each in kin.below(coordinator.pid, kin.processes())}


def all_ended(pids: set[int]) -> bool:
    """Say whether none of these is alive."""
    among = kin.processes()
    return all(pid not in among or among[pid].state == "Z" for pid in pids)


@pytest.fixture(scope="session")
def fresh() -> Iterator[Scene]:
    """Found a league of three, whose duels are played one after the other."""
    plan = Plan(Terms(euchre(), LIMITS, tables=1), 8, 8)
    with TemporaryDirectory(prefix="upcard-e2e-") as place:
        yield set_scene(Path(place, "fresh"), ["first", "last", "lots"], plan)


@pytest.fixture(scope="session")
def calm(fresh: Scene) -> Scene:
    """Play it undisturbed."""
    scene, log = fresh.copy(fresh.place.with_name("calm")), fresh.place.with_name("log")
    assert run(scene, SEED, 2, log).wait(PATIENCE) == 0, last_line(log)
    return scene


@pytest.fixture
def disturbed(fresh: Scene, calm: Scene) -> Iterator[Disturbed]:
    """Give a league of the same beginning; the paths of sockets have to be short."""
    with TemporaryDirectory(prefix="upcard-e2e-") as place:
        league = Disturbed(fresh.copy(Path(place, "league")), calm, Path(place, "log"), [])
        yield league
        for coordinator in league.started:
            coordinator.kill()
            coordinator.wait()

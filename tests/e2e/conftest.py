"""A small league that was played undisturbed, and others of the same beginning to be disturbed."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from referee.arena.limits import Terms
from referee.store.leases import lease_holder
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.sharing import shared
from tests.soak import kin
from tests.soak.blows import Coordinator
from tests.soak.comparing import last_line, stored_differences
from tests.soak.remains import remains
from tests.soak.scene import LIMITS, NAME, Scene, play_here, progress, run, scene_at, set_scene
from tests.table import euchre
from tests.waiting import PATIENCE, until

SEED = "5a" * 32
DUELS = 6


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

    def run(self, jobs: int = 1) -> Coordinator:
        """Start to play it."""
        self.started.append(run(self.scene, SEED, jobs, self.log))
        return self.started[-1]

    def end(self) -> None:
        """Kill all that runs of it."""
        for coordinator in self.started:
            coordinator.kill()
            coordinator.wait()

    def run_until_a_duel_is_stored(self, jobs: int = 1) -> Coordinator:
        """Start to play it, and wait until it has got somewhere."""
        before, coordinator = self.duels, self.run(jobs)
        until(lambda: self.duels > before or coordinator.poll() is not None)
        assert coordinator.poll() is None, self.said
        return coordinator

    def resumed(self) -> list[str]:
        """Play the rest, and tell in what it differs from what was undisturbed.

        The exports, which are made from what is stored, are compared after the soak's kills.
        """
        played = play_here(self.scene, SEED)
        assert played.code == 0, played.err
        return stored_differences(self.calm, self.scene) + remains(self.scene, ())


def family(coordinator: Coordinator) -> set[int]:
    """Return the numbers of all its processes."""
    return {each.pid for each in kin.below(coordinator.pid, kin.processes())}


def all_ended(pids: set[int]) -> bool:
    """Say whether none of these is alive."""
    among = kin.processes()
    return all(pid not in among or among[pid].state == "Z" for pid in pids)


def _play_undisturbed(directory: Path) -> None:
    """Found a league of two, whose duels are played one after the other, and play a copy.

    A duel takes a second or two, so that there is time to disturb it; the last of its three visits
    begins when another has ended.
    """
    plan = Plan(Terms(euchre(), LIMITS, tables=1), DUELS, 2)
    # The paths of sockets have to be short.
    with TemporaryDirectory(prefix="upcard-e2e-") as place:
        fresh = set_scene(Path(place, "fresh"), ["last", "lots"], plan, pause=0.003)
        calm, log = fresh.copy(Path(place, "calm")), Path(place, "log")
        assert run(calm, SEED, 2, log).wait(PATIENCE) == 0, last_line(log)
        for scene in (fresh, calm):
            shutil.copytree(scene.place, directory / scene.place.name)


@pytest.fixture(scope="session")
def leagues(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a directory with a league as it was founded, and played undisturbed."""
    made = shared(tmp_path_factory, "e2e", _play_undisturbed)
    with TemporaryDirectory(prefix="upcard-e2e-") as place:
        yield Path(shutil.copytree(made, place, dirs_exist_ok=True))


@pytest.fixture(scope="session")
def fresh(leagues: Path) -> Scene:
    return scene_at(leagues / "fresh")


@pytest.fixture(scope="session")
def calm(leagues: Path) -> Scene:
    return scene_at(leagues / "calm")


@pytest.fixture
def disturbed(fresh: Scene, calm: Scene) -> Iterator[Disturbed]:
    """Return a league of the same beginning; the paths of sockets have to be short."""
    with TemporaryDirectory(prefix="upcard-e2e-") as place:
        league = Disturbed(fresh.copy(Path(place, "league")), calm, Path(place, "log"), [])
        yield league
        league.end()

"""Leagues on a cluster of real processes: killed, cut off or refused, the table is the same."""

from collections.abc import Iterator

import pytest

from referee.store.log import entries
from referee.store.opening import open_store
from tests.e2e.conftest import DUELS, SEED, Disturbed
from tests.soak import kin
from tests.soak.cluster import Cluster, started
from tests.soak.comparing import stored_differences
from tests.soak.scene import NAME, Scene, progress
from tests.waiting import PATIENCE, until


@pytest.fixture
def cluster(disturbed: Disturbed) -> Iterator[Cluster]:
    with started(disturbed.scene, disturbed.log, workers=2) as made:
        yield made


def logged(scene: Scene) -> list[tuple[str, str]]:
    """Return what the league's log says of workers."""
    with open_store(str(scene.store)) as store:
        return [
            (entry.body["worker"], entry.body["change"])
            for entry in entries(store, NAME)
            if entry.kind == "worker"
        ]


def test_a_league_is_the_same_though_all_of_a_cluster_were_killed(
    disturbed: Disturbed, cluster: Cluster
) -> None:
    coordinator = cluster.run(SEED)
    disturbed.started.append(coordinator)

    def await_another_duel() -> None:
        before = disturbed.duels
        until(lambda: disturbed.duels > before or coordinator.poll() is not None)
        assert coordinator.poll() is None, disturbed.said

    await_another_duel()
    cluster.kill("worker 1")
    await_another_duel()
    cluster.kill("scheduler")
    await_another_duel()
    coordinator.kill()
    coordinator.wait()
    coordinator = cluster.run(SEED)
    disturbed.started.append(coordinator)
    assert coordinator.wait(PATIENCE) == 0, disturbed.said
    assert stored_differences(disturbed.calm, disturbed.scene) == []
    assert progress(disturbed.scene).duels == DUELS
    assert {"joined", "lost"} <= {change for _, change in logged(disturbed.scene)}
    assert cluster.stop() == []
    until(lambda: not kin.below(coordinator.pid, kin.processes()))
    # What is in the cache is to stay; beside it nothing is left.
    assert [*disturbed.scene.loose.iterdir()] == []

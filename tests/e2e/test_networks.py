"""A cluster of hosts with networks of their own, one of which is cut off and one is slow."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.conftest import DUELS, SEED, Disturbed
from tests.e2e.test_cluster import logged
from tests.soak.cluster import started
from tests.soak.comparing import stored_differences
from tests.soak.networks import hosts
from tests.soak.scene import progress
from tests.waiting import PATIENCE, until

CUT, SLOW = 0, 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes network namespaces")
def test_a_league_is_the_same_though_a_host_was_cut_off_and_another_is_slow(
    disturbed: Disturbed,
) -> None:
    scene, log = disturbed.scene, disturbed.log
    with (
        TemporaryDirectory(prefix="upcard-logs-") as logs,
        hosts(3, slow=SLOW) as three,
        started(scene, Path(logs, "log"), hosts=three) as cluster,
    ):
        said = Path(logs, "log")
        until(lambda: said.read_text().count("plays 1 visit at a time") == 3)
        coordinator = cluster.run(SEED)
        disturbed.started.append(coordinator)
        until(lambda: disturbed.duels > 0)
        three[CUT].cut()
        until(lambda: ("w1", "lost") in logged(scene) or coordinator.poll() is not None)
        three[CUT].join()
        assert coordinator.wait(PATIENCE) == 0, said.read_text()
        assert stored_differences(disturbed.calm, scene) == []
        assert progress(scene).duels == DUELS
        assert ("w1", "lost") in logged(scene)
        # It has come back by itself.
        until(lambda: said.read_text().count("w1 plays 1 visit at a time") == 2)
        assert cluster.stop() == []
    assert not log.exists()

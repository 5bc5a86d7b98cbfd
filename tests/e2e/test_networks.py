"""A cluster of hosts with networks of their own, one of which is cut off and one is slow."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.conftest import DUELS, SEED, Disturbed
from tests.e2e.test_cluster import logged
from tests.soak import kin
from tests.soak.cluster import started
from tests.soak.comparing import stored_differences
from tests.soak.networks import hosts
from tests.soak.scene import progress
from tests.waiting import PATIENCE, until

CUT, SLOW = 0, 1


def hold_in_the_middle_of_a_visit(worker: int) -> list[kin.ProcessEntry]:
    """Stop a worker's referee while bots play: it cannot hand in what nobody else has to play."""
    held: list[kin.ProcessEntry] = []

    def is_held() -> bool:
        held[:] = kin.referees(worker, kin.processes())
        signal_all(held, signal.SIGSTOP)
        if kin.sandboxes(worker, kin.processes()):
            return True
        signal_all(held, signal.SIGCONT)
        return False

    until(is_held)
    return held


def signal_all(processes: list[kin.ProcessEntry], number: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes network namespaces")
def test_a_league_is_the_same_though_a_host_was_cut_off_and_another_is_slow(
    disturbed: Disturbed,
) -> None:
    scene, log = disturbed.scene, disturbed.log
    with (
        TemporaryDirectory(prefix="upcard-logs-") as logs,
        hosts(2, slow=SLOW) as two,
        started(scene, Path(logs, "log"), hosts=two) as cluster,
    ):
        said = Path(logs, "log")
        until(lambda: said.read_text().count("plays 1 visit at a time") == 2)
        coordinator = cluster.run(SEED)
        disturbed.started.append(coordinator)
        held = hold_in_the_middle_of_a_visit(cluster.pid("worker 1"))
        two[CUT].cut()
        until(lambda: ("w1", "lost") in logged(scene) or coordinator.poll() is not None)
        signal_all(held, signal.SIGCONT)
        two[CUT].join()
        assert coordinator.wait(PATIENCE) == 0, said.read_text()
        assert stored_differences(disturbed.calm, scene) == []
        assert progress(scene).duels == DUELS
        assert ("w1", "lost") in logged(scene)
        # It has come back by itself.
        until(lambda: said.read_text().count("w1 plays 1 visit at a time") == 2)
        assert cluster.stop() == []
    assert not log.exists()

"""A league that is asked to stop: it does, loses nothing, and is the same once it is resumed."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from referee.arena.limits import Terms
from referee.store.models import Plan
from tests.e2e.conftest import DUELS, Disturbed, all_ended, family
from tests.soak import kin
from tests.soak.blows import Coordinator
from tests.soak.scene import LIMITS, progress, set_scene
from tests.table import euchre
from tests.waiting import PATIENCE, until


def test_a_second_run_is_refused_and_told_who_runs_it(tmp_path: Path) -> None:
    # So slow that the second comes before the first has ended, however busy the machine is.
    plan = Plan(Terms(euchre(), LIMITS, tables=1), 8, 8)
    scene, log = set_scene(tmp_path / "slow", ["last", "lots"], plan, pause=1.0), tmp_path / "log"
    with TemporaryDirectory(prefix="upcard-e2e-") as place:  # the paths of sockets have to be short
        slow = Disturbed(scene._replace(loose=Path(place)), scene, log, [])
        first = slow.run()
        try:
            until(lambda: slow.holder is not None)
            assert slow.run().wait(PATIENCE) == 2
            assert f"league soak is being run by process {first.pid} on " in slow.said
        finally:
            slow.end()


@pytest.mark.parametrize("asks", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_asked_once_it_stops_after_the_duels_in_flight(
    disturbed: Disturbed, asks: signal.Signals
) -> None:
    coordinator = disturbed.run_until_a_duel_is_stored()
    coordinator.send_signal(asks)
    assert coordinator.wait(PATIENCE) == 130
    assert disturbed.said == "upcard: interrupted"
    assert 0 < disturbed.duels < DUELS
    assert disturbed.resumed() == []


def _ask_twice(coordinator: Coordinator) -> set[int]:
    """Ask while everybody plays; give who has to be gone."""
    everybody = family(coordinator)
    coordinator.send_signal(signal.SIGINT)
    coordinator.send_signal(signal.SIGTERM)
    return everybody


def test_asked_twice_it_stops_at_once_and_leaves_nobody_behind(disturbed: Disturbed) -> None:
    coordinator = disturbed.run_until_a_duel_is_stored(jobs=2)
    everybody = _ask_twice(coordinator)
    assert coordinator.wait(PATIENCE) == 130
    until(lambda: all_ended(everybody))
    assert disturbed.resumed() == []


def test_asked_twice_before_anything_is_played_it_stops_too(disturbed: Disturbed) -> None:
    coordinator = disturbed.run()
    until(lambda: bool(kin.below(coordinator.pid, kin.processes())))
    everybody = _ask_twice(coordinator)
    assert coordinator.wait(PATIENCE) == 130
    until(lambda: all_ended(everybody))
    assert disturbed.duels == 0


def test_a_signal_to_its_process_group_is_as_one_to_the_coordinator(disturbed: Disturbed) -> None:
    coordinator = disturbed.run_until_a_duel_is_stored()
    os.killpg(coordinator.pid, signal.SIGTERM)
    assert coordinator.wait(PATIENCE) == 130
    assert progress(disturbed.scene).voids == 0
    assert disturbed.resumed() == []


def test_a_signal_to_every_process_costs_no_bot_a_duel(disturbed: Disturbed) -> None:
    coordinator = disturbed.run_until_a_duel_is_stored(jobs=2)
    for pid in sorted(family(coordinator), reverse=True):  # the bots first, which is the worst
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    coordinator.terminate()
    assert coordinator.wait(PATIENCE) == 130
    assert disturbed.resumed() == []


def test_a_referee_that_was_stopped_for_a_while_blames_nobody(disturbed: Disturbed) -> None:
    coordinator = disturbed.run_until_a_duel_is_stored(jobs=2)
    (referee, *_) = kin.referees(coordinator.pid, kin.processes())
    os.kill(referee.pid, signal.SIGSTOP)
    before = disturbed.duels
    until(lambda: disturbed.duels > before or coordinator.poll() is not None)
    os.kill(referee.pid, signal.SIGCONT)
    assert coordinator.wait(PATIENCE) == 0
    assert disturbed.resumed() == []

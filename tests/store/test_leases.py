import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import update

from referee.errors import ConfigError, UpcardError
from referee.store.database import Store, writing
from referee.store.duels import results
from referee.store.epochs import OpeningChoices, state
from referee.store.leagues import begin_epoch
from referee.store.leases import Lease, lease, lease_holder, running_leagues
from referee.store.log import entries
from referee.store.models import League, Snapshot
from referee.store.rows import LEASE
from referee.store.snapshots import save_snapshot
from tests.store import scenes
from tests.store.processes import heard, process, tell
from tests.store.saving import save_duel
from tests.store.scenes import HELD, NOW, SEED


@pytest.fixture
def cup(store: Store, tmp_path: Path) -> League:
    return scenes.cup(store, tmp_path)


def pretend(store: Store, **changes: object) -> None:
    """Change who holds the league, in the store."""
    with writing(store) as connection:
        connection.execute(update(LEASE).values(**changes))


def taken_again(store: Store, **changes: object) -> None:
    """Take a league whose holder is somebody else."""
    with lease(store, "cup"):
        pretend(store, **changes)
        with lease(store, "cup"):
            pass


@pytest.mark.usefixtures("cup")
def test_a_league_that_is_run_names_who_runs_it(store: Store) -> None:
    with lease(store, "cup"), pytest.raises(ConfigError) as refused, lease(store, "cup"):
        pass
    assert f"league cup is being run by process {os.getpid()} on " in str(refused.value)


@pytest.mark.usefixtures("cup")
def test_whoever_is_done_gives_the_league_up(store: Store) -> None:
    with lease(store, "cup"):
        pass
    assert lease_holder(store, "cup") is None
    assert running_leagues(store) == {}


def test_leagues_are_run_beside_each_other(store: Store, cup: League, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path, name="other")
    with lease(store, cup.name), lease(store, "other"):
        pass


def test_a_league_that_is_not_there_cannot_be_run(store: Store) -> None:
    with pytest.raises(ConfigError, match="there is no league 'cup'"), lease(store, "cup"):
        pass


@pytest.mark.usefixtures("cup")
def test_one_whose_process_is_gone_is_taken_over(store: Store) -> None:
    taken_again(store, pid=2**22 + 1)


@pytest.mark.usefixtures("cup")
def test_one_whose_number_is_another_process_by_now_is_taken_over(store: Store) -> None:
    taken_again(store, started=0)


@pytest.mark.usefixtures("cup")
def test_one_on_another_machine_is_believed_for_a_minute(store: Store) -> None:
    with pytest.raises(ConfigError, match=r"process 7 on far since .*last heard of \d+ s ago"):
        taken_again(store, machine="far", host="far", pid=7)


@pytest.mark.usefixtures("cup")
def test_one_on_another_machine_that_is_silent_is_taken_over(store: Store) -> None:
    taken_again(store, machine="far", heartbeat=LEASE.c.heartbeat - 61)


@pytest.mark.usefixtures("cup")
def test_a_sign_of_life_counts_from_when_it_was_given(store: Store) -> None:
    with lease(store, "cup") as ours:
        pretend(store, heartbeat=LEASE.c.heartbeat - 61)
        ours.renew()
        pretend(store, machine="far")
        with pytest.raises(ConfigError, match="last heard of"), lease(store, "cup"):
            pass


WRITES: dict[str, Callable[[Store, Lease, League], object]] = {
    "a duel": lambda store, ours, cup: save_duel(store, ours, scenes.duel(cup), HELD),
    "a statement": lambda _, ours, cup: state(ours, cup, OpeningChoices(None), NOW),
    "an epoch": lambda store, ours, _: begin_epoch(store, ours, SEED, seed_given=False, now=NOW),
    "a snapshot": lambda store, ours, _: save_snapshot(store, ours, Snapshot(NOW, 0, {})),
    "a sign of life": lambda _, ours, __: ours.renew(),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_one_who_was_taken_over_writes_nothing_more(
    store: Store, cup: League, write: Callable[[Store, Lease, League], object]
) -> None:
    with lease(store, "cup") as ours:
        pretend(store, pid=2**22 + 1)
        with lease(store, "cup"), pytest.raises(UpcardError, match="cup was taken over by process"):
            write(store, ours, cup)
    assert results(store, "cup") == []


@pytest.mark.usefixtures("cup")
def test_one_who_was_taken_over_does_not_end_the_others_hold(store: Store) -> None:
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(lease(store, "cup"))
        pretend(store, pid=2**22 + 1)
        second.enter_context(lease(store, "cup"))
        first.close()
        assert lease_holder(store, "cup")
        assert [*running_leagues(store)] == ["cup"]


@pytest.mark.slow
@pytest.mark.usefixtures("cup")
def test_of_many_who_take_a_league_at_once_one_has_it(place: str) -> None:
    with ExitStack() as stack:
        takers = [stack.enter_context(process("take", place)) for _ in range(4)]
        for taker in takers:
            assert heard(taker) == "ready"
        for taker in takers:
            tell(taker)
        said = [heard(taker) for taker in takers]
    assert said.count("taken") == 1
    assert sum("is being run by process" in each for each in said) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("cup")
def test_a_killed_run_is_taken_over(store: Store, place: str) -> None:
    with process("take", place) as other:
        heard(other)
        tell(other)
        heard(other)
        assert lease_holder(store, "cup")
        other.kill()
        other.wait()
    with lease(store, "cup"):
        pass


@pytest.mark.slow
@pytest.mark.usefixtures("cup")
def test_a_run_killed_on_another_machine_is_taken_over_once_it_is_silent(
    store: Store, place: str
) -> None:
    with process("take", place) as other:
        heard(other)
        tell(other)
        heard(other)
        other.kill()
        other.wait()
    pretend(store, machine="far", host="far")
    with pytest.raises(ConfigError, match=f"by process {other.pid} on far"), lease(store, "cup"):
        pass
    pretend(store, heartbeat=LEASE.c.heartbeat - 61)
    with lease(store, "cup"):
        assert [*entries(store, "cup")][-1].kind == "killed"


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize(
    "gone", [{"started": 0}, {"machine": "far", "heartbeat": LEASE.c.heartbeat - 61}]
)
def test_who_is_dead_runs_nothing(store: Store, gone: dict[str, object]) -> None:
    with lease(store, "cup"):
        pretend(store, **gone)
        assert lease_holder(store, "cup") is None
        assert running_leagues(store) == {}


@pytest.mark.usefixtures("cup")
def test_one_on_another_machine_that_was_just_heard_of_runs_it(store: Store) -> None:
    with lease(store, "cup"):
        pretend(store, machine="far", host="far")
        assert " on far since " in (lease_holder(store, "cup") or "")


@pytest.mark.usefixtures("cup")
def test_a_run_that_was_killed_is_in_the_log(store: Store) -> None:
    taken_again(store, pid=2**22 + 1, since=NOW)
    last = [*entries(store, "cup")][-1]
    assert (last.kind, last.body) == ("killed", {"since": "2026-05-04T12:30:15+00:00"})


@pytest.mark.usefixtures("cup")
def test_a_run_that_ended_was_not_killed(store: Store) -> None:
    for _ in range(2):
        with lease(store, "cup") as own:
            own.log("run", {})
    assert [entry.kind for entry in entries(store, "cup")] == ["created", "run", "run"]


def test_one_who_was_taken_over_writes_nothing_to_the_log(store: Store, cup: League) -> None:
    with lease(store, cup.name) as own:
        pretend(store, token="b" * 32)
        with pytest.raises(UpcardError, match="was taken over"):
            own.log("stopped", {})
    assert [entry.kind for entry in entries(store, "cup")] == ["created"]

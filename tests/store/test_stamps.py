from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from referee.errors import ConfigError, FileError
from referee.scheduling.keys import DuelKey
from referee.store.database import Store, writing
from referee.store.leagues import (
    begin_epoch,
    create_league,
    league,
    reinstate,
    set_state,
    suspend,
    withdraw,
)
from referee.store.leases import Lease, lease
from referee.store.migrating import VERSION
from referee.store.models import Snapshot, StoredVoid, Suspension
from referee.store.snapshots import save_snapshot
from referee.store.stamps import stamp, stamps
from tests.store import scenes
from tests.store.saving import save_duel, save_void
from tests.store.scenes import HELD, KEY, NOW, SEED


@pytest.fixture
def held(store: Store, tmp_path: Path) -> Iterator[Lease]:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as ours:
        begin_epoch(store, ours, SEED, seed_given=True, now=NOW)
        yield ours


def plays(held: Lease) -> None:
    save_duel(held.store, held, scenes.duel(league(held.store, "cup"), KEY), HELD)


CHANGES: dict[str, Callable[[Lease], object]] = {
    "a duel": plays,
    "a void": lambda held: save_void(held.store, held, StoredVoid(DuelKey(1, 2, 3), "why", NOW)),
    "a snapshot": lambda held: save_snapshot(held.store, held, Snapshot(NOW, 1, {})),
    "an epoch": lambda held: begin_epoch(held.store, held, SEED, seed_given=True, now=NOW),
    "a state": lambda held: set_state(held.store, held, "closed"),
    "a suspension": lambda held: suspend(
        held.store,
        held,
        league(held.store, "cup"),
        [Suspension(2, 0, "it crashed", NOW, None)],
    ),
    "a withdrawal": lambda held: withdraw(held.store, "cup", 2, NOW),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_stamp_differs_after(change: str, store: Store, held: Lease) -> None:
    before = stamp(store, "cup")
    CHANGES[change](held)
    assert stamp(store, "cup") != before


def test_a_stamp_differs_after_one_withdrawal_took_the_place_of_another(
    store: Store, held: Lease
) -> None:
    withdraw(store, held.name, 1, NOW)
    before = stamp(store, held.name)
    reinstate(store, held.name, 1)
    withdraw(store, held.name, 2, NOW + timedelta(seconds=1))
    assert stamp(store, held.name) != before


def test_a_stamp_stays_while_nothing_happens(store: Store, held: Lease) -> None:
    before = stamp(store, held.name)
    held.renew()
    assert stamp(store, held.name) == before


def test_all_leagues_have_the_stamps_of_each_the_latest_first(store: Store, held: Lease) -> None:
    plays(held)
    create_league(store, "spring", scenes.plan(), [], NOW)
    found = stamps(store)
    assert [*found.items()] == [(name, stamp(store, name)) for name in ("spring", "cup")]


def test_a_store_without_leagues_has_no_stamps(store: Store) -> None:
    assert stamps(store) == {}


def test_a_league_that_is_not_there_has_no_stamp(store: Store) -> None:
    with pytest.raises(ConfigError, match="there is no league 'cup'"):
        stamp(store, "cup")


def test_a_store_that_was_upgraded_meanwhile_is_refused(store: Store, held: Lease) -> None:
    with writing(store) as connection:
        connection.execute(update(VERSION).values(version_num="9999"))
    with pytest.raises(FileError, match="upgraded by a newer upcard"):
        stamp(store, held.name)

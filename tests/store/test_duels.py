import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy.exc import IntegrityError

from referee.arena.limits import MOST_VOIDS
from referee.errors import ConfigError, FileError
from referee.ratings.results import Result
from referee.scheduling.keys import DuelKey
from referee.store import duels
from referee.store.database import Store
from referee.store.leagues import begin_epoch, reinstate, suspend
from referee.store.leases import Lease, lease
from referee.store.log import entries, head
from referee.store.models import League, Snapshot, StoredVoid, Suspension
from referee.store.opening import open_store
from referee.store.play import packed
from referee.store.snapshots import save_snapshot, snapshots
from tests.store import scenes
from tests.store.saving import save_duel, save_void
from tests.store.scenes import HELD, KEY, NOW, SEED


@pytest.fixture
def held(store: Store, tmp_path: Path) -> Iterator[Lease]:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as ours:
        begin_epoch(store, ours, SEED, seed_given=True, now=NOW)
        yield ours


@pytest.fixture
def cup(store: Store, held: Lease) -> League:
    return begin_epoch(store, held, SEED, seed_given=True, now=NOW)


def save(cup: League, held: Lease, *keys: DuelKey) -> None:
    for key in keys:
        assert save_duel(held.store, held, scenes.duel(cup, key), HELD)


def test_a_duel_comes_back_as_it_was_kept(store: Store, held: Lease, cup: League) -> None:
    duel = scenes.duel(cup, KEY, scenes.fault(bundle=None), scenes.fault(1, None))
    save_duel(store, held, duel, HELD)
    assert list(duels.stored_duels(store, "cup")) == [duel]


def test_hands_played_alike_are_added_up_where_they_were_counted(
    store: Store, held: Lease, cup: League
) -> None:
    for number, identical in enumerate((3, None, 5)):
        duel = scenes.duel(cup, DuelKey(1, 2, number))._replace(identical=identical)
        save_duel(store, held, duel, HELD)
    assert duels.identical_hands(store, "cup") == {(1, 2): (8, 34)}


def test_duels_are_read_without_the_bundles_of_their_faults(
    store: Store, held: Lease, cup: League
) -> None:
    save_duel(store, held, scenes.duel(cup, KEY, scenes.fault()), HELD)
    (duel,) = duels.stored_duels(store, "cup")
    assert duel.faults == (scenes.fault(bundle=None),)


def test_the_second_time_a_duel_is_not_new(store: Store, held: Lease, cup: League) -> None:
    save(cup, held, KEY)
    assert not save_duel(store, held, scenes.duel(cup), HELD)


def test_the_second_time_a_duel_changes_nothing(store: Store, held: Lease, cup: League) -> None:
    save(cup, held, KEY)
    save_duel(store, held, scenes.duel(cup, KEY, scenes.fault())._replace(wins=2), HELD)
    assert list(duels.stored_duels(store, "cup")) == [scenes.duel(cup)]


def test_a_duel_of_one_who_is_not_entered_is_no_duel_that_is_there(
    store: Store, held: Lease, cup: League
) -> None:
    with pytest.raises(IntegrityError):
        save_duel(store, held, scenes.duel(cup, DuelKey(1, 9, 0)), HELD)


def test_a_duel_that_fails_half_way_is_not_there(store: Store, held: Lease, cup: League) -> None:
    with (
        patch("referee.store.duels._INSERT_SIDES", None),
        pytest.raises(Exception, match="None"),
    ):
        save_duel(store, held, scenes.duel(cup), HELD)
    assert duels.results(store, "cup") == []


def test_results_are_in_canonical_order(store: Store, held: Lease, cup: League) -> None:
    save(cup, held, DuelKey(3, 1, 1), DuelKey(2, 3, 0), DuelKey(1, 2, 1), DuelKey(1, 2, 0))
    assert [each[:3] for each in duels.results(store, "cup")] == [
        (1, 2, 0),
        (2, 3, 0),
        (1, 2, 1),
        (3, 1, 1),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE duel SET second = 1 << 62",
        "UPDATE duel SET first = -1",
        "UPDATE duel SET margin = 'much'",
    ],
)
def test_results_that_no_league_has_are_damage(tmp_path: Path, change: str) -> None:
    path = tmp_path / "damaged.db"
    with open_store(str(path), create=True) as store:
        scenes.cup(store, tmp_path)
        with lease(store, "cup") as ours:
            cup = begin_epoch(store, ours, SEED, seed_given=True, now=NOW)
            save(cup, ours, DuelKey(1, 2, 0))
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(change)
        with pytest.raises(FileError, match="it is damaged"):
            duels.results(store, "cup")


def test_a_result_tells_how_often_each_was_at_fault(store: Store, held: Lease, cup: League) -> None:
    told = scenes.fault(1), scenes.fault(3), scenes.fault(3)
    save_duel(store, held, scenes.duel(cup, DuelKey(3, 1, 4), *told), HELD)
    assert duels.results(store, "cup") == [Result(3, 1, 4, 1, 1.5, 17, (2, 1))]


def test_leagues_do_not_see_each_others_duels(
    store: Store, held: Lease, cup: League, tmp_path: Path
) -> None:
    save(cup, held, KEY)
    scenes.cup(store, tmp_path, name="other")
    assert duels.results(store, "other") == []


def test_rooms_are_dealt_from_the_seed_of_the_league(
    store: Store, held: Lease, cup: League
) -> None:
    rooms = scenes.played(cup.plan.terms.game, cup.dealt(KEY))
    save_duel(store, held, scenes.duel(cup, KEY, play=packed(rooms)), HELD)
    assert duels.rooms(store, cup, KEY) == rooms


def test_a_duel_that_was_not_played_has_no_rooms(store: Store, cup: League) -> None:
    with pytest.raises(ConfigError, match="league cup has no duel 1-2/1"):
        duels.rooms(store, cup, KEY)


def test_faults_come_in_the_order_they_were_stored_without_their_bundles(
    store: Store, held: Lease, cup: League
) -> None:
    for number in (1, 0):
        key = DuelKey(1, 2, number)
        save_duel(store, held, scenes.duel(cup, key, scenes.fault()), HELD)
    told = scenes.fault(bundle=None)
    assert duels.faults(store, "cup") == [(1, DuelKey(1, 2, 1), told), (2, DuelKey(1, 2, 0), told)]


def test_a_bundle_is_found_by_the_number_of_its_fault(
    store: Store, held: Lease, cup: League
) -> None:
    faults = scenes.fault(bundle=b"one"), scenes.fault(bundle=b"two")
    save_duel(store, held, scenes.duel(cup, KEY, *faults), HELD)
    assert duels.fault_bundle(store, "cup", 2) == b"two"


@pytest.mark.parametrize("number", [-1, 0, 2])
def test_a_fault_that_is_not_there_has_no_bundle(
    store: Store, held: Lease, cup: League, number: int
) -> None:
    save_duel(store, held, scenes.duel(cup, KEY, scenes.fault()), HELD)
    with pytest.raises(ConfigError, match=f"has no fault {number}"):
        duels.fault_bundle(store, "cup", number)


def test_a_fault_kept_without_its_bundle_says_so(store: Store, held: Lease, cup: League) -> None:
    save_duel(store, held, scenes.duel(cup, KEY, scenes.fault(bundle=None)), HELD)
    with pytest.raises(ConfigError, match="without its bundle"):
        duels.fault_bundle(store, "cup", 1)


def test_sides_are_those_of_the_first_and_the_second(
    store: Store, held: Lease, cup: League
) -> None:
    key = DuelKey(3, 1, 0)
    save(cup, held, key)
    assert duels.sides(store, "cup") == [(key, scenes.duel(cup, key).sides)]


def test_what_kept_bots_apart_is_told_with_its_duels(
    store: Store, held: Lease, cup: League
) -> None:
    weaker = HELD._replace(guarantees=())
    save(cup, held, KEY, DuelKey(1, 2, 1))
    save_duel(store, held, scenes.duel(cup, DuelKey(1, 2, 2)), weaker)
    save(cup, held, DuelKey(1, 2, 3))
    assert duels.isolations(store, "cup") == [(HELD, 3), (weaker, 1)]


def test_what_kept_all_bots_of_a_store_apart_is_told_with_the_duels_of_each_league(
    store: Store, held: Lease, cup: League, tmp_path: Path
) -> None:
    scenes.cup(store, tmp_path, name="other")
    save(cup, held, KEY, DuelKey(1, 2, 1))
    assert duels.isolations(store, "cup") == [(HELD, 2)]
    assert duels.isolations(store, "other") == []


def test_more_duels_than_are_read_at_once_come_each_once(
    store: Store, held: Lease, cup: League
) -> None:
    keys = [DuelKey(1, 2, number) for number in range(5)]
    save(cup, held, *keys)
    with patch("referee.store.duels._AT_ONCE", 2):
        assert [duel.key for duel in duels.stored_duels(store, "cup")] == keys


def test_whoever_stops_reading_leaves_the_store_free(
    store: Store, held: Lease, cup: League
) -> None:
    save(cup, held, KEY, DuelKey(1, 2, 1))
    reader = duels.stored_duels(store, "cup")
    next(reader)
    reader.close()  # type: ignore[attr-defined]  # it is a generator
    save(cup, held, DuelKey(1, 2, 2))
    assert len(duels.results(store, "cup")) == 3


def test_duels_are_stored_while_others_are_read(store: Store, held: Lease, cup: League) -> None:
    save(cup, held, KEY)
    for _ in duels.stored_duels(store, "cup"):
        save(cup, held, DuelKey(1, 2, 1))
    assert len(duels.results(store, "cup")) == 2


def test_times_of_duels_come_in_order(store: Store, held: Lease, cup: League) -> None:
    later = NOW + timedelta(seconds=1)
    for number, at in enumerate((later, NOW)):
        told = scenes.duel(cup, DuelKey(1, 2, number))._replace(finished=at)
        save_duel(store, held, told, HELD)
    assert duels.finished(store, "cup") == [NOW, later]


def test_a_void_is_kept_each_time_it_happens(store: Store, held: Lease) -> None:
    void = StoredVoid(KEY, "the sandbox vanished", NOW)
    save_void(store, held, void)
    save_void(store, held, void)
    assert duels.voids(store, "cup") == [void, void]


def test_a_snapshot_comes_back_as_it_was_taken(store: Store, held: Lease) -> None:
    snapshot = Snapshot(NOW, 12, {1: (25.1, 0.1), 2: (24.9, 1 / 3)})
    save_snapshot(store, held, snapshot)
    assert snapshots(store, "cup") == [snapshot]


def test_the_duels_of_a_pairing_are_given_alone(store: Store, held: Lease, cup: League) -> None:
    save(cup, held, KEY, DuelKey(1, 3, 0), DuelKey(1, 2, 1), DuelKey(2, 3, 0))
    found = [duel.key for duel in duels.stored_duels(store, "cup", of=(1, 2))]
    assert found == [DuelKey(1, 2, 0), DuelKey(1, 2, 1)]


def test_some_of_the_duels_of_a_pairing_are_given(store: Store, held: Lease, cup: League) -> None:
    save(cup, held, *(DuelKey(1, 2, number) for number in range(5)))
    found = [duel.key.number for duel in duels.stored_duels(store, "cup", (1, 2), range(1, 3))]
    assert found == [1, 2]


def test_what_was_done_in_the_duels_of_one_entrant_is_given_alone(
    store: Store, held: Lease, cup: League
) -> None:
    save(cup, held, KEY, DuelKey(1, 3, 0), DuelKey(2, 3, 0))
    assert [key for key, _ in duels.sides(store, "cup", of=3)] == [DuelKey(1, 3, 0), (2, 3, 0)]


@pytest.fixture
def suspended(store: Store, held: Lease, cup: League) -> Store:
    """A store in which entrant 2 is suspended after duel 0, and was at fault in more of them."""
    for key in (DuelKey(1, 2, 1), DuelKey(1, 2, 0), DuelKey(3, 1, 1)):
        save_duel(store, held, scenes.duel(cup, key, scenes.fault(key[1])), HELD)
        save_void(store, held, StoredVoid(key, "the sandbox vanished", NOW))
    assert suspend(store, held, cup, [Suspension(2, 0, "it crashed", NOW, None)])
    return store


PART = [DuelKey(1, 2, 0), DuelKey(3, 1, 1)]
"""The duels that are still part of the league."""


def test_duels_of_a_suspended_entrant_beyond_its_suspension_are_no_results(
    suspended: Store,
) -> None:
    assert [DuelKey(*result[:3]) for result in duels.results(suspended, "cup")] == PART


def test_duels_of_a_suspended_entrant_beyond_its_suspension_are_not_listed(
    suspended: Store,
) -> None:
    assert [duel.key for duel in duels.stored_duels(suspended, "cup")] == PART


def test_duels_of_a_suspended_entrant_beyond_its_suspension_have_no_sides(
    suspended: Store,
) -> None:
    assert [key for key, _ in duels.sides(suspended, "cup")] == PART


def test_duels_of_a_suspended_entrant_beyond_its_suspension_are_not_shown(
    suspended: Store, cup: League
) -> None:
    with pytest.raises(ConfigError, match=r"has no duel 1-2/2"):
        duels.rooms(suspended, cup, DuelKey(1, 2, 1))


def test_duels_of_a_suspended_entrant_beyond_its_suspension_are_in_no_count(
    suspended: Store,
) -> None:
    assert duels.isolations(suspended, "cup") == [(HELD, 2)]
    assert len(duels.finished(suspended, "cup")) == 2


def test_voids_of_a_suspended_entrant_beyond_its_suspension_are_no_part(suspended: Store) -> None:
    assert [void.key for void in duels.voids(suspended, "cup")] == PART


def test_a_suspension_leaves_the_numbers_of_faults_as_they_were(suspended: Store) -> None:
    found = [(number, key) for number, key, _ in duels.faults(suspended, "cup")]
    assert found == [(2, DuelKey(1, 2, 0)), (3, DuelKey(3, 1, 1))]


def test_the_duels_of_one_who_is_reinstated_are_part_again(suspended: Store) -> None:
    reinstate(suspended, "cup", 2)
    assert len(duels.results(suspended, "cup")) == 3


def test_a_duel_is_in_the_log_with_its_digest(store: Store, held: Lease, cup: League) -> None:
    save_duel(store, held, scenes.duel(cup)._replace(digest="ab" * 32), HELD)
    last = [*entries(store, "cup")][-1]
    assert (last.kind, last.at) == ("duel", NOW)
    assert last.body == {"duel": [*KEY], "digest": "ab" * 32}


def test_the_second_time_a_duel_is_not_in_the_log(store: Store, held: Lease, cup: League) -> None:
    save_duel(store, held, scenes.duel(cup), HELD)
    before = head(store, "cup")
    save_duel(store, held, scenes.duel(cup), HELD)
    assert head(store, "cup") == before


def test_a_void_is_in_the_log_and_a_duel_is_unplayed_after_the_last(
    store: Store, held: Lease
) -> None:
    began = head(store, "cup").number
    for _ in range(MOST_VOIDS):
        save_void(store, held, StoredVoid(KEY, "the sandbox\ud800 vanished", NOW))
    said = [*entries(store, "cup")][began:]
    assert [entry.kind for entry in said] == [*["void"] * MOST_VOIDS, "unplayed"]
    assert said[0].body == {"duel": [*KEY], "reason": "the sandbox? vanished"}
    assert said[-1].body == {"duel": [*KEY]}

"""What pages are made from: made once while nothing changes, and anew when something has."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest

from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.duels import save_void
from referee.store.leagues import set_state, withdraw
from referee.store.leases import lease
from referee.store.models import StoredVoid
from referee.store.opening import open_store
from referee.web.league_cache import Edition, LeagueCache
from referee.web.missing import Missing
from tests.cli.leagues import NOW, write_league

BEGAN = 100.0
MADE = BEGAN + 2.0
"""When an edition is made that takes two seconds."""


class Clock:
    """Stands still, but for so many seconds each time it is looked at."""

    def __init__(self) -> None:
        self.now = BEGAN
        self.step = 0.0

    def __call__(self) -> float:
        now = self.now
        self.now += self.step
        return now


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    place = tmp_path / "upcard.db"
    write_league(place, duels=2, played=1)
    with open_store(str(place)) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


def is_void(store: Store) -> None:
    with lease(store, "club") as ours:
        save_void(store, ours, StoredVoid(DuelKey(1, 2, 1), "why", NOW))


def is_closed(store: Store) -> None:
    with lease(store, "club") as ours:
        set_state(store, ours, "closed")


def withdraws(store: Store) -> None:
    withdraw(store, "club", 2, NOW)


def made_in(seconds: float, store: Store, clock: Clock) -> tuple[LeagueCache, Edition]:
    """Make an edition, which takes so many seconds."""
    almanac = LeagueCache(store, clock)
    clock.step = seconds
    edition = almanac.edition("club")
    clock.step = 0.0
    return almanac, edition


def test_it_is_made_once_while_nothing_changes(store: Store, clock: Clock) -> None:
    almanac = LeagueCache(store, clock)
    first = almanac.edition("club")
    clock.now += 1000
    assert almanac.edition("club") is first


@pytest.mark.parametrize("change", [is_void, is_closed, withdraws])
def test_it_is_made_anew_after_a_change(
    store: Store, clock: Clock, change: Callable[[Store], None]
) -> None:
    almanac = LeagueCache(store, clock)
    first = almanac.edition("club")
    change(store)
    second = almanac.edition("club")
    assert second.stamp != first.stamp
    assert second.table != first.table


def test_what_took_long_to_make_is_good_for_ten_times_as_long(store: Store, clock: Clock) -> None:
    almanac, first = made_in(2.0, store, clock)
    is_void(store)
    clock.now = MADE + 2 * 10 - 0.1
    assert almanac.edition("club") is first


def test_after_that_it_is_looked_at_again(store: Store, clock: Clock) -> None:
    almanac, first = made_in(2.0, store, clock)
    is_void(store)
    clock.now = MADE + 2 * 10
    assert almanac.edition("club") is not first


def test_it_is_not_made_again_if_it_is_found_unchanged(store: Store, clock: Clock) -> None:
    almanac, first = made_in(2.0, store, clock)
    clock.now += 1000
    assert almanac.edition("club") is first


def test_what_is_looked_at_once_stays_as_it_was(store: Store, clock: Clock) -> None:
    almanac = LeagueCache(store, clock, once=True)
    first = almanac.edition("club")
    is_void(store)
    clock.now += 1e9
    assert almanac.edition("club") is first


def test_all_who_wait_get_the_same(store: Store, clock: Clock) -> None:
    almanac = LeagueCache(store, clock)
    start, found = Barrier(8), list[Edition]()

    def look() -> None:
        start.wait()
        found.append(almanac.edition("club"))

    threads = [Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({id(edition) for edition in found}) == 1


def test_a_league_that_is_not_there_is_missing(store: Store, clock: Clock) -> None:
    with pytest.raises(Missing, match="there is no league “none” here"):
        LeagueCache(store, clock).edition("none")


def test_who_runs_a_league_is_known_at_once(store: Store, clock: Clock) -> None:
    almanac, _ = made_in(2.0, store, clock)
    with lease(store, "club"):
        assert almanac.running("club")
    assert not almanac.running("club")


def test_nobody_runs_what_is_looked_at_once(store: Store, clock: Clock) -> None:
    with lease(store, "club"):
        assert not LeagueCache(store, clock, once=True).running("club")


def test_leagues_are_named_the_latest_first(store: Store, tmp_path: Path, clock: Clock) -> None:
    write_league(tmp_path / "upcard.db", name="spring", played=0)
    assert LeagueCache(store, clock).leagues() == ["spring", "club"]


def test_only_a_league_that_goes_on_has_a_pace(store: Store, clock: Clock) -> None:
    almanac = LeagueCache(store, clock)
    is_closed(store)
    assert almanac.edition("club").pace is None

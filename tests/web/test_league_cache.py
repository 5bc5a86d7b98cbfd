"""What pages are rendered from: read once while nothing changes, and again after a change."""

import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from weakref import ref

import pytest
from sqlalchemy import event

from referee.engine.record import MatchRecord
from referee.errors import NotFoundError
from referee.league.table import LeagueTable, league_table
from referee.reports import deals
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.leagues import set_state, withdraw
from referee.store.leases import lease
from referee.store.models import Snapshot, StoredVoid
from referee.store.opening import open_store
from referee.store.snapshots import save_snapshot
from referee.web import league_cache
from referee.web.kept import PATIENCE
from referee.web.league_cache import Glance, LeagueCache
from referee.web.pages import Pages
from tests.cli.leagues import NOW, write_league
from tests.store.saving import save_void
from tests.web import scenes
from tests.web.scenes import in_threads

READ_IN = 2.0
"""Seconds that it takes to read a league, where that matters."""


class Clock:
    """A clock that stands still unless a test sets it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


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


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """Make reading a league take some seconds."""

    def read(store: Store, name: str) -> LeagueTable:
        clock.now += READ_IN
        return league_table(store, name)

    monkeypatch.setattr(league_cache, "league_table", read)


def test_it_is_made_once_while_nothing_changes(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    first = cache.edition("club")
    clock.now += 1000
    assert cache.edition("club") is first


@pytest.mark.parametrize("change", [is_void, is_closed, withdraws])
def test_it_is_made_anew_after_a_change(
    store: Store, clock: Clock, change: Callable[[Store], None]
) -> None:
    cache = LeagueCache(store, clock)
    first = cache.edition("club")
    change(store)
    second = cache.edition("club")
    assert second.stamp != first.stamp
    assert second.table != first.table


@pytest.mark.usefixtures("slow")
def test_what_took_long_to_make_is_good_for_many_times_as_long(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    first = cache.edition("club")
    is_void(store)
    clock.now += READ_IN * PATIENCE - 0.1
    assert cache.edition("club") is first


@pytest.mark.usefixtures("slow")
def test_after_that_it_is_looked_at_again(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    first = cache.edition("club")
    is_void(store)
    clock.now += READ_IN * PATIENCE
    assert cache.edition("club") is not first


@pytest.mark.usefixtures("slow")
def test_it_is_not_made_again_if_it_is_found_unchanged(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    first = cache.edition("club")
    clock.now += 1000
    assert cache.edition("club") is first


def test_what_is_looked_at_once_stays_as_it_was(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock, once=True)
    first = cache.edition("club")
    is_void(store)
    clock.now += 1e9
    assert cache.edition("club") is first


def test_all_who_wait_get_the_same(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    found = in_threads(lambda: cache.edition("club"))
    assert len({id(edition) for edition in found}) == 1


def test_what_was_rendered_of_an_edition_goes_with_it(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    before = ref(cache.edition("club").rendered)
    is_void(store)
    cache.edition("club")
    gc.collect()
    assert before() is None


@pytest.mark.slow
def test_a_duel_is_replayed_once_for_all_who_read_it(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed = list[tuple[str, str]]()

    def every_room(rooms: Sequence[MatchRecord], names: tuple[str, str]) -> deals.EveryRoom:
        replayed.append(names)
        return deals.every_room(rooms, names)

    monkeypatch.setattr(league_cache, "every_room", every_room)
    cache = LeagueCache(store, clock)
    first = Pages(cache).duel("club", DuelKey(1, 2, 0))
    is_void(store)
    assert Pages(cache).duel("club", DuelKey(1, 2, 0)) == first
    assert replayed == [("ada", "bert")]


@pytest.fixture
def three(store: Store, tmp_path: Path) -> Store:
    """Return a store with two more leagues."""
    for name in ("cup", "spring"):
        write_league(tmp_path / "upcard.db", name=name, played=0)
    return store


def reads(cache: LeagueCache, name: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether a league has to be read to get its edition."""
    read = list[str]()

    def table(store: Store, name: str) -> LeagueTable:
        read.append(name)
        return league_table(store, name)

    monkeypatch.setattr(league_cache, "league_table", table)
    cache.edition(name)
    return bool(read)


def test_a_league_that_nobody_reads_for_long_is_dropped(
    three: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = LeagueCache(three, clock)
    cache.edition("club")
    clock.now += 1000
    cache.edition("cup")
    clock.now += 1000
    cache.overviews()
    assert [reads(cache, name, monkeypatch) for name in ("cup", "club")] == [False, True]


def test_of_many_leagues_those_that_were_read_last_are_kept(
    three: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_cache, "_MOST_LEAGUES", 2)
    cache = LeagueCache(three, clock)
    for name in ("club", "cup", "club", "spring"):
        cache.edition(name)
    found = [reads(cache, name, monkeypatch) for name in ("club", "spring", "cup")]
    assert found == [False, False, True]


def test_lists_read_a_league_that_was_dropped_only_after_a_change(
    three: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_cache, "_MOST_LEAGUES", 1)
    cache = LeagueCache(three, clock)
    first = cache.overviews()
    assert cache.overviews() == first
    is_void(three)
    last = cache.overviews()
    assert last[:2] == first[:2]
    assert [len(each.facts["voids"]) for each in (first[2], last[2])] == [0, 1]


def statements(store: Store, call: Callable[[], object]) -> int:
    """Count what is asked of the database."""
    asked = list[str]()

    def count(*args: Any) -> None:  # noqa: ANN401 (as SQLAlchemy calls it)
        asked.append(args[2])

    event.listen(store.engine, "before_cursor_execute", count)
    call()
    event.remove(store.engine, "before_cursor_execute", count)
    return len(asked)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/", "/api/v1/leagues", "/metrics", "/healthz"])
def test_a_list_asks_the_database_as_often_for_three_leagues_as_for_one(
    store: Store, tmp_path: Path, address: str
) -> None:
    with scenes.client(store) as asks:
        asks.get(address)
        one = statements(store, lambda: asks.get(address))
        for name in ("cup", "spring"):
            write_league(tmp_path / "upcard.db", name=name, played=0)
        asks.get(address)
        assert statements(store, lambda: asks.get(address)) == one


def test_a_league_that_is_not_there_is_missing(store: Store, clock: Clock) -> None:
    with pytest.raises(NotFoundError, match="there is no league “none” here"):
        LeagueCache(store, clock).edition("none")


@pytest.mark.usefixtures("slow")
def test_who_runs_a_league_is_known_at_once(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    cache.edition("club")
    with lease(store, "club"):
        assert cache.running("club")
    assert not cache.running("club")


def test_nobody_runs_what_is_looked_at_once(store: Store, clock: Clock) -> None:
    with lease(store, "club"):
        assert not LeagueCache(store, clock, once=True).running("club")


def test_leagues_are_named_the_latest_first(store: Store, tmp_path: Path, clock: Clock) -> None:
    write_league(tmp_path / "upcard.db", name="spring", played=0)
    assert LeagueCache(store, clock).names() == ["spring", "club"]


def test_only_a_league_that_goes_on_has_a_pace(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    is_closed(store)
    assert cache.edition("club").pace is None


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every league with a duel count as large."""
    monkeypatch.setattr(league_cache, "_LARGE", 0)


@pytest.mark.usefixtures("large")
def test_nothing_of_a_large_league_waits_for_its_first_table(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    assert cache.edition_at_once("club") is None
    made = cache.edition("club")
    assert cache.edition_at_once("club") is made


@pytest.mark.usefixtures("large")
def test_what_a_large_league_was_is_there_while_it_is_made_anew(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    first = cache.edition("club")
    is_void(store)
    assert cache.edition_at_once("club") is first
    made_anew(cache)
    assert cache.edition_at_once("club") is not first


def made_anew(cache: LeagueCache) -> None:
    """Wait for what is made in the background."""
    with cache._entries["club"].building:  # noqa: SLF001 (nothing else waits for the thread)
        pass


@pytest.mark.usefixtures("large")
def test_a_list_shows_of_a_large_league_what_needs_no_table(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    (glance,) = cache.glances()
    edition = cache.edition("club")
    assert isinstance(glance, Glance)
    assert (glance.facts, glance.entrants) == (edition.overview.facts, edition.overview.entrants)
    assert cache.glances() == [edition.overview]


@pytest.mark.usefixtures("large")
def test_leaders_of_a_large_league_are_those_of_the_last_round(store: Store, clock: Clock) -> None:
    ratings = {1: (24.0, 1.0), 2: (26.0, 1.0)}
    with lease(store, "club") as ours:
        save_snapshot(store, ours, Snapshot(NOW, 1, ratings))
    leaders = LeagueCache(store, clock).glance("club").leaders
    assert [(leader.number, leader.rating) for leader in leaders] == [(2, 26.0), (1, 24.0)]


def test_a_small_league_is_waited_for(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    assert cache.edition_at_once("club") is cache.edition("club")


@pytest.mark.usefixtures("large")
def test_the_page_of_a_large_league_says_that_its_table_is_made(store: Store, clock: Clock) -> None:
    cache = LeagueCache(store, clock)
    page = Pages(cache).league("club")
    assert "takes some seconds to make" in page
    cache.edition("club")
    assert "takes some seconds to make" not in Pages(cache).league("club")
    assert "1 of 2 duels" in page

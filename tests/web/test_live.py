"""The stream that tells an open page when it would show something new."""

from asyncio import Event, all_tasks, create_task, current_task, gather, run, sleep
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import httpx2 as httpx
import pytest
from sqlalchemy import update
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from referee.scheduling.keys import DuelKey
from referee.store.database import Store, writing
from referee.store.leagues import set_state
from referee.store.leases import Lease, lease
from referee.store.migrating import VERSION
from referee.store.models import StoredVoid
from referee.store.opening import open_store
from referee.web import live
from referee.web.league_cache import LeagueCache
from tests.cli.leagues import NOW, write_league
from tests.store.saving import save_void

CHANGED, OVER, NOTHING = "event: changed\ndata:", "event: over\ndata:", ":"
Change = Callable[[], object]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    place = tmp_path / "upcard.db"
    write_league(place, duels=2, played=0)
    with open_store(str(place)) as opened:
        yield opened


@pytest.fixture
def ours(store: Store) -> Iterator[Lease]:
    with lease(store, "club") as held:
        yield held


@pytest.fixture
def app(store: Store) -> Starlette:
    """Serve the stream alone; its clock stands still, so every look is a new one."""
    cache = LeagueCache(store, clock=lambda: 0.0)
    streams = live.EventStreams(cache, Event(), ("testclient",))
    return Starlette(routes=[Route("/{name}/live", live.handler(streams), methods=["GET"])])


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make changes one after the other, each while a reader waits for the next look."""

    def happen(*changes: Change | None) -> None:
        waiting = iter(changes)

        async def pause(_: Event) -> None:
            change = next(waiting)
            if change:
                change()

        monkeypatch.setattr(live, "pause", pause)

    return happen


def voids(ours: Lease) -> Change:
    numbers = count()
    return lambda: save_void(
        ours.store, ours, StoredVoid(DuelKey(1, 2, next(numbers) // 3), "why", NOW)
    )


def ends(ours: Lease) -> Change:
    return lambda: set_state(ours.store, ours, "closed")


def upgrade(store: Store) -> None:
    """Make of the store one that this program is too old for."""
    with writing(store) as connection:
        connection.execute(update(VERSION).values(version_num="9999"))


def events(app: Starlette) -> list[str]:
    """Read a stream to its end; the first thing in it says when a browser comes back."""
    found = TestClient(app).get("/club/live").text.split("\n\n")
    assert (found[0], found[-1]) == ("retry: 3000", "")
    return found[1:-1]


def test_a_reader_is_found_of_each_change_and_of_the_end(
    app: Starlette, ours: Lease, meanwhile: Callable[..., None]
) -> None:
    meanwhile(voids(ours), None, voids(ours), ends(ours))
    assert events(app) == [CHANGED, CHANGED, CHANGED, CHANGED, OVER]


def test_a_reader_who_comes_after_the_end_is_found_at_once(
    app: Starlette, ours: Lease, meanwhile: Callable[..., None]
) -> None:
    ends(ours)()
    meanwhile()
    assert events(app) == [CHANGED, OVER]


def test_a_reader_is_found_that_somebody_plays_and_that_nobody_does(
    app: Starlette, store: Store, meanwhile: Callable[..., None]
) -> None:
    held = lease(store, "club")

    def stops() -> None:
        held.__exit__(None, None, None)

    def is_closed() -> None:
        with lease(store, "club") as again:
            set_state(store, again, "closed")

    meanwhile(held.__enter__, None, stops, None, is_closed)
    assert events(app) == [CHANGED, CHANGED, CHANGED, CHANGED, OVER]


def test_a_reader_hears_a_sign_of_life_where_nothing_happens(
    app: Starlette, ours: Lease, meanwhile: Callable[..., None]
) -> None:
    meanwhile(*[None] * 31, ends(ours))
    assert events(app) == [CHANGED, NOTHING, NOTHING, CHANGED, OVER]


def test_a_store_that_cannot_be_read_any_more_ends_the_stream_without_a_word(
    app: Starlette, store: Store, meanwhile: Callable[..., None]
) -> None:
    meanwhile(lambda: upgrade(store))
    assert events(app) == [CHANGED]


def test_of_more_readers_than_there_may_be_the_last_is_found_to_come_later(
    app: Starlette, ours: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_MAX_STREAMS", 1)
    answers: list[httpx.Response] = []

    async def pause(_: Event) -> None:
        ends(ours)()
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as other:
            answers.append(await other.get("/club/live"))

    monkeypatch.setattr(live, "pause", pause)
    assert events(app)[-1] == OVER
    assert [(a.status_code, a.headers["retry-after"]) for a in answers] == [(503, "60")]


def test_a_reader_who_left_makes_room(
    app: Starlette, ours: Lease, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[..., None]
) -> None:
    monkeypatch.setattr(live, "_MAX_STREAMS", 1)
    ends(ours)()
    meanwhile()
    assert [events(app)[-1] for _ in range(3)] == [OVER] * 3


def burst(cache: LeagueCache, hosts: Sequence[str]) -> Counter[int]:
    """Ask for a stream as many readers at the same time; count the answers before any is sent."""

    async def ask() -> list[Response]:
        handle = live.handler(live.EventStreams(cache, Event(), ("10.0.0.1",)))
        scopes = [
            {
                "type": "http",
                "method": "GET",
                "headers": [],
                "client": (host, 1),
                "path_params": {"name": "club"},
            }
            for host in hosts
        ]
        return await gather(*(handle(Request(scope)) for scope in scopes))

    return Counter(answer.status_code for answer in run(ask()))


@pytest.fixture
def still(store: Store) -> LeagueCache:
    return LeagueCache(store, clock=lambda: 0.0)


@pytest.mark.slow
def test_of_a_burst_of_readers_no_more_are_let_in_than_may_be(still: LeagueCache) -> None:
    hosts = [f"192.0.2.{number // 3}" for number in range(700)]
    assert burst(still, hosts) == {200: 512, 503: 188}


@pytest.mark.parametrize(
    "hosts",
    [["192.0.2.1"] * 200, [f"2001:db8::{number:x}" for number in range(200)]],
    ids=["ipv4", "ipv6"],
)
def test_one_address_has_no_more_than_its_share(still: LeagueCache, hosts: list[str]) -> None:
    assert burst(still, hosts) == {200: 128, 503: 72}


@pytest.mark.slow
def test_a_proxy_that_names_no_reader_may_have_all(still: LeagueCache) -> None:
    assert burst(still, ["10.0.0.1"] * 600) == {200: 512, 503: 88}


async def no_pause(_: Event) -> None:
    """Look again at once."""
    await sleep(0)


class Readers:
    """Several streams of a league, read in step, and a count of the looks at it."""

    def __init__(self, cache: LeagueCache, number: int) -> None:
        self.streams = live.EventStreams(cache, Event())
        self.open = [self.streams.open("club") for _ in range(number)]

    async def next(self) -> list[str]:
        """Read the next event of each."""
        return await gather(*(anext(stream) for stream in self.open))

    async def begin(self) -> None:
        """Read what every stream begins with."""
        assert {event.partition(":")[0] for event in await self.next()} == {"retry"}
        assert {*await self.next()} == {f"{CHANGED}\n\n"}

    async def close(self) -> None:
        for stream in self.open:
            await stream.aclose()


class CountingCache(LeagueCache):
    """Counts the looks at leagues."""

    looks = 0

    def running(self, name: str) -> bool:
        self.looks += 1
        return super().running(name)


@pytest.fixture
def cache(store: Store, monkeypatch: pytest.MonkeyPatch) -> CountingCache:
    monkeypatch.setattr(live, "pause", no_pause)
    return CountingCache(store, clock=lambda: 0.0)


@pytest.mark.parametrize("number", [1, 8])
def test_however_many_readers_there_are_there_is_one_look_for_each_event(
    cache: CountingCache, ours: Lease, number: int
) -> None:
    async def read() -> None:
        readers = Readers(cache, number)
        await readers.begin()
        assert cache.looks == 1
        change = voids(ours)
        for looks in (2, 3, 4):
            change()
            assert {*await readers.next()} == {f"{CHANGED}\n\n"}
            assert cache.looks == looks
        await readers.close()

    run(read())


def test_a_reader_who_comes_later_needs_no_look_of_its_own(
    cache: CountingCache,
) -> None:
    async def read() -> None:
        readers = Readers(cache, 1)
        await readers.begin()
        later = readers.streams.open("club")
        assert [await anext(later), await anext(later)][1] == f"{CHANGED}\n\n"
        assert cache.looks == 1
        await later.aclose()
        await readers.close()

    run(read())


def test_readers_who_stay_are_found_of_changes_when_another_leaves(
    cache: CountingCache, ours: Lease
) -> None:
    async def read() -> None:
        readers = Readers(cache, 3)
        await readers.begin()
        waiting = [create_task(readers.next())]
        await sleep(0)
        leaving = create_task(readers.streams.open("club").__anext__())
        await sleep(0)
        leaving.cancel()
        voids(ours)()
        assert {*await waiting[0]} == {f"{CHANGED}\n\n"}
        await readers.close()

    run(read())


def test_nobody_looks_at_a_league_whose_last_reader_has_left(
    cache: CountingCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(_: Event) -> None:
        await Event().wait()

    async def read() -> None:
        readers = Readers(cache, 2)
        await readers.begin()
        monkeypatch.setattr(live, "pause", endless)
        waiting = [create_task(stream.__anext__()) for stream in readers.open]
        await sleep(0)
        for each in waiting:
            each.cancel()
        await gather(*waiting, return_exceptions=True)
        await sleep(0)
        assert readers.streams.count == 0
        assert all_tasks() == {current_task()}

    run(read())


def test_readers_of_two_leagues_have_a_look_each(cache: CountingCache, tmp_path: Path) -> None:
    write_league(tmp_path / "upcard.db", name="cup", played=0)

    async def read() -> None:
        readers = Readers(cache, 2)
        other = readers.streams.open("cup")
        await readers.begin()
        assert [await anext(other), await anext(other)][1] == f"{CHANGED}\n\n"
        assert (cache.looks, readers.streams.count) == (2, 3)
        await other.aclose()
        await readers.close()

    run(read())


def test_a_stream_is_kept_nowhere_and_not_compressed(asks_over: TestClient) -> None:
    answer = asks_over.get("/leagues/cup/live", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert "content-encoding" not in answer.headers


def test_a_league_that_is_not_there_has_no_stream(asks: TestClient) -> None:
    assert asks.get("/leagues/none/live").status_code == 404


def test_the_page_of_an_open_league_asks_for_its_stream(asks: TestClient) -> None:
    page = asks.get("/leagues/club/index.html").text
    assert 'sse-connect="live"' in page
    assert 'sse-close="over"' in page
    assert 'hx-trigger="sse:changed"' in page

"""The stream that tells an open page when it would show something new."""

from asyncio import Event
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import httpx2 as httpx
import pytest
from sqlalchemy import update
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from referee.scheduling.keys import DuelKey
from referee.store.database import Store, writing
from referee.store.duels import save_void
from referee.store.leagues import set_state
from referee.store.leases import Lease, lease
from referee.store.migrating import VERSION
from referee.store.models import StoredVoid
from referee.store.opening import open_store
from referee.web import live
from referee.web.league_cache import LeagueCache
from tests.cli.leagues import NOW, write_league

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
    almanac = LeagueCache(store, clock=lambda: 0.0)
    return Starlette(
        routes=[Route("/{name}/live", live.handler(almanac, Event()), methods=["GET"])]
    )


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have changes happen one after the other, each while a reader waits for the next look."""

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
    told = TestClient(app).get("/club/live").text.split("\n\n")
    assert (told[0], told[-1]) == ("retry: 3000", "")
    return told[1:-1]


def test_a_reader_is_told_of_each_change_and_of_the_end(
    app: Starlette, ours: Lease, meanwhile: Callable[..., None]
) -> None:
    meanwhile(voids(ours), None, voids(ours), ends(ours))
    assert events(app) == [CHANGED, CHANGED, CHANGED, CHANGED, OVER]


def test_a_reader_who_comes_after_the_end_is_told_at_once(
    app: Starlette, ours: Lease, meanwhile: Callable[..., None]
) -> None:
    ends(ours)()
    meanwhile()
    assert events(app) == [CHANGED, OVER]


def test_a_reader_is_told_that_somebody_plays_and_that_nobody_does(
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


def test_of_more_readers_than_there_may_be_the_last_is_told_to_come_later(
    app: Starlette, ours: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_MOST", 1)
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
    monkeypatch.setattr(live, "_MOST", 1)
    ends(ours)()
    meanwhile()
    assert [events(app)[-1] for _ in range(3)] == [OVER] * 3


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

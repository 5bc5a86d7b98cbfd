"""A store that is locked, upgraded, damaged or gone while it is served."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import text, update
from starlette.testclient import TestClient

from referee.store.database import Store, writing
from referee.store.migrating import VERSION
from referee.store.opening import open_store
from referee.store.rows import DUEL
from tests.web import scenes
from tests.web.scenes import is_page

PAGES = (
    "/",
    "/leagues/cup/",
    "/leagues/cup/fairness.html",
    "/leagues/cup/pairings/",
    "/leagues/cup/pairings/1-2.html",
    "/leagues/cup/entrants/1.html",
    "/leagues/cup/duels/1-2-1.html",
)
FOR_PROGRAMS = (
    "/api/v1/leagues",
    "/api/v1/leagues/cup",
    "/api/v1/leagues/cup/history",
    "/api/v1/leagues/cup/crosstable",
    "/api/v1/leagues/cup/entrants/1",
    "/api/v1/leagues/cup/pairings/1-2/duels",
    "/api/v1/leagues/cup/pairings/1-2/duels/1",
)
REST = ("/healthz", "/metrics", "/leagues/cup/live")


class Served(NamedTuple):
    """A store of its own, and who reads it."""

    place: Path
    store: Store
    asks: TestClient

    def fresh(self) -> None:
        """Forget what was read: the next who asks opens the file again."""
        self.store.engine.dispose()


@contextmanager
def serving(place: Path, directory: Path) -> Iterator[Served]:
    """Serve a copy of a store."""
    copy = scenes.copied(place, directory)
    with open_store(str(copy)) as store, scenes.client(store) as asks:
        yield Served(copy, store, asks)


@pytest.fixture
def served(over_place: Path, tmp_path: Path) -> Iterator[Served]:
    with serving(over_place, tmp_path) as found:
        yield found


def is_upgraded(served: Served) -> None:
    with writing(served.store) as connection:
        connection.execute(update(VERSION).values(version_num="9999"))


def is_truncated(served: Served) -> None:
    served.fresh()
    served.place.write_bytes(served.place.read_bytes()[:5000])


def is_overwritten(served: Served) -> None:
    served.fresh()
    served.place.write_bytes(b"no database at all, but somebody's letters " * 1000)


def is_gone(served: Served) -> None:
    served.fresh()
    for file in served.place.parent.glob("upcard.db*"):
        if file.is_file():
            file.unlink()


TROUBLES = (is_upgraded, is_truncated, is_overwritten, is_gone)


@pytest.fixture(scope="module", params=TROUBLES, ids=lambda each: each.__name__)
def troubled(
    over_place: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Served]:
    """Serve a store that one of these has come over."""
    with serving(over_place, tmp_path_factory.mktemp("troubled")) as found:
        request.param(found)
        yield found


def test_a_reader_is_asked_to_come_again(troubled: Served) -> None:
    for address in PAGES:
        answer = troubled.asks.get(address)
        assert (answer.status_code, is_page(answer)) == (503, True), address
        assert int(answer.headers["retry-after"]) > 0


def test_a_program_is_asked_to_come_again(troubled: Served) -> None:
    for address in FOR_PROGRAMS:
        answer = troubled.asks.get(address)
        assert (answer.status_code, [*answer.json()]) == (503, ["error"]), address
        assert int(answer.headers["retry-after"]) > 0


def test_whoever_watches_is_told_that_something_is_wrong(troubled: Served) -> None:
    assert {troubled.asks.get(address).status_code for address in REST} == {503}


@pytest.mark.parametrize(
    "address", ["/leagues/cup/entrants/1.html", "/api/v1/leagues/cup/entrants/1"]
)
def test_a_value_that_cannot_be_is_damage(served: Served, address: str) -> None:
    with writing(served.store) as connection:
        connection.execute(text("UPDATE side SET tallies = '{'"))
    assert served.asks.get(address).status_code == 503


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/healthz", "/metrics", "/", "/api/v1/leagues"])
def test_an_upgrade_of_a_store_without_leagues_is_seen(tmp_path: Path, address: str) -> None:
    with (
        open_store(str(tmp_path / "upcard.db"), create=True) as store,
        scenes.client(store) as asks,
    ):
        is_upgraded(Served(tmp_path, store, asks))
        assert asks.get(address).status_code == 503


def test_nobody_is_told_where_the_store_is(troubled: Served) -> None:
    for address in (*PAGES, *FOR_PROGRAMS, *REST):
        answer = troubled.asks.get(address).text
        for word in (str(troubled.place), "upcard.db", "Traceback", "sqlite", "9999", "upgraded"):
            assert word not in answer, address


def test_the_organiser_is_told_in_her_log(
    troubled: Served, caplog: pytest.LogCaptureFixture
) -> None:
    troubled.asks.get("/leagues/cup/")
    assert f"the store {troubled.place}" in caplog.text


@pytest.mark.slow
def test_what_does_not_need_the_store_is_still_there(troubled: Served) -> None:
    for address in ("/api/", "/api/v1/openapi.json", "/static/upcard.css"):
        assert troubled.asks.get(address).status_code == 200


def test_a_store_that_is_good_again_is_served_again(served: Served) -> None:
    kept = served.place.read_bytes()
    is_overwritten(served)
    assert served.asks.get("/leagues/cup/").status_code == 503
    served.fresh()
    served.place.write_bytes(kept)
    assert served.asks.get("/leagues/cup/").status_code == 200


@pytest.mark.slow
def test_while_somebody_writes_pages_show_what_was_before(served: Served) -> None:
    before = {address: served.asks.get(address).text for address in PAGES}
    with closing(sqlite3.connect(served.place, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("DELETE FROM duel")
        writer.execute("UPDATE league SET name = 'other'")
        assert {address: served.asks.get(address).text for address in PAGES} == before


def test_a_play_record_that_is_damaged_is_told_as_a_defect(served: Served) -> None:
    with writing(served.store) as connection:
        connection.execute(update(DUEL).values(play=b"\1damaged"))
    answer = served.asks.get("/leagues/cup/duels/1-2-1.html")
    assert (answer.status_code, is_page(answer)) == (500, True)


def test_the_organiser_is_told_which_play_record_is_damaged(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with writing(served.store) as connection:
        connection.execute(update(DUEL).values(play=b"\1damaged"))
    served.asks.get("/leagues/cup/duels/1-2-1.html")
    assert "/leagues/cup/duels/1-2-1.html: play: is damaged" in caplog.text


@pytest.mark.slow
def test_a_play_record_that_is_damaged_spoils_no_other_page(served: Served) -> None:
    with writing(served.store) as connection:
        connection.execute(update(DUEL).where(DUEL.c.number == 0).values(play=b"\1damaged"))
    for address in ("/", "/leagues/cup/", "/leagues/cup/duels/1-2-2.html"):
        assert served.asks.get(address).status_code == 200

"""What every answer says besides itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from referee.store.database import writing
from referee.store.opening import open_store
from referee.store.rows import DUEL
from referee.web.pages import Pages
from tests.cli.leagues import write_league
from tests.web import scenes

ANSWERS = {
    "/": 200,
    "/leagues/club/": 200,
    "/leagues/club/duels/1-2-1.html": 200,
    "/leagues/club": 307,
    "/nothing": 404,
    "/leagues/none/": 404,
    "/leagues/none/live": 404,
    "/static/upcard.css": 200,
    "/static/replay.js": 200,
    "/static/nothing": 404,
    "/api/v1/leagues": 200,
    "/api/v1/leagues/none": 404,
    "/api/v1/leagues/club/entrants/x": 422,
    "/api/v1/openapi.json": 200,
    "/api/": 200,
    "/metrics": 200,
    "/healthz": 200,
}
BROKEN = ("/leagues/club/duels/1-2-1.html", "/leagues/club/entrants/1.html")


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Serve a store whose play is damaged, with a page that has a defect nobody foresees."""

    def fail(*_: object) -> str:
        raise RuntimeError("play: referee/pages.py")

    place = tmp_path_factory.mktemp("broken") / "upcard.db"
    write_league(place, duels=1)
    with open_store(str(place)) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pages, "entrant", fail)
        with writing(store) as connection:
            connection.execute(update(DUEL).values(play=b"\0"))
        with scenes.client(store) as asks:
            yield asks


@pytest.fixture(scope="module")
def bound(open_place: Path) -> Iterator[TestClient]:
    """Serve what may be asked by two names alone."""
    with scenes.served(open_place, "localhost", "[::1]") as asks:
        yield asks


@pytest.mark.parametrize(("address", "status"), ANSWERS.items())
def test_every_answer_lets_a_page_do_no_more_than_it_needs(
    asks: TestClient, address: str, status: int
) -> None:
    answer = asks.get(address)
    assert answer.status_code == status
    assert_guarded(answer.headers)


def assert_guarded(headers: scenes.Headers) -> None:
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("method", ["POST", "OPTIONS", "HEAD"])
@pytest.mark.parametrize("address", ["/", "/static/upcard.css", "/api/v1/leagues"])
def test_so_does_the_answer_to_another_method(asks: TestClient, method: str, address: str) -> None:
    assert_guarded(asks.request(method, address).headers)


@pytest.mark.parametrize("address", BROKEN)
def test_so_does_the_answer_when_something_is_wrong(broken: TestClient, address: str) -> None:
    answer = broken.get(address)
    assert answer.status_code == 500
    assert_guarded(answer.headers)


def test_so_does_the_answer_to_who_asks_by_another_name(bound: TestClient) -> None:
    answer = bound.get("/")
    assert answer.status_code == 400
    assert_guarded(answer.headers)


@pytest.mark.parametrize("address", BROKEN)
def test_what_is_wrong_is_told_without_a_trace_of_the_inside(
    broken: TestClient, address: str
) -> None:
    page = broken.get(address).text
    for word in ("Traceback", "Error", "referee", ".py", "sqlite", "play:", "upcard.db"):
        assert word not in page
    assert "Tell the organiser" in page


def test_a_program_is_told_in_a_sentence_what_is_wrong(broken: TestClient) -> None:
    answer = broken.get("/api/v1/leagues/club/pairings/1-2/duels/1")
    assert answer.status_code == 500
    assert [*answer.json()] == ["error"]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "[::1]:8000", "[::1]"])
def test_who_asks_by_a_name_that_is_known_is_answered(bound: TestClient, host: str) -> None:
    assert bound.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1", "[", ""])
@pytest.mark.parametrize("address", ["/", "/api/v1/leagues", "/static/upcard.css", "/metrics"])
def test_who_asks_by_another_name_is_refused(bound: TestClient, host: str, address: str) -> None:
    assert bound.get(address, headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("host", ["[", "a/b", "a b", "\xff", ""])
def test_a_name_that_is_none_is_no_trouble(asks: TestClient, host: str) -> None:
    answer = asks.get("/nothing", headers=[(b"Host", host.encode("latin-1"))])
    assert answer.status_code in {400, 404}

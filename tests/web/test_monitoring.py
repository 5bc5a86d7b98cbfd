"""What monitoring gets: /healthz and /metrics."""

from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from referee.store.leases import lease
from referee.store.opening import open_store
from referee.web.api import create_router
from referee.web.league_cache import LeagueCache
from tests.web import scenes
from tests.web.scenes import CLUB

PAGES = {
    "home": ("/", "/index.html"),
    "league": ("/leagues/club/", "/leagues/new/index.html"),
    "fairness": ("/leagues/club/fairness.html", "/leagues/new/fairness.html"),
    "crosstable": ("/leagues/club/pairings/", "/leagues/new/pairings/index.html"),
    "pairing": ("/leagues/club/pairings/1-2.html", "/leagues/club/pairings/2-3.html"),
    "entrant": ("/leagues/club/entrants/1.html", "/leagues/club/entrants/2.html"),
    "duel": ("/leagues/club/duels/1-2-1.html", "/leagues/club/duels/1-2-2.html"),
    "api": ("/api/", "/api/index.html"),
    "static": ("/static/upcard.css", "/static/replay.js"),
    "one_league": ("/api/v1/leagues/club", "/api/v1/leagues/new"),
}


def samples(asks: TestClient, name: str, **labels: str) -> dict[tuple[str, ...], float]:
    """Return the samples of a metric that have these labels, by the values of the others."""
    return {
        tuple(value for label, value in sample.labels.items() if label not in labels): sample.value
        for family in text_string_to_metric_families(asks.get("/metrics").text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    }


Counts = dict[tuple[str, ...], float]


def counted(asks: TestClient, name: str, *questions: tuple[str, str]) -> Counts:
    """Return by how much the samples of a metric grow with these requests."""
    before = samples(asks, name)
    for method, address in questions:
        asks.request(method, address)
    after = samples(asks, name)
    # Requests of the metrics are counted, too.
    return {
        labels: count - before.get(labels, 0)
        for labels, count in after.items()
        if count != before.get(labels, 0) and labels[0] != "metrics"
    }


def answers(asks: TestClient, *addresses: str) -> Counts:
    return counted(asks, "upcard_web_answers_total", *(("GET", each) for each in addresses))


@pytest.mark.parametrize(("kind", "addresses"), PAGES.items(), ids=PAGES)
def test_answers_are_counted_by_kind_and_not_by_address(
    asks: TestClient, kind: str, addresses: tuple[str, str]
) -> None:
    assert answers(asks, *addresses) == {(kind, "200"): 2}


def test_what_programs_ask_is_counted_apart_from_pages(open_place: Path) -> None:
    with open_store(str(open_place)) as store:
        routes = create_router(LeagueCache(store)).routes
    kinds = {route.name for route in routes if isinstance(route, APIRoute)}
    assert len(kinds) == 7
    assert not kinds & {*PAGES} - {"one_league"}


@pytest.mark.parametrize("address", ["/x", "/y/z.html", "/leagues/club/entrants/x.html", "/a" * 99])
def test_addresses_that_lead_nowhere_are_counted_together(asks: TestClient, address: str) -> None:
    assert answers(asks, address) == {("none", "404"): 1}


def test_what_is_missing_is_counted_with_its_kind(asks: TestClient) -> None:
    questions = ("GET", "/leagues/none/"), ("POST", "/leagues/club/")
    found = counted(asks, "upcard_web_answers_total", *questions)
    assert found == {("league", "404"): 1, ("league", "405"): 1}


def test_how_long_answers_took_is_told_by_kind(asks: TestClient) -> None:
    questions = ("GET", "/leagues/club/"), ("GET", "/leagues/new/")
    assert counted(asks, "upcard_web_seconds_count", *questions) == {("league",): 2}


@pytest.mark.parametrize(
    ("figure", "value"),
    [("planned_duels", 18), ("duels", 12), ("voids", 1), ("faults", 8), ("running", 0)],
)
def test_a_league_is_told_in_figures(asks: TestClient, figure: str, value: int) -> None:
    assert samples(asks, f"upcard_league_{figure}", league="club") == {(): value}


def test_every_league_has_its_figures(asks: TestClient) -> None:
    assert samples(asks, "upcard_league_duels") == {("club",): 12, ("new",): 0, ("empty",): 0}


def test_a_league_that_somebody_runs_is_running(open_place: Path, tmp_path: Path) -> None:
    place = scenes.copied(open_place, tmp_path)
    with open_store(str(place)) as store, lease(store, CLUB.name), scenes.client(store) as asks:
        assert samples(asks, "upcard_league_running") == {("club",): 1, ("new",): 0, ("empty",): 0}


def test_it_is_told_that_all_is_well(asks: TestClient) -> None:
    answer = asks.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "leagues": 3})


def test_all_is_well_in_a_store_without_leagues(tmp_path: Path) -> None:
    with (
        open_store(str(tmp_path / "upcard.db"), create=True) as store,
        scenes.client(store) as asks,
    ):
        assert asks.get("/healthz").json() == {"status": "ok", "leagues": 0}
        assert samples(asks, "upcard_league_duels") == {}


def test_two_applications_count_apart(asks: TestClient, open_place: Path) -> None:
    asks.get("/")
    with scenes.served(open_place) as other:
        assert samples(other, "upcard_web_answers_total") == {}

"""What monitoring gets: /healthz and /metrics."""

from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update
from starlette.requests import Request
from starlette.testclient import TestClient

from referee.store.database import writing
from referee.store.leases import lease
from referee.store.opening import open_store
from referee.store.rows import LEASE
from referee.web.api import router
from referee.web.app import create_app
from referee.web.league_cache import LeagueCache
from referee.web.monitoring import Metrics
from tests.web import scenes
from tests.web.scenes import CLUB

PAGES = {
    "home": ("/", "/index.html"),
    "league": ("/leagues/club/", "/leagues/new/index.html"),
    "fairness": ("/leagues/club/fairness.html", "/leagues/new/fairness.html"),
    "game": ("/leagues/club/game.html", "/leagues/new/game.html"),
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


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "addresses"), PAGES.items(), ids=PAGES)
def test_answers_are_counted_by_kind_and_not_by_address(
    asks: TestClient, kind: str, addresses: tuple[str, str]
) -> None:
    assert answers(asks, *addresses) == {(kind, "200"): 2}


def test_what_programs_ask_is_counted_apart_from_pages() -> None:
    kinds = {route.name for route in router.routes if isinstance(route, APIRoute)}
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
    [
        *(("planned_duels", 18), ("duels", 12), ("missing_duels", 6), ("unplayed_duels", 0)),
        *(("voids", 1), ("faults", 8), ("entrants", 3), ("running", 0)),
    ],
)
def test_a_league_is_told_in_figures(asks: TestClient, figure: str, value: int) -> None:
    assert samples(asks, f"upcard_league_{figure}", league="club") == {(): value}


def test_every_league_has_its_figures(asks: TestClient) -> None:
    assert samples(asks, "upcard_league_duels") == {("club",): 12, ("new",): 0, ("empty",): 0}


def test_a_league_that_somebody_runs_is_running(open_place: Path, tmp_path: Path) -> None:
    place = scenes.copied(open_place, tmp_path)
    with open_store(str(place)) as store, lease(store, CLUB.name), scenes.client(store) as asks:
        assert samples(asks, "upcard_league_running") == {("club",): 1, ("new",): 0, ("empty",): 0}


def test_a_league_that_is_over_misses_nothing(asks_over: TestClient) -> None:
    assert samples(asks_over, "upcard_league_missing_duels", league="cup") == {(): 0}


@pytest.mark.parametrize(("state", "value"), [("open", 0), ("complete", 1), ("closed", 0)])
def test_a_league_is_in_one_state(asks_over: TestClient, state: str, value: int) -> None:
    assert samples(asks_over, "upcard_league_state", league="cup", state=state) == {(): value}


def test_what_is_in_a_log_is_counted_by_kind(asks: TestClient) -> None:
    counts = samples(asks, "upcard_league_log_entries_total", league="club")
    found = {kind: count for (kind,), count in counts.items()}
    assert found == {"created": 1, "run": 1, "epoch": 1, "duel": 12, "void": 1}


def test_what_is_appended_to_a_log_is_counted_once(open_place: Path, tmp_path: Path) -> None:
    place = scenes.copied(open_place, tmp_path)
    with open_store(str(place)) as store, lease(store, "new") as ours:
        metrics = Metrics(LeagueCache(store, clock=lambda: 0.0), show_hosts=False)
        for _ in range(2):
            ours.log("stopped", {"why": "asked"})
            found = bytes(metrics.metrics(Request({"type": "http"})).body).decode()
    assert 'upcard_league_log_entries_total{kind="stopped",league="new"} 2.0' in found


def test_a_run_tells_when_it_was_last_heard_of(open_place: Path, tmp_path: Path) -> None:
    place = scenes.copied(open_place, tmp_path)
    with open_store(str(place)) as store, lease(store, CLUB.name), scenes.client(store) as asks:
        with writing(store) as connection:
            connection.execute(update(LEASE).values(heartbeat=LEASE.c.heartbeat - 1e6))
        (age,) = samples(asks, "upcard_league_run_heartbeat_age_seconds", league="club").values()
        assert age >= 1e6


@pytest.mark.slow
@pytest.mark.parametrize(("show", "hosts"), [(True, {("far", "club", "7"): 1}), (False, {})])
def test_only_on_request_it_is_told_which_machine_runs_a_league(
    open_place: Path, tmp_path: Path, show: bool, hosts: Counts
) -> None:
    place = scenes.copied(open_place, tmp_path)
    with open_store(str(place)) as store, lease(store, CLUB.name):
        with writing(store) as connection:
            connection.execute(update(LEASE).values(host="far", machine="far", pid=7))
        with TestClient(create_app(store, show_hosts=show)) as asks:
            assert samples(asks, "upcard_league_run_host") == hosts


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

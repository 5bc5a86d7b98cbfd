"""What nobody may learn from a page, from the API, or from the metrics."""

import os
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from referee.scheduling.round_robin import pairings
from referee.store.database import writing
from referee.store.leases import lease, lease_holder
from referee.store.opening import open_store
from referee.store.rows import LEASE
from tests.cli.leagues import SEED
from tests.web import scenes
from tests.web.scenes import CLUB, CUP, EMPTY, EVIDENCE, NEW, Answers, League

HOST = "machine-of-ada.example"
REST = ("/metrics", "/healthz", "/api/v1/leagues")


def for_programs(league: League) -> list[str]:
    """Return all that programs can ask about a league."""
    numbers = range(1, league.entrants + 1)
    pairs = [f"pairings/{one}-{other}/duels" for one, other in pairings(numbers)]
    return [
        f"/api/v1/leagues/{league.name}{what}"
        for what in (
            "",
            "/history",
            "/crosstable",
            *(f"/entrants/{number}" for number in numbers),
            *(f"/{pair}" for pair in pairs),
            *(f"/{pair}/{number}" for pair in pairs for number in range(1, league.duels + 1)),
        )
    ]


@pytest.fixture(scope="module")
def everything(asks: TestClient, answers: Answers) -> Mapping[str, bytes]:
    """Read all that can be read about leagues that are open."""
    programs = [address for each in (CLUB, NEW, EMPTY) for address in for_programs(each)]
    read = {address: asks.get(address) for address in (*programs, *REST)}
    assert {answer.status_code for answer in read.values()} == {200}
    return {address: answer.content for address, answer in {**answers, **read}.items()}


@pytest.fixture(scope="module")
def running(open_place: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Serve a league that somebody runs on a machine of that name."""
    place = scenes.copied(open_place, tmp_path_factory.mktemp("running"))
    with open_store(str(place)) as store, lease(store, CLUB.name):
        with writing(store) as connection:
            connection.execute(update(LEASE).values(host=HOST))
        assert HOST in (lease_holder(store, CLUB.name) or "")
        with scenes.client(store) as asks:
            yield asks


@pytest.mark.parametrize(
    "seed", [SEED, SEED.hex().encode(), SEED.hex().upper().encode()], ids=["bytes", "hex", "HEX"]
)
def test_the_seed_of_an_open_league_is_told_nowhere(
    everything: Mapping[str, bytes], seed: bytes
) -> None:
    assert [address for address, content in everything.items() if seed in content] == []


@pytest.mark.parametrize("address", ["/leagues/cup/fairness.html", "/api/v1/leagues/cup"])
def test_the_seed_of_a_league_that_is_over_is_told(asks_over: TestClient, address: str) -> None:
    assert SEED.hex() in asks_over.get(address).text


def test_the_commitment_to_the_seed_is_told_from_the_first_deal_on(asks: TestClient) -> None:
    (epoch,) = asks.get("/api/v1/leagues/club").json()["epochs"]
    assert epoch["commitment"] in asks.get("/leagues/club/fairness.html").text


def test_nothing_of_what_a_bot_wrote_or_was_asked_is_told(everything: Mapping[str, bytes]) -> None:
    assert [address for address, content in everything.items() if EVIDENCE in content] == []


@pytest.mark.parametrize("what", ["upcard.db", "bot.py", "pytest"])
def test_no_file_of_the_organiser_is_named(everything: Mapping[str, bytes], what: str) -> None:
    named = [address for address, content in everything.items() if what.encode() in content]
    assert [address for address in named if not address.startswith("/static/")] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/leagues/club/",
        "/leagues/club/fairness.html",
        "/leagues/club/pairings/",
        "/leagues/club/pairings/1-2.html",
        "/leagues/club/entrants/1.html",
        "/leagues/club/duels/1-2-1.html",
        *for_programs(CLUB),
        *REST,
    ],
)
def test_who_runs_a_league_is_not_told(running: TestClient, address: str) -> None:
    answer = running.get(address)
    assert answer.status_code == 200
    for word in (HOST, f"process {os.getpid()}", f"on {socket.gethostname()} since"):
        assert word not in answer.text


def test_that_somebody_runs_a_league_is_told(running: TestClient, asks: TestClient) -> None:
    assert "not running at the moment" in asks.get("/leagues/club/").text
    assert "not running at the moment" not in running.get("/leagues/club/").text


def test_the_name_of_the_server_is_not_told(asks: TestClient) -> None:
    assert "server" not in asks.get("/").headers


@pytest.mark.parametrize("address", for_programs(CUP))
def test_all_of_a_league_that_is_over_is_told_to_programs(
    asks_over: TestClient, address: str
) -> None:
    assert asks_over.get(address).status_code == 200

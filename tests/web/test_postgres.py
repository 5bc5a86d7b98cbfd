"""Pages of a store on a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from starlette.testclient import TestClient

from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.leagues import begin_epoch, league
from referee.store.leases import lease
from referee.store.opening import open_store
from referee.store.play import packed
from tests.store import scenes as stored
from tests.store.saving import save_duel
from tests.store.server import server
from tests.web import scenes

CUP: Final = "/leagues/cup"


@pytest.fixture(scope="module")
def asks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Serve a league in which two have played."""
    directory = tmp_path_factory.mktemp("postgres")
    with (
        server() as address,
        open_store(address, create=True, files=directory / "files") as store,
        scenes.client(store) as client,
    ):
        write(store, directory)
        yield client


def write(store: Store, directory: Path) -> None:
    stored.cup(store, directory)
    key = DuelKey(1, 2, 0)
    with lease(store, "cup") as ours:
        begin_epoch(store, ours, stored.SEED, seed_given=False, now=stored.NOW)
        cup = league(store, "cup")
        play = packed(stored.played(cup.plan.terms.game, cup.dealt(key)))
        save_duel(store, ours, stored.duel(cup, key, stored.fault(), play=play), stored.HELD)


def test_every_page_is_there(asks: TestClient) -> None:
    answers = scenes.crawled(asks)
    assert f"{CUP}/duels/1-2-1.html" in answers
    assert {answer.status_code for answer in answers.values()} == {200}


@pytest.mark.parametrize(
    "address", ["", "/history", "/crosstable", "/entrants/2", "/pairings/1-2/duels/1"]
)
def test_programs_are_told(asks: TestClient, address: str) -> None:
    assert asks.get(f"/api/v1{CUP}{address}").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/leagues/%00/",
        "/api/v1/leagues/%00",
        "/leagues/%00/live",
        "/leagues/%ff/",
        f"{CUP}/entrants/999999999.html",
        f"{CUP}/duels/1-2-999999999.html",
        f"/api/v1{CUP}/pairings/1-2/duels/1000000000",
    ],
)
def test_what_no_server_could_be_asked_is_nowhere(asks: TestClient, address: str) -> None:
    assert asks.get(address).status_code == 404


def test_all_is_well(asks: TestClient) -> None:
    assert asks.get("/healthz").json() == {"status": "ok", "leagues": 1}

"""By whom a league is dealt, on its pages and in the API."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.arena.limits import Terms
from referee.beacon import Round
from referee.engine.dealing import nonce_hash
from referee.league.entries import start_league
from referee.store.epochs import OpeningChoices, bring, reveal, state
from referee.store.leagues import begin_epoch, league, set_state
from referee.store.leases import Lease, lease
from referee.store.models import Epoch, Opening, Plan
from referee.store.opening import open_store
from referee.store.statement import promise
from tests.cli.leagues import SEED
from tests.table import euchre
from tests.web import scenes

BEACON = Round("quicknet", 1000)
SIGNATURE = (
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b1957"
    "6350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
)
BEFORE = BEACON.due - timedelta(hours=1)
LABEL = "with 1 author's nonce and public randomness (quicknet round 1000)"


@pytest.fixture
def own(open_place: Path, tmp_path: Path) -> Iterator[Lease]:
    """Hold a league whose opening statement names a round and the hash of a nonce."""
    place = scenes.copied(open_place, tmp_path / "copy")
    with open_store(str(place)) as store:
        promises = {"ada": promise("hea<b>ds"), "bert": promise(hashed=nonce_hash("tails"))}
        plan = Plan(Terms(euchre()), 4, 128)
        names = ["ada", "bert"]
        start_league(store, "cup", plan, names, BEFORE, promises=promises, beacon=BEACON)
        with lease(store, "cup") as held:
            state(held, league(store, "cup"), OpeningChoices(None), BEFORE)
            yield held


def dealt(own: Lease) -> Epoch:
    reveal(own.store, league(own.store, "cup"), 2, "tails", BEFORE)
    bring(own.store, league(own.store, "cup"), SIGNATURE, BEFORE)
    (epoch,) = begin_epoch(own.store, own, SEED, seed_given=False, now=BEFORE).epochs
    return epoch


def pending(own: Lease) -> Opening:
    found = league(own.store, "cup").pending
    assert found
    return found


def page(own: Lease, name: str) -> str:
    with scenes.client(own.store) as asks:
        return asks.get(f"/leagues/cup/{name}").text


def report(own: Lease) -> Any:  # noqa: ANN401 (as it comes)
    with scenes.client(own.store) as asks:
        return asks.get("/api/v1/leagues/cup").json()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "fairness.html"])
def test_pages_say_by_whom_a_league_is_dealt(own: Lease, name: str) -> None:
    dealt(own)
    assert LABEL.replace("'", "&#39;") in page(own, name)


def test_the_page_has_all_that_was_mixed_in(own: Lease) -> None:
    epoch = dealt(own)
    shown = page(own, "fairness.html")
    assert epoch.opening
    for each in (epoch.opening.digest, epoch.commitment, SIGNATURE, "tails", "hea&lt;b&gt;ds"):
        assert each
        assert each in shown


@pytest.mark.slow
def test_secret_and_seed_are_shown_only_once_they_are_revealed(own: Lease) -> None:
    epoch = dealt(own)
    both = (epoch.secret.hex(), epoch.seed.hex())
    assert not [each for each in both if each in page(own, "fairness.html") + str(report(own))]
    set_state(own.store, own, "closed")
    assert [each for each in both if each in page(own, "fairness.html")] == [*both]


def test_what_is_promised_is_shown_before_it_is_dealt(own: Lease) -> None:
    shown = page(own, "fairness.html")
    digest = pending(own).digest
    assert digest
    assert digest in shown
    assert pending(own).commitment in shown


def test_what_is_promised_is_in_the_api(own: Lease) -> None:
    found = report(own)
    assert (found["deals"], found["epochs"]) == ("not dealt yet", [])
    assert found["pending"] == {
        "number": 1,
        "statement": pending(own).digest,
        "commitment": pending(own).commitment,
        "beacon": {
            "network": "quicknet",
            "round": 1000,
            "due": "2023-08-23T15:59:24+00:00",
            "signature": None,
            "checked": False,
        },
    }


def test_what_was_mixed_in_is_in_the_api(own: Lease) -> None:
    dealt(own)
    found = report(own)
    (epoch,) = found["epochs"]
    assert found["deals"] == f"dealt {LABEL}"
    assert epoch["nonces"] == {"1": "hea<b>ds", "2": "tails"}
    assert (epoch["beacon"]["signature"], epoch["beacon"]["checked"]) == (SIGNATURE, True)

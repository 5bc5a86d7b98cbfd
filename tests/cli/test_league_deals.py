"""`upcard league open`, `reveal` and `beacon`: a league whose deals nobody chose alone."""

import json
import sys
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from py_ecc.bls.g2_primitives import G1_to_pubkey, G2_to_signature
from py_ecc.bls.hash_to_curve import hash_to_G1
from py_ecc.optimized_bls12_381 import G2, multiply

from referee.beacon import NETWORKS, Round
from referee.engine.dealing import mixed_seed, nonce_hash
from referee.examination.admission import candidates
from referee.store.bots import add_bot
from referee.store.opening import open_store
from tests.cli.bots import FIRST, run, write_bot
from tests.cli.conftest import Upcard

# py_ecc raises it so far that tests of deep JSON, run in this process later, end it.
sys.setrecursionlimit(1000)

KEY = 4711
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
LIMITS = ("--duels", 1, "--decision-limit", 20, "--ready-limit", 60)


def signature_of(chosen: Round) -> str:
    """Sign a round as the network would if its key were `KEY`."""
    message = sha256(chosen.number.to_bytes(8)).digest()
    signed: bytes = G1_to_pubkey(multiply(hash_to_G1(message, DOMAIN, sha256), KEY))
    return signed.hex()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the key of `quicknet` by ours, so that a test can sign rounds to come."""
    ours = NETWORKS["quicknet"]._replace(public_key=bytes(G2_to_signature(multiply(G2, KEY))))
    monkeypatch.setattr("referee.beacon.NETWORKS", {**NETWORKS, "quicknet": ours})


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory whose store has the bots one and two."""
    monkeypatch.chdir(tmp_path)
    bots = (("one", FIRST), ("two", "return legal[-1]"))
    written = [write_bot(tmp_path / name, choose, name=name) for name, choose in bots]
    with (
        open_store(str(tmp_path / "upcard.db"), create=True) as store,
        candidates(written, datetime.now(UTC)) as handed_in,
    ):
        for candidate in handed_in:
            add_bot(store, candidate.bot, candidate.entrant.bundle)
    return tmp_path


def create(upcard: Upcard, *words: object) -> None:
    bots = ("--bot", "one", "--bot", "two")
    assert upcard("league", "create", "cup", *bots, *LIMITS, *words).code == 0


def status(upcard: Upcard) -> Any:  # noqa: ANN401 (as it comes)
    (found,) = json.loads(upcard("league", "status", "--json").out)
    return found


def pending_round(upcard: Upcard) -> Round:
    beacon = status(upcard)["pending"]["beacon"]
    return Round(beacon["network"], beacon["round"])


@pytest.mark.slow
@pytest.mark.usefixtures("network")
def test_a_league_is_dealt_by_its_authors_and_a_beacon(upcard: Upcard, place: Path) -> None:
    create(
        upcard,
        *("--nonce", "one=heads", "--nonce-hash", f"two={nonce_hash('tails')}"),
        *("--beacon", "quicknet:in=30m"),
    )
    opened = json.loads(upcard("league", "open", "cup", "--json").out)
    assert upcard("league", "reveal", "cup", "two", "tails").code == 0
    chosen = pending_round(upcard)
    said = upcard("league", "beacon", "cup", signature_of(chosen))
    assert said.out == f"{chosen}: checked; upcard league run cup\n"
    played = run(place, "league", "run", "cup", "--json")
    assert played.code == 0
    label = f"dealt with 1 author's nonce and public randomness ({chosen})"
    (epoch,) = played.json()["epochs"]
    assert played.json()["deals"] == label
    assert epoch["statement"] == opened["digest"]
    randomness = sha256(bytes.fromhex(signature_of(chosen))).digest()
    seed = mixed_seed(bytes.fromhex(epoch["secret"]), {1: "heads", 2: "tails"}, randomness)
    assert epoch["seed"] == seed.hex()
    assert upcard("league", "export", "cup", place / "out").code == 0
    said = upcard("verify", place / "out", "--require", "statement,log,complete")
    assert said.code == 0, said.out


@pytest.mark.usefixtures("place")
def test_a_statement_is_printed_with_its_digest_and_what_comes_next(upcard: Upcard) -> None:
    create(upcard, "--nonce-hash", f"two={nonce_hash('tails')}")
    said = upcard("league", "open", "cup")
    statement, digest, publish, waits = said.out.splitlines()
    assert digest == f"its digest: {sha256(statement.encode()).hexdigest()}"
    assert publish.startswith("publish both where everybody can see when that was")
    assert waits.startswith("the nonce of two is not revealed; upcard league reveal cup two NONCE")


@pytest.mark.usefixtures("place")
def test_a_league_that_waits_for_nobody_is_run_next(upcard: Upcard) -> None:
    create(upcard)
    assert upcard("league", "open", "cup").out.endswith("run it: upcard league run cup\n")


@pytest.mark.usefixtures("place")
def test_what_is_awaited_is_in_the_status(upcard: Upcard) -> None:
    create(upcard, "--beacon", "quicknet:in=2h")
    digest = json.loads(upcard("league", "open", "cup", "--json").out)["digest"]
    said = upcard("league", "status", "cup").out
    assert "\nnot dealt yet\n" in said
    assert f"\nopening statement {digest}\n" in said
    assert "\nit waits for quicknet round " in said
    assert status(upcard)["pending"]["statement"] == digest


@pytest.mark.usefixtures("place")
def test_who_is_created_with_a_promise_is_opened_next(upcard: Upcard) -> None:
    words = ("--bot", "one", "--bot", "two", "--beacon", "quicknet:in=2h")
    said = upcard("league", "create", "cup", *words)
    assert said.out == "cup: 2 entrants; open it: upcard league open cup\n"


@pytest.mark.slow
@pytest.mark.usefixtures("place")
def test_it_is_not_run_before_it_is_opened(upcard: Upcard) -> None:
    create(upcard, "--beacon", "quicknet:in=2h")
    said = upcard("league", "run", "cup")
    assert (said.code, "upcard league open cup" in said.err) == (2, True)


@pytest.mark.slow
@pytest.mark.usefixtures("place")
def test_what_drand_serves_is_read_from_a_file(upcard: Upcard, place: Path, network: None) -> None:
    del network
    create(upcard, "--beacon", "quicknet:in=2h")
    upcard("league", "open", "cup")
    chosen = pending_round(upcard)
    served = {"round": chosen.number, "signature": signature_of(chosen)}
    (place / "round.json").write_text(json.dumps(served))
    said = upcard("league", "beacon", "cup", "round.json")
    assert said.out == f"{chosen}: checked; upcard league run cup\n"


@pytest.mark.usefixtures("place")
def test_what_nothing_can_check_is_taken_on_the_organisers_word(
    upcard: Upcard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.beacon.can_check", lambda: False)
    create(upcard, "--beacon", "quicknet:in=2h")
    upcard("league", "open", "cup")
    said = upcard("league", "beacon", "cup", "ab" * 48)
    assert "taken on your word, and every table says so, since py_ecc is missing" in said.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ab" * 48, "signature: is not that of quicknet round"),
        ("nowhere.json", "signature: must be hexadecimal digits"),
        ("x" * 300, "signature: must be hexadecimal digits"),
        ('{"round": 7}', "round: is 7, but should be"),
    ],
)
@pytest.mark.usefixtures("place")
def test_what_did_not_come_out_of_the_round_is_refused(upcard: Upcard, text: str, why: str) -> None:
    create(upcard, "--beacon", "quicknet:in=2h")
    upcard("league", "open", "cup")
    said = upcard("league", "beacon", "cup", text)
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert why in said.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--nonce", "one"), "a nonce is brought as BOT=TEXT"),
        (("--nonce", "one=a", "--nonce", "one=b"), "two nonces are brought for 'one'"),
        (("--nonce", "one="), "a nonce is a line of at most 200 characters"),
        (("--nonce-hash", "one=abc"), "the hash of a nonce is 64"),
        (("--nonce", "zoe=a"), "a nonce is brought for 'zoe', which is not entered"),
        (("--beacon", "nist:7"), "a round of a beacon is NETWORK:ROUND"),
        (("--beacon", "quicknet:1000"), "quicknet round 1000 was out at"),
    ],
)
@pytest.mark.usefixtures("place")
def test_what_cannot_be_mixed_in_is_refused(
    upcard: Upcard, words: tuple[str, ...], why: str
) -> None:
    said = upcard("league", "create", "cup", "--bot", "one", *words)
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert why in said.err


@pytest.mark.usefixtures("place")
def test_who_enters_later_brings_a_nonce(upcard: Upcard) -> None:
    upcard("league", "create", "cup", "--bot", "one")
    assert upcard("league", "add-bot", "cup", "two", "--nonce", "hearts").code == 0
    said = json.loads(upcard("league", "open", "cup", "--json").out)["statement"]
    assert [each["nonce"] for each in said["entrants"]] == [None, "hearts"]


@pytest.mark.usefixtures("place")
def test_what_bots_may_lack_is_in_the_statement(upcard: Upcard) -> None:
    create(upcard)
    said = upcard("league", "open", "cup", "--accept-weak", "own-uid", "--json").out
    assert json.loads(said)["statement"]["sandbox"]["accepted"] == ["own-uid"]

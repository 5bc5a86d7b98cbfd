"""What epochs are dealt from: drawn before anything is known of what will be mixed in."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import update

from referee.beacon import Round, Signed
from referee.engine.dealing import commitment, nonce_hash
from referee.errors import ConfigError, FileError
from referee.store.chain import canonical_json
from referee.store.database import Store, writing
from referee.store.epochs import OpeningChoices, bring, reveal, state
from referee.store.leagues import (
    begin_epoch,
    create_league,
    enter,
    league,
    reinstate,
    set_state,
    withdraw,
)
from referee.store.leases import Lease, lease
from referee.store.log import LogEntry, entries
from referee.store.models import League, Opening
from referee.store.rows import OPENING
from referee.store.statement import (
    NO_PROMISE,
    Promise,
    Required,
    deals_text,
    dealt_by,
    promise,
)
from tests.store import scenes
from tests.store.scenes import NOW, SEED

REQUIRED = Required(("disk", "network", "own-uid"), ("own-uid",))
# A round of long ago, since what came out of it is known.
BEACON = Round("quicknet", 1000)
SIGNATURE = (
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b1957"
    "6350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
)
BEFORE = datetime(2023, 8, 23, 15, 30, tzinfo=UTC)
WORD = "on the organiser's word"
DIGESTS = [scenes.bot(number).digest for number in (1, 2, 3)]


def created(store: Store, tmp_path: Path, **promised: Promise) -> League:
    """Create a league of three bots; the names of promises are those of the bots."""
    scenes.cup(store, tmp_path, name="bots")
    promises = {DIGESTS["abc".index(name)]: each for name, each in promised.items()}
    return create_league(
        store, "cup", scenes.plan(), DIGESTS, BEFORE, promises=promises, beacon=BEACON
    )


@pytest.fixture
def own(store: Store, tmp_path: Path) -> Iterator[Lease]:
    """Hold a league with a nonce, the hash of one, and a round that is mixed in."""
    created(store, tmp_path, a=promise("heads"), b=promise(hashed=nonce_hash("tails")))
    with lease(store, "cup") as held:
        yield held


def cup(own: Lease) -> League:
    return league(own.store, "cup")


def pending(own: Lease) -> Opening:
    found = cup(own).pending
    assert found
    return found


def stated(own: Lease, choices: OpeningChoices | None = None) -> Opening:
    state(own, cup(own), choices or OpeningChoices(REQUIRED), BEFORE)
    return pending(own)


def logged(own: Lease, kind: str) -> list[LogEntry]:
    return [entry for entry in entries(own.store, "cup") if entry.kind == kind]


def test_the_secret_is_committed_to_as_the_league_is_created(own: Lease) -> None:
    (entry,) = logged(own, "created")
    assert entry.body["commitment"] == commitment(pending(own).secret)


def test_each_league_has_a_secret_of_its_own(store: Store, own: Lease) -> None:
    other = create_league(store, "other", scenes.plan(), [], NOW).pending
    assert other
    assert other.secret != pending(own).secret


def test_nothing_is_stated_before_it_is_published(own: Lease) -> None:
    assert pending(own) == Opening(1, pending(own).secret, BEFORE, BEACON)


def test_what_authors_bring_is_stored(own: Lease) -> None:
    brought = [(entry.nonce, entry.nonce_hash) for entry in cup(own).entries]
    assert brought == [("heads", None), (None, nonce_hash("tails")), (None, None)]


def test_a_statement_says_all_that_is_promised(own: Lease) -> None:
    opening = stated(own)
    assert opening.statement
    said = json.loads(opening.statement)
    entrants = said.pop("entrants")
    assert said == {
        "format": "upcard-statement-v1",
        "name": "cup",
        "epoch": 1,
        "game": "euchre",
        "rules": said["rules"],
        "limits": {"decision": 0.5, "ready": 3.0, "bank": 20.0, "increment": 0.25},
        "policy": {"forfeit_at": 3},
        "tables": 32,
        "at_least": 1,
        "beat": 0.05,
        "strict": True,
        "duels": 100,
        "until": {"confidence": 0.95, "by": "points", "top": None, "method": 2},
        "sandbox": {"required": ["disk", "network", "own-uid"], "accepted": ["own-uid"]},
        "commitment": opening.commitment,
        "seed_given": False,
        "beacon": {"network": "quicknet", "round": 1000, "due": "2023-08-23T15:59:24+00:00"},
        "created": "2023-08-23T15:30:00+00:00",
        "opened": "2023-08-23T15:30:00+00:00",
    }
    brought = [(each["number"], each["nonce"], each["nonce_hash"]) for each in entrants]
    assert brought == [(1, "heads", None), (2, None, nonce_hash("tails")), (3, None, None)]


def test_a_statement_is_canonical_json(own: Lease) -> None:
    statement = stated(own).statement
    assert statement
    assert canonical_json(json.loads(statement)).decode() == statement


def test_a_statement_is_in_the_log_with_its_digest(own: Lease) -> None:
    opening = stated(own)
    (entry,) = logged(own, "opened")
    statement = json.loads(opening.statement or "")
    assert entry.body == {"epoch": 1, "digest": opening.digest, "statement": statement}


def test_a_seed_that_somebody_chose_is_what_is_committed_to(own: Lease) -> None:
    opening = stated(own, OpeningChoices(None, SEED))
    said = json.loads(opening.statement or "")
    assert (said["commitment"], said["seed_given"]) == (commitment(SEED), True)


def test_without_a_sandbox_a_statement_requires_nothing(own: Lease) -> None:
    assert json.loads(stated(own, OpeningChoices(None)).statement or "")["sandbox"] is None


def test_a_round_is_chosen_anew_with_the_statement(own: Lease) -> None:
    later = Round("default", 5_000_000)
    assert stated(own, OpeningChoices(REQUIRED, beacon=later)).beacon == later


def test_nobody_enters_between_the_statement_and_the_deals(own: Lease, tmp_path: Path) -> None:
    stated(own)
    scenes.cup(own.store, tmp_path, entrants=4, name="more")
    with pytest.raises(ConfigError, match=r"^the opening statement of cup is published"):
        enter(own.store, "cup", scenes.bot(4).digest)


def test_who_is_entered_meanwhile_is_in_no_statement(own: Lease, tmp_path: Path) -> None:
    before = cup(own)
    scenes.cup(own.store, tmp_path, entrants=4, name="more")
    enter(own.store, "cup", scenes.bot(4).digest)
    with pytest.raises(ConfigError, match=r"^somebody was entered in cup just now"):
        state(own, before, OpeningChoices(REQUIRED), BEFORE)


def test_a_nonce_is_revealed_after_the_statement(own: Lease) -> None:
    stated(own)
    reveal(own.store, cup(own), 2, "tails", BEFORE)
    assert cup(own).nonces(0) == {1: "heads", 2: "tails"}


def test_a_revealed_nonce_is_in_the_log_once(own: Lease) -> None:
    stated(own)
    before = cup(own)
    reveal(own.store, before, 2, "tails", BEFORE)
    reveal(own.store, before, 2, "tails", BEFORE)
    assert [entry.body for entry in logged(own, "revealed")] == [{"entrant": 2, "nonce": "tails"}]


def test_a_statement_has_no_nonce_whose_hash_it_has(own: Lease) -> None:
    opening = stated(own)
    reveal(own.store, cup(own), 2, "tails", BEFORE)
    assert pending(own).statement == opening.statement


def test_a_nonce_is_not_revealed_before_the_statement(own: Lease) -> None:
    with pytest.raises(ConfigError, match=r"^a nonce is revealed after the opening statement"):
        reveal(own.store, cup(own), 2, "tails", BEFORE)


def test_another_nonce_than_was_promised_is_refused(own: Lease) -> None:
    stated(own)
    with pytest.raises(ConfigError, match=r"^this is not the nonce of bot-2: its hash is not "):
        reveal(own.store, cup(own), 2, "heads", BEFORE)


def test_who_promised_no_nonce_reveals_none(own: Lease) -> None:
    stated(own)
    with pytest.raises(ConfigError, match=r"^no hash was brought for bot-3"):
        reveal(own.store, cup(own), 3, "heads", BEFORE)


def test_no_nonce_is_revealed_once_the_deals_are_drawn(own: Lease) -> None:
    stated(own)
    withdraw(own.store, "cup", 2, BEFORE)
    begin_epoch(own.store, own, SEED, seed_given=False, now=BEFORE)
    with pytest.raises(ConfigError, match=r"^the deals of bot-2 are drawn already$"):
        reveal(own.store, cup(own), 2, "tails", BEFORE)


def test_a_nonce_that_comes_too_late_for_a_reader_is_not_stored(own: Lease) -> None:
    stated(own)
    before = cup(own)
    begin_epoch(own.store, own, SEED, seed_given=False, now=BEFORE)
    reveal(own.store, before, 2, "tails", BEFORE)
    assert cup(own).nonces(1) == {1: "heads"}


@pytest.mark.slow
def test_what_came_out_of_a_round_is_checked_and_stored(own: Lease) -> None:
    stated(own)
    found = bring(own.store, cup(own), SIGNATURE, NOW)
    assert (found.signed, found.checked) == (Signed(bytes.fromhex(SIGNATURE)), True)
    assert pending(own) == found


def test_what_came_out_of_a_round_is_in_the_log(own: Lease) -> None:
    stated(own)
    bring(own.store, cup(own), SIGNATURE, NOW)
    (entry,) = logged(own, "beacon")
    assert entry.body == {
        "epoch": 1,
        "network": "quicknet",
        "round": 1000,
        "signature": SIGNATURE,
        "previous_signature": "",
        "checked": True,
    }


def test_what_cannot_be_checked_is_on_the_organisers_word(
    own: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated(own)
    monkeypatch.setattr("referee.beacon.can_check", lambda: False)
    assert not bring(own.store, cup(own), SIGNATURE, NOW).checked


@pytest.mark.parametrize("text", ["aa", '{"round": 999}', SIGNATURE[:-2] + "38"])
def test_what_did_not_come_out_of_the_round_is_refused(own: Lease, text: str) -> None:
    stated(own)
    with pytest.raises(ConfigError, match=r"^this did not come out of quicknet round 1000: "):
        bring(own.store, cup(own), text, NOW)


def test_a_round_is_brought_once(own: Lease) -> None:
    stated(own)
    bring(own.store, cup(own), SIGNATURE, NOW)
    with pytest.raises(ConfigError, match=r"^cup has quicknet round 1000 already; run it$"):
        bring(own.store, cup(own), SIGNATURE, NOW)


def test_nothing_is_brought_before_the_statement(own: Lease) -> None:
    with pytest.raises(ConfigError, match=r"^cup waits for no round of a beacon$"):
        bring(own.store, cup(own), SIGNATURE, NOW)


def test_an_epoch_has_what_it_was_dealt_from(own: Lease) -> None:
    opening = stated(own)
    found = begin_epoch(own.store, own, SEED, seed_given=False, now=NOW)
    (epoch,) = found.epochs
    assert (epoch.opening, epoch.seed, epoch.commitment) == (opening, SEED, opening.commitment)
    assert found.pending is None


def test_of_an_epoch_that_nothing_was_stated_of_the_seed_is_the_secret(own: Lease) -> None:
    (epoch,) = begin_epoch(own.store, own, SEED, seed_given=True, now=NOW).epochs
    assert (epoch.opening, epoch.secret) == (None, SEED)


def test_the_next_secret_is_drawn_with_the_first_who_enters_later(
    own: Lease, tmp_path: Path
) -> None:
    stated(own)
    begin_epoch(own.store, own, SEED, seed_given=False, now=NOW)
    scenes.cup(own.store, tmp_path, entrants=5, name="more")
    enter(own.store, "cup", scenes.bot(4).digest, promised=promise("hearts"))
    first = pending(own)
    enter(own.store, "cup", scenes.bot(5).digest)
    assert pending(own) == first
    body = {"epoch": 2, "commitment": first.commitment}
    assert [entry.body for entry in logged(own, "committed")] == [body]
    assert cup(own).nonces(0) == {4: "hearts"}


def test_a_later_statement_is_about_those_who_came_later(own: Lease, tmp_path: Path) -> None:
    stated(own)
    begin_epoch(own.store, own, SEED, seed_given=False, now=NOW)
    scenes.cup(own.store, tmp_path, entrants=4, name="more")
    enter(own.store, "cup", scenes.bot(4).digest)
    said = json.loads(stated(own).statement or "")
    assert (said["epoch"], [each["number"] for each in said["entrants"]]) == (2, [4])


@pytest.mark.parametrize(
    "columns", [{"network": "nist"}, {"round": 0}, {"round": None}, {"number": 2}]
)
def test_a_damaged_opening_is_refused(own: Lease, columns: dict[str, object]) -> None:
    with writing(own.store) as connection:
        connection.execute(update(OPENING).where(OPENING.c.league == own.league).values(**columns))
    with pytest.raises(FileError):
        cup(own)


def test_a_nonce_and_a_hash_are_not_brought_together() -> None:
    with pytest.raises(ConfigError, match=r"^a nonce is brought, or its hash"):
        promise("heads", nonce_hash("heads"))


@pytest.mark.parametrize("nonce", ["", "x" * 201, "two\nlines", "\0", "\ud800", "\u202e"])
def test_what_is_no_line_is_no_nonce(nonce: str) -> None:
    with pytest.raises(ConfigError, match=r"^a nonce is a line of at most 200 characters, not "):
        promise(nonce)


@pytest.mark.parametrize("hashed", ["", "f" * 63, "F" * 64, "g" * 64])
def test_what_is_no_hash_is_refused(hashed: str) -> None:
    with pytest.raises(ConfigError, match=r"^the hash of a nonce is 64 lower-case hexadecimal"):
        promise(hashed=hashed)


def test_who_brings_nothing_promises_nothing() -> None:
    assert promise() == NO_PROMISE


@pytest.mark.parametrize(
    ("nonces", "beacon", "checked", "text"),
    [
        (0, None, False, "dealt by the organiser alone"),
        (1, None, False, "dealt with 1 author's nonce"),
        (3, None, False, "dealt with 3 authors' nonces"),
        (0, BEACON, True, "dealt with public randomness (quicknet round 1000)"),
        (
            2,
            BEACON,
            False,
            f"dealt with 2 authors' nonces and public randomness ({BEACON}, {WORD})",
        ),
    ],
)
def test_it_is_said_by_whom_an_epoch_is_dealt(
    nonces: int, beacon: Round | None, checked: bool, text: str
) -> None:
    assert dealt_by(nonces, beacon, checked=checked) == text


def test_before_it_is_dealt_nothing_is_said(own: Lease) -> None:
    assert deals_text(cup(own)) is None


def test_epochs_that_are_dealt_alike_are_named_once(store: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup") as held:
        begin_epoch(store, held, SEED, seed_given=False, now=NOW)
        found = begin_epoch(store, held, bytes(32), seed_given=False, now=NOW)
    assert deals_text(found) == "dealt by the organiser alone"


def test_epochs_that_are_dealt_otherwise_are_told_apart(own: Lease) -> None:
    stated(own)
    begin_epoch(own.store, own, SEED, seed_given=False, now=NOW)
    found = begin_epoch(own.store, own, bytes(32), seed_given=False, now=NOW)
    assert deals_text(found) == (
        "epoch 1 dealt with public randomness (quicknet round 1000, on the organiser's word); "
        "epoch 2 dealt by the organiser alone"
    )


def closed(own: Lease) -> None:
    set_state(own.store, own, "closed")


def test_no_nonce_is_revealed_after_the_end(own: Lease) -> None:
    stated(own)
    before = cup(own)
    closed(own)
    with pytest.raises(ConfigError, match=r"^cup is closed, so nothing more is dealt"):
        reveal(own.store, before, 2, "tails", BEFORE)
    assert logged(own, "revealed") == []


def test_no_round_is_brought_after_the_end(own: Lease) -> None:
    stated(own)
    closed(own)
    with pytest.raises(ConfigError, match=r"^cup is closed, so nothing more is dealt"):
        bring(own.store, cup(own), SIGNATURE, BEFORE)
    assert logged(own, "beacon") == []


def test_who_was_dealt_without_the_nonce_it_promised_stays_out(own: Lease) -> None:
    stated(own)
    withdraw(own.store, "cup", 2, BEFORE)
    begin_epoch(own.store, own, SEED, seed_given=False, now=NOW)
    with pytest.raises(ConfigError, match=r"^bot-2 was withdrawn before its nonce was revealed"):
        reinstate(own.store, "cup", 2)


def test_a_seed_is_not_dealt_from_that_lacks_what_came_meanwhile(own: Lease) -> None:
    stated(own)
    before = cup(own)
    reveal(own.store, before, 2, "tails", BEFORE)
    with pytest.raises(ConfigError, match=r"^cup was changed just now; do this again$"):
        begin_epoch(own.store, own, SEED, seed_given=False, now=NOW, drawn_for=before)
    assert cup(own).epochs == ()


@pytest.fixture
def unchecked(own: Lease, monkeypatch: pytest.MonkeyPatch) -> Lease:
    """Bring a wrong signature of the round where none can be checked."""
    stated(own)
    with monkeypatch.context() as without:
        without.setattr("referee.beacon.can_check", lambda: False)
        bring(own.store, cup(own), "00" * 48, BEFORE)
    return own


def test_what_could_not_be_checked_is_replaced_before_it_is_dealt(unchecked: Lease) -> None:
    replaced = bring(unchecked.store, cup(unchecked), SIGNATURE, BEFORE)
    assert replaced.checked
    assert pending(unchecked).signed == replaced.signed
    brought = [entry.body["checked"] for entry in logged(unchecked, "beacon")]
    assert brought == [False, True]


def test_a_round_that_another_brought_meanwhile_is_brought_once(unchecked: Lease) -> None:
    before = cup(unchecked)
    bring(unchecked.store, before, SIGNATURE, BEFORE)
    with pytest.raises(ConfigError, match=r"^cup has quicknet round 1000 already; run it"):
        bring(unchecked.store, before, SIGNATURE, BEFORE)


def test_after_the_deals_a_round_is_not_replaced(unchecked: Lease) -> None:
    before = cup(unchecked)
    begin_epoch(unchecked.store, unchecked, SEED, seed_given=False, now=NOW)
    with pytest.raises(ConfigError, match=r"^cup has quicknet round 1000 already"):
        bring(unchecked.store, before, SIGNATURE, BEFORE)

"""What is found wrong with the statements that opened a league, and with seeds mixed by them."""

import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from referee.beacon import Round, Signed
from referee.cli.on_trust import on_trust
from referee.engine.dealing import mixed_seed, nonce_hash
from referee.publication.export import export
from referee.publication.verification import VerificationRequest
from referee.store.chain import canonical_json, isolation_digest
from referee.store.models import Epoch, Isolation, League, Opening
from referee.store.statement import Required
from tests.publication.exports import (
    HELD,
    NOW,
    SEEDS,
    LogWriter,
    checked,
    exported,
    forged_league,
    forged_log,
    league,
    logged,
    opened,
    place,
    sealed,
    wrong,
)

ROUND = Round("quicknet", 1000)
SIGNED = Signed(
    bytes.fromhex(
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b1957"
        "6350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
    )
)
STATED = ROUND.due - timedelta(minutes=30)
DEALT = ROUND.due + timedelta(minutes=1)


def shared() -> League:
    """Make a league into whose first seed two nonces and a round are mixed."""
    found = league(duels=1, target=1)
    ann, bob, cid = found.entries
    entries = (
        ann._replace(nonce="heads"),
        bob._replace(nonce="tails", nonce_hash=nonce_hash("tails")),
        cid,
    )
    seed = mixed_seed(SEEDS[0], {1: "heads", 2: "tails"}, SIGNED.randomness)
    opening = Opening(1, SEEDS[0], STATED, ROUND, signed=SIGNED, checked=True)
    first = Epoch(1, seed, False, DEALT, True, opening)
    later = found.epochs[1]._replace(opened=DEALT)
    return found._replace(entries=entries, epochs=(first, later), created=STATED)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write an export of such a league."""
    directory = tmp_path_factory.mktemp("sound") / "out"
    export(directory, logged(exported(shared()), STATED))
    return directory


@pytest.fixture
def out(sound: Path, tmp_path: Path) -> Path:
    """Copy the export, to be forged."""
    return copytree(sound, tmp_path / "out")


def statement(directory: Path) -> Any:  # noqa: ANN401 # JSON
    return json.loads((directory / "statement.json").read_text())


def test_a_seed_that_follows_from_what_was_mixed_is_sound(out: Path) -> None:
    report = checked(out, VerificationRequest(required=["statement", "log"]))
    assert (report.failures, report.unchecked, [*report.stated]) == ([], [], [1, 2])


def test_the_digest_of_the_statement_can_be_compared(out: Path) -> None:
    digest = sha256((out / "statement.json").read_bytes()).hexdigest()
    assert checked(out).found["statement"] == digest
    report = checked(out, VerificationRequest(statement=digest))
    assert (report.outcome, report.compared) == ("verified", ["statement"])


def test_the_digest_of_a_later_statement_can_be_compared(out: Path) -> None:
    digest = checked(out).stated[2]
    assert checked(out, VerificationRequest(statement=digest)).outcome == "verified"


def test_another_statement_than_the_published_one_is_found(out: Path) -> None:
    (failure,) = checked(out, VerificationRequest(statement="1" * 64)).failures
    assert str(failure).endswith(f", not {'1' * 64}")


def test_a_nonce_that_the_organiser_knew_before_is_named_as_that(out: Path) -> None:
    report = checked(out)
    assert report.league
    assert (
        "the deals of epoch 1: dealt with 1 author's nonce and public randomness (quicknet round "
        "1000); that its statement was public before that came out; 1 nonce is mixed in that the "
        "organiser knew before"
    ) in [*on_trust(report, report.league)]


def test_where_nothing_checks_signatures_they_are_taken_on_trust(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.beacon.can_check", lambda: False)
    report = checked(out)
    assert (report.failures, report.unchecked) == ([], [1])


def _restate(directory: Path, change: Callable[[Any], None]) -> Path:
    """Publish another statement, wherever it is written, as a forger would."""
    said = statement(directory)
    change(said)
    data = canonical_json(said)
    (directory / "statement.json").write_bytes(data)

    def replace(entries: list[Any]) -> None:
        entry = next(entry for entry in entries if entry["kind"] == "opened")
        entry.update(statement=said, digest=sha256(data).hexdigest())

    return forged_log(directory, replace)


def _plan_more(said: Any) -> None:  # noqa: ANN401 # JSON
    said["duels"] = 2


def _allow_longer(said: Any) -> None:  # noqa: ANN401 # JSON
    said["limits"]["decision"] = 2.0


def _invite_fewer(said: Any) -> None:  # noqa: ANN401 # JSON
    del said["entrants"][1]


def _invite_another(said: Any) -> None:  # noqa: ANN401 # JSON
    said["entrants"][0]["digest"] = "0" * 64


def _commit_to_another(said: Any) -> None:  # noqa: ANN401 # JSON
    said["commitment"] = "0" * 64


def _bring_another_nonce(said: Any) -> None:  # noqa: ANN401 # JSON
    said["entrants"][0]["nonce"] = "edge"


def _hash_another_nonce(said: Any) -> None:  # noqa: ANN401 # JSON
    said["entrants"][1]["nonce_hash"] = nonce_hash("edge")


def _choose_another_round(said: Any) -> None:  # noqa: ANN401 # JSON
    said["beacon"]["round"] = 1001


def _choose_no_round(said: Any) -> None:  # noqa: ANN401 # JSON
    said["beacon"] = None


def _state_after_the_round(said: Any) -> None:  # noqa: ANN401 # JSON
    said["opened"] = ROUND.due.isoformat()


def _require_more(said: Any) -> None:  # noqa: ANN401 # JSON
    said["sandbox"]["required"].append("no-telepathy")


def _mix_into_a_given_seed(said: Any) -> None:  # noqa: ANN401 # JSON
    said["seed_given"] = True


def _be_strict(said: Any) -> None:  # noqa: ANN401 # JSON
    said["strict"] = True


def _say_more(said: Any) -> None:  # noqa: ANN401 # JSON
    said["prize"] = "a cup"


FORGED = [
    (_plan_more, "line 2: statement.duels: is 2, but should be 1"),
    (_allow_longer, "line 2: statement.limits: is "),
    (_invite_fewer, "line 2: statement.entrants: is 1, but should be 2"),
    (_invite_another, "line 2: statement.entrants[0].digest: is "),
    (_commit_to_another, "line 2: statement.commitment: is "),
    (
        _bring_another_nonce,
        'line 2: statement.entrants[0].nonce: is "edge", but should be "heads"',
    ),
    (_hash_another_nonce, "line 2: statement.entrants[1].nonce_hash: is "),
    (_choose_another_round, "line 2: statement.beacon.due: is "),
    (_choose_no_round, "line 4: epoch: has no statement before this that names a round"),
    (_state_after_the_round, "line 2: statement.opened: is "),
    (_mix_into_a_given_seed, "line 2: statement.seed_given: is true, though others take part"),
    (_require_more, "line 11: duel: 1-2/1 was played without no-telepathy, which its statement"),
    (_be_strict, "line 2: statement.strict: is true, but should be false"),
    (_say_more, "line 2: statement.prize: is unknown"),
]


@pytest.mark.parametrize(
    ("change", "says"), FORGED, ids=[change.__name__.strip("_") for change, _ in FORGED]
)
def test_a_forged_statement_is_found_and_named(
    out: Path, change: Callable[[Any], None], says: str
) -> None:
    assert wrong(_restate(out, change)).startswith(f"log.jsonl, {says}")


def _change_nonce(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][1]["nonce"] = "edge"


def _forget_nonce(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][1]["nonce"] = None


def _bring_nonce_later(document: Any) -> None:  # noqa: ANN401 # JSON
    document["entrants"][2]["nonce"] = "edge"


def _change_signature(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["beacon"]["signature"] = "b4" + "00" * 47


def _choose_round_afterwards(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["beacon"]["round"] = 1001


def _mix_nothing(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["seed"] = document["epochs"][0]["secret"]


def _hide_secret(document: Any) -> None:  # noqa: ANN401 # JSON
    document["epochs"][0]["secret"] = None


MIXED = [
    (_change_nonce, "log.jsonl, line 2: statement.entrants[1].nonce_hash: is "),
    (_forget_nonce, 'log.jsonl, line 3: nonce: is "tails", but should be null'),
    (
        _bring_nonce_later,
        'log.jsonl, line 8: statement.entrants[0].nonce: is null, but should be "edge"',
    ),
    (_change_signature, "log.jsonl, line 5: epoch: has another round than was brought before"),
    (
        _choose_round_afterwards,
        "log.jsonl, line 5: epoch: has another round than was brought before",
    ),
    (_mix_nothing, "league.json: epochs[0].seed: is "),
    (_hide_secret, "league.json: epochs[0].secret: is out where its seed is, and only there"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "says"), MIXED, ids=[change.__name__.strip("_") for change, _ in MIXED]
)
def test_what_was_not_mixed_as_stated_is_found_and_named(
    out: Path, change: Callable[[Any], None], says: str
) -> None:
    failures = map(str, checked(forged_league(out, change)).failures)
    assert any(failure.startswith(says) for failure in failures)


def _change_signature_everywhere(entries: list[Any]) -> None:
    entries[place(entries, "beacon")]["signature"] = "b4" + "00" * 47


def test_a_signature_that_is_not_of_the_round_is_found(out: Path) -> None:
    forged_log(out, _change_signature_everywhere)
    said = wrong(forged_league(out, _change_signature))
    assert said.startswith("league.json: epochs[0].beacon.signature: is not that of quicknet")


def test_a_file_of_another_statement_than_the_log_has_is_found(out: Path) -> None:
    said = statement(out) | {"duels": 2}
    (out / "statement.json").write_bytes(canonical_json(said))
    assert wrong(sealed(out)).startswith("statement.json: its digest is ")


def test_a_statement_that_was_taken_out_is_missed(out: Path) -> None:
    (out / "statement.json").unlink()
    assert wrong(sealed(out)) == "statement.json: is missing, though the log has it"


def _take_out(kind: str) -> Callable[[list[Any]], None]:
    def change(entries: list[Any]) -> None:
        entries[:] = [entry for entry in entries if entry["kind"] != kind]

    return change


def _swap(one: str, other: str) -> Callable[[list[Any]], None]:
    """Return a change that moves the first entry of a kind right behind the first of another."""

    def change(entries: list[Any]) -> None:
        entry = entries.pop(place(entries, one))
        entries.insert(place(entries, other) + 1, entry)

    return change


def _state_again(entries: list[Any]) -> None:
    entries.insert(2, {**entries[1]})


def _state_one_that_never_comes(entries: list[Any]) -> None:
    entry = entries[place(entries, "opened")]
    said = entry["statement"] | {"epoch": 3}
    digest = sha256(canonical_json(said)).hexdigest()
    entries.append({**entry, "epoch": 3, "statement": said, "digest": digest})


def _bring_another_round(entries: list[Any]) -> None:
    entries[place(entries, "beacon")]["round"] = 1001


def _commit_late(entries: list[Any]) -> None:
    entries.insert(place(entries, "epoch") + 1, {**entries[place(entries, "committed")]})


IN_DISORDER = {
    "an epoch without a statement": (
        lambda entries: entries.remove(entries[place(entries, "opened", 1)]),
        "line 8: epoch: is 2, which no statement before this opened",
    ),
    "a statement again": (
        _state_again,
        "line 3: epoch: was opened before; a statement is published once",
    ),
    "a statement that is later than its epoch": (
        _swap("opened", "epoch"),
        "line 2: entrant: is 2, whose nonce no statement before this promises",
    ),
    "a statement of an epoch that never comes": (
        _state_one_that_never_comes,
        "statement.entrants: must be a list of at most 0",
    ),
    "a nonce that is later than its epoch": (
        _swap("revealed", "epoch"),
        "line 4: entrants: have 2, whose nonce was not revealed before this",
    ),
    "a nonce that was never revealed": (
        _take_out("revealed"),
        "line 4: entrants: have 2, whose nonce was not revealed before this",
    ),
    "a nonce before its statement": (
        _swap("opened", "revealed"),
        "line 2: entrant: is 2, whose nonce no statement before this promises",
    ),
    "a round before its statement": (
        lambda entries: entries.insert(1, entries.pop(place(entries, "beacon"))),
        "line 2: epoch: has no statement before this that names a round",
    ),
    "a round that is later than its epoch": (
        _swap("beacon", "epoch"),
        "line 4: epoch: waits for quicknet round 1000, which was not brought before this",
    ),
    "another round": (_bring_another_round, "line 4: round: is 1001, but should be 1000"),
    "a commitment to an epoch that has begun": (
        _commit_late,
        "line 7: epoch: had a commitment before",
    ),
}


@pytest.mark.parametrize("what", IN_DISORDER)
def test_what_comes_too_early_or_too_late_is_found(out: Path, what: str) -> None:
    change, says = IN_DISORDER[what]
    assert says in wrong(forged_log(out, change))


def test_a_round_that_was_brought_before_it_was_due_is_found(tmp_path: Path) -> None:
    early = STATED - timedelta(hours=1)
    export(tmp_path / "out", logged(exported(shared()._replace(created=early)), early))
    said = wrong(tmp_path / "out")
    assert said.startswith("log.jsonl, line 4: at: is ")
    assert said.endswith(", earlier than quicknet round 1000 was due")


def test_the_statement_of_the_epoch_to_come_is_in_an_honest_log(tmp_path: Path) -> None:
    found = league("open")
    entries = tuple(entry._replace(epoch=0) for entry in found.entries)
    whole = logged(exported(found._replace(entries=entries, epochs=())))
    log = LogWriter()
    for entry in whole.log:
        log.add(entry.kind, entry.body)
    epoch = opened(log, whole.league, found.epochs[0], entries, NOW)
    waiting = whole.league._replace(pending=epoch.opening)
    export(tmp_path / "out", whole._replace(league=waiting, log=log.entries))
    report = checked(tmp_path / "out", VerificationRequest(required=["statement"]))
    assert (report.failures, [*report.stated]) == ([], [1])


def test_each_duel_is_held_to_the_statement_of_its_own_epoch(tmp_path: Path) -> None:
    whole = logged(exported(league()), required={1: None, 2: Required(("no-network",))})
    unsandboxed = Isolation(False, False, ())
    log = LogWriter()
    early = [duel for duel in whole.duels if max(duel.key[:2]) < 3]
    for entry in whole.log:
        if entry.kind == "opened" and entry.body["epoch"] == 2:
            digest = isolation_digest(False, False, ())
            log.add("run", {"version": "0.1.0", "isolation": digest})
            for each in whole.log:
                if each.kind == "duel" and each.body["duel"][:2] == [1, 2]:
                    log.add("duel", each.body)
        if entry.kind != "duel" or entry.body["duel"][:2] != [1, 2]:
            log.add(entry.kind, entry.body, entry.at)
    isolations = [(unsandboxed, len(early)), (HELD, 6 - len(early))]
    export(tmp_path / "out", whole._replace(log=log.entries, isolations=isolations))
    assert checked(tmp_path / "out").failures == []

"""What is found wrong with the statements that opened a league, and with seeds mixed by them."""

import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from referee.beacon import Round, Signed
from referee.engine.dealing import mixed_seed, nonce_hash
from referee.publication.export import export
from referee.publication.verification import Asked
from referee.store.chain import canonical_json
from referee.store.models import Epoch, League, Opening
from tests.publication.exports import (
    SEEDS,
    checked,
    exported,
    forged_league,
    forged_log,
    league,
    logged,
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


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Write an export of such a league."""
    export(tmp_path / "out", logged(exported(shared()), STATED))
    return tmp_path / "out"


def statement(directory: Path) -> Any:  # noqa: ANN401 # JSON
    return json.loads((directory / "statement.json").read_text())


def test_a_seed_that_follows_from_what_was_mixed_is_sound(out: Path) -> None:
    report = checked(out, Asked(required=["statement", "log"]))
    assert (report.failures, report.unchecked, [*report.stated]) == ([], [], [1, 2])


def test_the_digest_of_the_statement_can_be_compared(out: Path) -> None:
    digest = sha256((out / "statement.json").read_bytes()).hexdigest()
    assert checked(out).found["statement"] == digest
    report = checked(out, Asked(statement=digest))
    assert (report.outcome, report.compared) == ("verified", ["statement"])


def test_the_digest_of_a_later_statement_can_be_compared(out: Path) -> None:
    digest = checked(out).stated[2]
    assert checked(out, Asked(statement=digest)).outcome == "verified"


def test_another_statement_than_the_published_one_is_found(out: Path) -> None:
    (failure,) = checked(out, Asked(statement="1" * 64)).failures
    assert str(failure).endswith(f", not {'1' * 64}")


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


def _be_strict(said: Any) -> None:  # noqa: ANN401 # JSON
    said["strict"] = True


def _say_more(said: Any) -> None:  # noqa: ANN401 # JSON
    said["prize"] = "a cup"


FORGED = [
    (_plan_more, "epochs[0].statement.duels: is 2, but should be 1"),
    (_allow_longer, "epochs[0].statement.limits: is "),
    (_invite_fewer, "epochs[0].statement.entrants: is 1, but should be 2"),
    (_invite_another, "epochs[0].statement.entrants[0].digest: is "),
    (_commit_to_another, "epochs[0].statement.commitment: is "),
    (
        _bring_another_nonce,
        'epochs[0].statement.entrants[0].nonce: is "edge", but should be "heads"',
    ),
    (_hash_another_nonce, "epochs[0].statement.entrants[1].nonce_hash: is "),
    (_choose_another_round, "epochs[0].statement.beacon.round: is 1001, but should be 1000"),
    (_choose_no_round, "epochs[0].statement.beacon: must be a JSON object"),
    (_state_after_the_round, "epochs[0].statement.beacon.round: was out when the statement was"),
    (_require_more, "epochs[0].statement.sandbox.required: has no-telepathy, without which"),
    (_be_strict, "epochs[0].statement.strict: is true, but should be false"),
    (_say_more, "epochs[0].statement.prize: is unknown"),
]


@pytest.mark.parametrize(
    ("change", "says"), FORGED, ids=[change.__name__.strip("_") for change, _ in FORGED]
)
def test_a_forged_statement_is_found_and_named(
    out: Path, change: Callable[[Any], None], says: str
) -> None:
    assert wrong(_restate(out, change)).startswith(f"league.json: {says}")


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
    (_change_nonce, "epochs[0].statement.entrants[1].nonce_hash: is "),
    (_forget_nonce, "epochs[0].statement.entrants[1].nonce_hash: is of a nonce that was never"),
    (_bring_nonce_later, 'epochs[1].statement.entrants[0].nonce: is null, but should be "edge"'),
    (_change_signature, "epochs[0].beacon.signature: is not that of quicknet round 1000"),
    (_choose_round_afterwards, "epochs[0].statement.beacon.round: is 1000, but should be 1001"),
    (_mix_nothing, "epochs[0].seed: is "),
    (_hide_secret, "epochs[0].secret: is out where its seed is, and only there"),
]


@pytest.mark.parametrize(
    ("change", "says"), MIXED, ids=[change.__name__.strip("_") for change, _ in MIXED]
)
def test_what_was_not_mixed_as_stated_is_found_and_named(
    out: Path, change: Callable[[Any], None], says: str
) -> None:
    failures = map(str, checked(forged_league(out, change)).failures)
    assert any(failure.startswith(f"league.json: {says}") for failure in failures)


def test_a_file_of_another_statement_than_the_log_has_is_found(out: Path) -> None:
    said = statement(out) | {"duels": 2}
    (out / "statement.json").write_bytes(canonical_json(said))
    assert wrong(sealed(out)).startswith("statement.json: its digest is ")


def test_a_statement_that_was_taken_out_is_missed(out: Path) -> None:
    (out / "statement.json").unlink()
    assert wrong(sealed(out)) == "statement.json: is missing, though the log has it"


def test_a_statement_that_was_never_published_is_no_statement(out: Path) -> None:
    def forget(entries: list[Any]) -> None:
        entries[:] = [entry for entry in entries if entry["kind"] != "opened"]

    assert wrong(forged_log(out, forget)).startswith("statement.json: its digest is ")


def test_a_statement_is_published_once(out: Path) -> None:
    def again(entries: list[Any]) -> None:
        place = next(n for n, entry in enumerate(entries) if entry["kind"] == "opened")
        entries.insert(place, {**entries[place]})

    said = wrong(forged_log(out, again))
    assert said.endswith("epoch: was opened before; a statement is published once")


def test_a_nonce_that_was_never_revealed_is_not_mixed_in(out: Path) -> None:
    def forget(entries: list[Any]) -> None:
        entries[:] = [entry for entry in entries if entry["kind"] != "revealed"]

    assert wrong(forged_log(out, forget)) == (
        'league.json: epochs[0].nonce: is null, but should be "tails"'
    )

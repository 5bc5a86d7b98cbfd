"""Checks the statements that opened the epochs of a league, and the seeds that follow from them.

A statement says before the first duel what is played, by whom, and what is mixed into the seed.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee import json_fields
from referee.beacon import Round, Signed, check_signed
from referee.engine.dealing import mixed_seed, nonce_hash
from referee.errors import RecordError
from referee.json_fields import expect, instant
from referee.json_forms import terms_as_json, until_as_json
from referee.publication.export import LEAGUE_FILE, STATEMENT_FILE
from referee.publication.league import ExportedEpoch, ExportedLeague
from referee.publication.verification_files import LARGEST, VerificationFailure, whole
from referee.publication.verification_league import refuse_earlier
from referee.publication.verification_log import Logged

_FORMAT: Final = "upcard-statement-v1"
_FIELDS: Final = (
    *("format", "name", "epoch", "game", "rules", "limits", "policy", "tables", "at_least", "beat"),
    *("strict", "duels", "until", "entrants", "sandbox", "commitment", "seed_given", "beacon"),
    *("created", "opened"),
)
_ENTRANT: Final = ("number", "name", "version", "author", "digest", "nonce", "nonce_hash")


class Statements(NamedTuple):
    """What was found of statements."""

    digests: Mapping[int, str]
    """Of each epoch that was opened by one."""
    unchecked: Sequence[int]
    """Epochs whose public randomness is mixed in, and whose signature nothing here can check."""
    failures: Sequence[VerificationFailure]


def check_statements(
    directory: Path, league: ExportedLeague, logged: Logged, *, has_file: bool
) -> Statements:
    """Check every statement against the league, and every seed against its statement."""
    failures = []
    unchecked = []
    try:
        _check_first(directory, logged, has_file=has_file)
    except RecordError as error:
        failures.append(VerificationFailure(STATEMENT_FILE, None, error.field, error.reason))
    for epoch in league.epochs:
        try:
            _check_stated(league, epoch, logged)
            if not _check_seed(league, epoch, logged):
                unchecked.append(epoch.number)
        except RecordError as error:
            where = f"epochs[{epoch.number - 1}].{error.field}"
            failures.append(VerificationFailure(LEAGUE_FILE, None, where, error.reason))
    digests = {number: stated.digest for number, stated in logged.stated.items() if stated.digest}
    return Statements(digests, unchecked, failures)


def _check_first(directory: Path, logged: Logged, *, has_file: bool) -> None:
    """Refuse a file that is not the statement of the first epoch, as the log has it."""
    stated = logged.epoch(1).digest
    if not has_file:
        if stated:
            raise RecordError("", "is missing, though the log has it")
        return
    data = whole(directory, STATEMENT_FILE, LARGEST)
    found = sha256(data).hexdigest()
    if found != stated:
        raise RecordError("", f"its digest is {found}, but the log has {stated or 'none'}")


def _check_stated(league: ExportedLeague, epoch: ExportedEpoch, logged: Logged) -> None:
    """Refuse an epoch in which anything is not as it was stated."""
    stated = logged.epoch(epoch.number)
    if stated.statement is None:
        if epoch.beacon:
            raise RecordError("beacon", "is in no statement, and so nobody was told of it before")
        return
    said = json_fields.fields(stated.statement, "statement", _FIELDS)
    expected = {
        "format": _FORMAT,
        "name": league.name,
        "epoch": epoch.number,
        **terms_as_json(league.terms),
        "strict": league.terms.beat > 0,
        "duels": league.duels,
        "until": league.until and until_as_json(league.until),
        "commitment": epoch.commitment,
        "seed_given": epoch.given,
    }
    for name, value in expected.items():
        expect(f"statement.{name}", said[name], value)
    _check_entrants(league, epoch, said["entrants"])
    _check_moments(league, epoch, said)
    _check_round(epoch, said["beacon"], said["opened"])
    _check_sandbox(league, said["sandbox"])


def _check_entrants(league: ExportedLeague, epoch: ExportedEpoch, read: object) -> None:
    field = "statement.entrants"
    entrants = [each for each in league.entrants if each.epoch == epoch.number]
    stated = json_fields.items(read, field, len(entrants))
    expect(field, len(stated), len(entrants))
    for (inside, each), entrant in zip(stated, entrants, strict=True):
        found = json_fields.fields(each, inside, _ENTRANT)
        for name in _ENTRANT[:-2]:
            expect(f"{inside}.{name}", found[name], getattr(entrant, name))
        expect(f"{inside}.nonce_hash", found["nonce_hash"], entrant.nonce_hash)
        if entrant.nonce_hash is None:
            expect(f"{inside}.nonce", found["nonce"], entrant.nonce)
        elif entrant.nonce is not None:
            expect(f"{inside}.nonce_hash", entrant.nonce_hash, nonce_hash(entrant.nonce))
        elif entrant.withdrawn is None:
            raise RecordError(f"{inside}.nonce_hash", "is of a nonce that was never revealed")


def _check_moments(league: ExportedLeague, epoch: ExportedEpoch, said: Mapping[str, Any]) -> None:
    """Refuse a statement that was not published between the league and its epoch."""
    created = json_fields.moment(said["created"], "statement.created")
    opened = json_fields.moment(said["opened"], "statement.opened")
    expect("statement.created", instant(created) == instant(league.created), True)
    refuse_earlier("statement.opened", opened, "the league", instant(league.created))
    refuse_earlier("opened", epoch.opened, "its statement", instant(opened))


def _check_round(epoch: ExportedEpoch, read: object, opened: str) -> None:
    """Refuse a round other than the stated one, or one whose randomness was known by then."""
    if epoch.beacon is None:
        expect("statement.beacon", read, None)
        return
    found = json_fields.fields(read, "statement.beacon", ("network", "round", "due"))
    chosen = Round(epoch.beacon.network, epoch.beacon.round)
    expect("statement.beacon.network", found["network"], chosen.network)
    expect("statement.beacon.round", found["round"], chosen.number)
    due = json_fields.moment(found["due"], "statement.beacon.due")
    expect("statement.beacon.due", instant(due) == chosen.due, True)
    if instant(opened) >= chosen.due:
        raise RecordError("statement.beacon.round", "was out when the statement was published")


def _check_sandbox(league: ExportedLeague, read: object) -> None:
    """Refuse duels that were played with less than was required."""
    field = "statement.sandbox"
    if read is None:
        return
    found = json_fields.fields(read, field, ("required", "accepted"))
    required, accepted = (
        {json_fields.text(each, inside) for inside, each in json_fields.items(found[name], field)}
        for name in ("required", "accepted")
    )
    for each in league.sandboxes:
        levels = {guarantee.name: guarantee.level for guarantee in each.guarantees}
        lacking = [name for name in required - accepted if levels.get(name, "missing") == "missing"]
        if not each.sandboxed or lacking:
            what = ", ".join(sorted(lacking)) or "a sandbox"
            raise RecordError(
                f"{field}.required", f"has {what[:80]}, without which duels were played"
            )


def _check_seed(league: ExportedLeague, epoch: ExportedEpoch, logged: Logged) -> bool:
    """Refuse a seed that does not follow from what was mixed; return whether all was checked."""
    nonces = {
        entrant.number: entrant.nonce
        for entrant in league.entrants
        if entrant.epoch == epoch.number and entrant.nonce is not None
    }
    if nonces and logged.epoch(epoch.number).statement is None:
        raise RecordError("nonce", "is in no statement, and so nobody was told of it before")
    for entrant in league.entrants:
        if entrant.number in nonces and entrant.nonce_hash:
            expect("nonce", logged.nonces.get(entrant.number), entrant.nonce)
    randomness, checked = _randomness(epoch)
    if epoch.secret is not None:
        seed = mixed_seed(epoch.secret, nonces, randomness)
        expect("seed", epoch.seed and epoch.seed.hex(), seed.hex())
    return checked


def _randomness(epoch: ExportedEpoch) -> tuple[bytes, bool]:
    """Return what came out of the round of an epoch, and whether its signature was checked."""
    beacon = epoch.beacon
    if beacon is None:
        return b"", True
    if beacon.signature is None:
        raise RecordError("beacon.signature", "is missing, though the epoch was dealt")
    signed = Signed(bytes.fromhex(beacon.signature), bytes.fromhex(beacon.previous_signature))
    try:
        return signed.randomness, check_signed(Round(beacon.network, beacon.round), signed)
    except RecordError as error:
        raise RecordError(f"beacon.{error.field}", error.reason) from None

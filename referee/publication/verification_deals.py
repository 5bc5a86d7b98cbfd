"""Checks the seeds of a league: each follows from what its statement says is mixed into it."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from referee.beacon import Round, Signed, check_signed
from referee.engine.dealing import mixed_seed
from referee.errors import RecordError
from referee.json_fields import expect
from referee.publication.export import LEAGUE_FILE, STATEMENT_FILE
from referee.publication.league import ExportedEpoch, ExportedLeague
from referee.publication.verification_entries import Logged
from referee.publication.verification_files import LARGEST, VerificationFailure, whole


class Deals(NamedTuple):
    """What was found of statements, and of the seeds that follow from them."""

    digests: Mapping[int, str]
    """Of the statement of each epoch that was opened by one."""
    unchecked: Sequence[int]
    """Epochs whose public randomness is mixed in, and whose signature nothing here can check."""
    failures: Sequence[VerificationFailure]


def check_deals(
    directory: Path, league: ExportedLeague, logged: Logged, *, has_file: bool
) -> Deals:
    """Check every seed against its statement, and the file of the first of those."""
    failures = []
    unchecked = []
    digests = {
        number: epoch.statement.digest for number, epoch in logged.stated.items() if epoch.statement
    }
    try:
        _check_first(directory, digests.get(1), has_file=has_file)
    except RecordError as error:
        failures.append(VerificationFailure(STATEMENT_FILE, None, error.field, error.reason))
    for epoch in league.epochs:
        try:
            if epoch.number not in digests:
                _refuse_mixed(league, epoch)
            if not _check_seed(league, epoch):
                unchecked.append(epoch.number)
        except RecordError as error:
            where = f"epochs[{epoch.number - 1}].{error.field}"
            failures.append(VerificationFailure(LEAGUE_FILE, None, where, error.reason))
    return Deals(digests, unchecked, failures)


def _check_first(directory: Path, stated: str | None, *, has_file: bool) -> None:
    """Refuse a file that is not the statement of the first epoch, as the log has it."""
    if not has_file:
        if stated:
            raise RecordError("", "is missing, though the log has it")
        return
    data = whole(directory, STATEMENT_FILE, LARGEST)
    found = sha256(data).hexdigest()
    if found != stated:
        raise RecordError("", f"its digest is {found}, but the log has {stated or 'none'}")


def _nonces(league: ExportedLeague, epoch: ExportedEpoch) -> dict[int, str]:
    return {
        entrant.number: entrant.nonce
        for entrant in league.entrants
        if entrant.epoch == epoch.number and entrant.nonce is not None
    }


def _refuse_mixed(league: ExportedLeague, epoch: ExportedEpoch) -> None:
    """Refuse that anything is mixed into a seed of which nothing was stated before."""
    mixed = {"beacon": epoch.beacon, "nonce": _nonces(league, epoch)}
    for name, found in mixed.items():
        if found:
            raise RecordError(name, "is in no statement, and so nobody was told of it before")


def _check_seed(league: ExportedLeague, epoch: ExportedEpoch) -> bool:
    """Refuse a seed that does not follow from what was mixed; return whether all was checked."""
    randomness, checked = _randomness(epoch)
    if epoch.secret is not None:
        seed = mixed_seed(epoch.secret, _nonces(league, epoch), randomness)
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

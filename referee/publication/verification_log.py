"""Checks the log of an export: its chain, its entries, and that the league is what they come to.

The log is read first. Its duels are compared one by one as they are played again; whatever is left
then is missing.
"""

from collections import Counter
from pathlib import Path

from referee.errors import RecordError
from referee.json_fields import expect, refuse_other_moment
from referee.publication.duels import ExportedDuel
from referee.publication.export import LEAGUE_FILE, LOG_FILE
from referee.publication.league import WITH_LOG, Exclusion, ExportedLeague
from referee.publication.log_reading import read_log
from referee.publication.verification_entries import Logged, follow
from referee.publication.verification_files import VerificationFailure, opened
from referee.publication.verification_league import named
from referee.scheduling.keys import DuelKey
from referee.store.chain import duel_digest, isolation_digest


def check_log(
    directory: Path, league: ExportedLeague, written_down: str | None
) -> tuple[Logged, list[VerificationFailure]]:
    """Read a log, up to the first entry that makes no sense.

    Args:
        directory: the export.
        league: what it says of the league.
        written_down: a head that somebody wrote down; its entry is remembered.
    """
    logged = Logged({_isolation(held): held for held in league.sandboxes})
    try:
        if league.schema >= WITH_LOG:
            _read(directory, league, logged, written_down)
    except RecordError as error:
        line = logged.entries + 1
        return logged, [VerificationFailure(LOG_FILE, line, error.field, error.reason)]
    failures = []
    for file, check in ((LEAGUE_FILE, _check_secrecy), (LOG_FILE, _check_league)):
        try:
            check(logged, league)
        except RecordError as error:
            failures.append(VerificationFailure(file, None, error.field, error.reason))
    return logged, failures


def _read(
    directory: Path, league: ExportedLeague, logged: Logged, written_down: str | None
) -> None:
    with opened(directory, LOG_FILE) as file:
        for entry in read_log(file):
            follow(logged, league, entry)
            logged.head, logged.entries = entry.head, entry.number
            if entry.head == written_down:
                logged.written_down = entry.number


def _isolation(held: Exclusion) -> str:
    levels = [(each.name, each.level, each.reason) for each in held.guarantees]
    return isolation_digest(held.sandboxed, held.strict, levels)


def _check_secrecy(logged: Logged, league: ExportedLeague) -> None:
    """Refuse that everybody knows a seed from which there may be duels to come."""
    if league.state == "open" and not logged.is_reopened:
        for epoch in league.epochs[-1:]:
            if epoch.seed is not None:
                field = f"epochs[{epoch.number - 1}].seed"
                raise RecordError(field, "is out, though the league is open")


def _check_league(logged: Logged, league: ExportedLeague) -> None:
    """Refuse a league that is not what its log comes to."""
    if logged.began:
        _check_whole(logged, league)
    if logged.epochs:
        expect("epochs", len(league.epochs), logged.epochs)
    _check_statements(logged, league)
    for entrant in league.entrants:
        number, place = entrant.number, f"entrants[{entrant.number - 1}]"
        if number in logged.withdrawn:
            refuse_other_moment(f"{place}.withdrawn", entrant.withdrawn, logged.withdrawn[number])
        expect(f"{place}.suspended", entrant.suspended, logged.suspended.get(number))
        expect(f"{place}.counted_from", entrant.counted_from, logged.counted_from.get(number, 0))
    if logged.state:
        expect("state", league.state, logged.state)


def _check_whole(logged: Logged, league: ExportedLeague) -> None:
    """Refuse what a log that began with the league would have."""
    expect("entrants", [each.digest for each in league.entrants], logged.entrants)
    expect("epochs", len(league.epochs), logged.epochs)
    for place, each in enumerate(league.entrants):
        if each.withdrawn and each.number not in logged.withdrawn:
            raise RecordError(f"entrants[{place}].withdrawn", "is not in the log")
    for number, held in enumerate(league.sandboxes):
        if _isolation(held) not in logged.isolations:
            raise RecordError(f"sandboxes[{number}]", "is not what any run of the log had")


def _check_statements(logged: Logged, league: ExportedLeague) -> None:
    """Refuse what belongs to no epoch, other than to the one that begins next."""
    for number, epoch in logged.stated.items():
        if not epoch.has_begun and number <= len(league.epochs):
            raise RecordError("epoch", f"{number} had begun before what the log says of it")
    for place, each in enumerate(league.entrants):
        if each.nonce_hash and each.nonce is not None and each.number not in logged.nonces:
            raise RecordError(f"entrants[{place}].nonce", "was revealed in no entry of the log")


def check_logged_duel(logged: Logged, duel: ExportedDuel) -> None:
    """Refuse a duel that the log does not have, or has otherwise."""
    digest = logged.duels.pop(duel.key, None)
    if digest is None and not logged.began:
        logged.unlogged += 1
        return
    if digest is None:
        raise RecordError("", f"is not in {LOG_FILE}")
    if digest != duel_digest(duel.key, duel.rooms, duel.faults):
        raise RecordError("", f"is not the duel that {LOG_FILE} has")


def check_rest_of_log(
    logged: Logged, league: ExportedLeague, voids: Counter[DuelKey]
) -> list[VerificationFailure]:
    """Return what the log has and the export lacks, once all duels were compared."""
    failures = []
    for key in logged.duels:
        if not league.is_apart(key):
            reason = f"the duel {named(key)} was played, and is not in the export"
            failures.append(VerificationFailure(LOG_FILE, None, "duel", reason))
            break
    later = {key: times for key, times in logged.voids.items() if not league.is_apart(key)}
    wrong = next((key for key, times in later.items() if voids[key] < times), None)
    if logged.began:
        wrong = wrong or next((key for key in voids if voids[key] != later.get(key)), None)
    if wrong:
        reason = f"{named(wrong)} was void as often as voids.csv does not say"
        failures.append(VerificationFailure(LOG_FILE, None, "void", reason))
    if logged.entries and not logged.began and logged.unlogged > logged.imported:
        reason = f"are {logged.imported}, but {logged.unlogged} duels have no entry"
        failures.append(VerificationFailure(LOG_FILE, 1, "duels", reason))
    return failures

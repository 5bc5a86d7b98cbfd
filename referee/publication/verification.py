"""Checks an export of a league, with nothing else at hand (`docs/verification.md`).

What a stranger wrote is never trusted: sums first, then what each file says, then whether that
follows from what comes before it: decks from the seed, results from the play, tables from results.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, get_args

from referee.errors import RecordError
from referee.publication.export import (
    CROSSTABLE_FILE,
    DUELS_FILE,
    LEAGUE_FILE,
    LOG_FILE,
    RATINGS_FILE,
    STATEMENT_FILE,
    VOIDS_FILE,
)
from referee.publication.league import WITH_LOG, ExportedLeague
from referee.publication.notations import notation_files
from referee.publication.reading import read_league
from referee.publication.verification_deals import Deals, check_deals
from referee.publication.verification_entries import Logged
from referee.publication.verification_files import LARGEST, VerificationFailure, check_sums, whole
from referee.publication.verification_league import (
    Completeness,
    check_completeness,
    check_league,
    check_suspensions,
    rounds_so_far,
)
from referee.publication.verification_log import check_log, check_rest_of_log
from referee.publication.verification_play import VerifiedPlay, Watch, check_play
from referee.publication.verification_tables import check_tables, given_up, read_voids
from referee.scheduling.keys import DuelKey

Requirement = Literal["statement", "log", "complete"]
"""What an export may be required to have, or to be."""
REQUIREMENTS: Final = get_args(Requirement)


class VerificationRequest(NamedTuple):
    """What an export is compared with, and what it has to have."""

    digest: str | None = None
    """That was published of the export."""
    statement: str | None = None
    """The digest that was published of an opening statement."""
    head: str | None = None
    """Of the log, as somebody wrote it down."""
    required: Collection[Requirement] = ()


class Report(NamedTuple):
    """What was checked, and what came of it."""

    league: ExportedLeague | None
    """None where it could not be read."""
    checked: Counter[str]
    """How many of each kind of thing."""
    failures: Sequence[VerificationFailure]
    kinds: Mapping[str, int]
    """Faults of each kind."""
    voids: int
    completeness: Completeness
    found: Mapping[str, str | None]
    """What can be compared with a value published elsewhere; None where an export lacks it."""
    compared: Sequence[str]
    """Which of it was compared."""
    logged: Logged = Logged()
    stated: Mapping[int, str] = MappingProxyType({})
    """The digests of the statements that opened epochs."""
    unchecked: Sequence[int] = ()
    """Epochs whose round of a beacon nothing here can check."""

    @property
    def outcome(self) -> Literal["verified", "consistent", "incomplete", "failed"]:
        """Return what all of it comes to; while seeds are secret, decks cannot be checked."""
        if self.failures or not self.league:
            return "failed"
        if self.league.state == "open":
            return "incomplete"
        return "verified" if self.compared else "consistent"


def verify(directory: Path, asked: VerificationRequest, watch: Watch, now: datetime) -> Report:
    """Check an export; by itself, and by what somebody knows of it from elsewhere."""
    names, digest, failures = check_sums(directory, asked.digest)
    report = Report(
        None,
        Counter(),
        failures,
        {},
        0,
        Completeness(0, 0),
        {"digest": digest, "statement": None, "head": None},
        [name for name in ("digest", "statement", "head") if getattr(asked, name)],
    )
    if failures:
        return report
    try:
        league = read_league(_league_file(directory, names))
        check_league(league, now)
    except RecordError as error:
        failure = VerificationFailure(LEAGUE_FILE, None, error.field, error.reason)
        return report._replace(failures=[failure])
    if failures := [*_check_names(names, league), *_lacking(names, league, asked.required)]:
        return report._replace(failures=failures)
    voids, failures = read_voids(directory, league, now)
    logged, wrong = check_log(directory, league, asked.head)
    league = league._replace(suspends=logged.suspends)
    deals = check_deals(directory, league, logged, has_file=STATEMENT_FILE in names)
    failures += wrong or [*deals.failures, *_other(asked, logged, deals)]
    report = report._replace(
        found={
            "digest": digest,
            "statement": deals.digests.get(1),
            "head": logged.head if logged.entries else None,
        },
        logged=logged,
        stated=deals.digests,
        unchecked=deals.unchecked,
    )
    sound = None if wrong else logged
    played = check_play(directory, league, sound, watch)
    played.checked["files"] = len(names)
    played.checked["commitments"] = sum(epoch.seed is not None for epoch in league.epochs)
    played.failures.extend(failures)
    if sound and not played.failures:
        played.failures.extend(check_rest_of_log(sound, league, Counter(voids)))
    completeness = Completeness(0, 0)
    if not played.failures:
        completeness = _check_rest(directory, league, played, voids, logged)
    return report._replace(
        league=league,
        checked=played.checked,
        failures=played.failures,
        kinds=dict(sorted(played.kinds.items())),
        voids=len(voids),
        completeness=completeness,
    )


def _other(
    asked: VerificationRequest, logged: Logged, deals: Deals
) -> Iterator[VerificationFailure]:
    """Yield what is not what somebody knows from elsewhere."""
    if asked.statement and asked.statement not in deals.digests.values():
        found = ", ".join(deals.digests.values()) or "none"
        reason = f"the digest of the statement is {found}, not {asked.statement}"
        yield VerificationFailure(STATEMENT_FILE, None, "", reason)
    if "log" in asked.required and not logged.began:
        reason = "does not begin with the league, and was required"
        yield VerificationFailure(LOG_FILE, None, "", reason)
    if asked.head and logged.written_down is None:
        reason = (
            f"no entry has the head {asked.head}; one that was written down after an export "
            "may be that of its own entry, which no export has"
        )
        yield VerificationFailure(LOG_FILE, None, "head", reason)


def _lacking(
    names: Sequence[str], league: ExportedLeague, required: Collection[Requirement]
) -> Iterator[VerificationFailure]:
    """Yield what was required and is not there."""
    files = {"statement": STATEMENT_FILE, "log": LOG_FILE}
    for requirement, file in files.items():
        if requirement in required and file not in names:
            yield VerificationFailure(file, None, "", "is missing, and was required")
    if "complete" in required and league.state != "complete":
        reason = f"is {league.state}, and was required to be complete"
        yield VerificationFailure(LEAGUE_FILE, None, "state", reason)


def _league_file(directory: Path, names: Sequence[str]) -> bytes:
    if LEAGUE_FILE not in names:
        raise RecordError("", "is missing; this is no export of a league")
    return whole(directory, LEAGUE_FILE, LARGEST)


def _check_names(names: Sequence[str], league: ExportedLeague) -> list[VerificationFailure]:
    files = {LEAGUE_FILE, DUELS_FILE, RATINGS_FILE, CROSSTABLE_FILE, VOIDS_FILE}
    optional = {STATEMENT_FILE} if league.schema >= WITH_LOG else set()
    if league.schema >= WITH_LOG:
        files.add(LOG_FILE)
    files.update(notation.file for notation in notation_files(league.terms.game))
    missing = [
        VerificationFailure(name, None, "", "is missing") for name in sorted(files - {*names})
    ]
    strange = [
        VerificationFailure(name, None, "", "is no file of an export")
        for name in sorted({*names} - files - optional)
    ]
    return missing + strange


def _check_rest(
    directory: Path,
    league: ExportedLeague,
    played: VerifiedPlay,
    voids: Sequence[DuelKey],
    logged: Logged,
) -> Completeness:
    """Check what takes all duels; where one is wrong, nothing follows from them."""
    compared = check_tables(directory, league, played.results, voids)
    played.checked.update({"ratings": compared.ratings, "cells": compared.cells})
    completeness, rounds = Completeness(0, 0), rounds_so_far(league, logged.rounds)
    try:
        completeness = check_completeness(league, played.results, given_up(voids), rounds)
    except RecordError as error:
        played.failures.append(VerificationFailure(DUELS_FILE, None, error.field, error.reason))
    try:
        check_suspensions(league, played.results, given_up(voids), rounds)
    except RecordError as error:
        played.failures.append(VerificationFailure(LEAGUE_FILE, None, error.field, error.reason))
    played.failures.extend(
        (*_check_sandboxes(league, played), *compared.failures, *played.notation_failures)
    )
    return completeness


def _check_sandboxes(league: ExportedLeague, played: VerifiedPlay) -> list[VerificationFailure]:
    """Compare with what kept the bots apart, unless that was counted while more were played."""
    counted, duels = sum(each.duels for each in league.sandboxes), len(played.results)
    if counted == duels or league.state == "open":
        return []
    reason = f"are of {counted} duels, but {DUELS_FILE} has {duels}"
    return [VerificationFailure(LEAGUE_FILE, None, "sandboxes", reason)]

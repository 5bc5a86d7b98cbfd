"""Publishes a league: a directory from which anybody can check it (`docs/verification.md`).

The same league gives the same bytes, so the digest of an export is known before there is one.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from referee.publication.checksums import SummedFiles, new_directory, sums_only
from referee.publication.duels import ExportedDuel, line
from referee.publication.league import ExportedLeague, league_as_json, public_league
from referee.publication.notations import duel_text, notation_files
from referee.publication.tables import (
    CROSSTABLE,
    RATINGS,
    VOIDS,
    as_csv,
    crosstable_rows,
    rating_rows,
    table_of,
    void_rows,
)
from referee.ratings.results import Result
from referee.store.chain import canonical_json
from referee.store.log import LogEntry, entry_as_json
from referee.store.models import Isolation, League, StoredVoid

LEAGUE_FILE: Final = "league.json"
DUELS_FILE: Final = "duels.jsonl"
RATINGS_FILE: Final = "ratings.csv"
CROSSTABLE_FILE: Final = "crosstable.csv"
VOIDS_FILE: Final = "voids.csv"
LOG_FILE: Final = "log.jsonl"
STATEMENT_FILE: Final = "statement.json"


class Exported(NamedTuple):
    """What an export is made from."""

    league: League
    duels: Iterable[ExportedDuel]
    """In canonical order; gone through once."""
    voids: Sequence[StoredVoid]
    isolations: Sequence[tuple[Isolation, int]]
    """What kept bots apart, and in how many duels."""
    log: Iterable[LogEntry] = ()
    """Likewise."""


def export(directory: Path, exported: Exported) -> str:
    """Write a league to a directory that is new or empty, and return the digest of the export."""
    with new_directory(directory) as files:
        return _write(files, exported)


def digest(exported: Exported) -> str:
    """Return the digest that an export would have."""
    return _write(sums_only(), exported)


def _write(files: SummedFiles, exported: Exported) -> str:
    league = public_league(exported.league, exported.isolations)
    files.write(LEAGUE_FILE, json.dumps(league_as_json(league), indent=2) + "\n")
    files.write(LOG_FILE, "")
    for entry in without_last_exports(exported.log):
        files.write(LOG_FILE, log_line(entry))
    if statement := first_statement(exported.league):
        files.write(STATEMENT_FILE, statement)
    files.write(VOIDS_FILE, as_csv(VOIDS, void_rows(exported.voids)))
    results = _write_duels(files, league, exported.duels)
    table = table_of(league, results, [void.key for void in exported.voids])
    files.write(RATINGS_FILE, as_csv(RATINGS, rating_rows(league, table)))
    files.write(CROSSTABLE_FILE, as_csv(CROSSTABLE, crosstable_rows(league, table)))
    return sha256(files.sums.encode()).hexdigest()


def _write_duels(
    files: SummedFiles, league: ExportedLeague, duels: Iterable[ExportedDuel]
) -> list[Result]:
    notations = notation_files(league.terms.game)
    results = []
    files.write(DUELS_FILE, "")
    for notation in notations:
        files.write(notation.file, notation.heading)
    for number, duel in enumerate(duels, start=1):
        files.write(DUELS_FILE, line(league, duel))
        for notation in notations:
            files.write(notation.file, duel_text(notation, number, duel.rooms))
        results.append(duel.result)
    return results


def without_last_exports(log: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """Yield a log up to the last entry that says more than that the league was exported.

    So exporting a league changes nothing in its next export.
    """
    waiting = []
    for entry in log:
        waiting.append(entry)
        if entry.kind not in {"exported", "imported"}:
            yield from waiting
            waiting.clear()


def log_line(entry: LogEntry) -> str:
    """Write an entry of the log."""
    form = entry_as_json(entry.number, entry.kind, entry.at, entry.body) | {"head": entry.head}
    return canonical_json(form).decode() + "\n"


def first_statement(league: League) -> str | None:
    """Return the statement that opened the first epoch, as it was published; if there is one.

    Those of later epochs are in the log.
    """
    opening = league.epochs[0].opening if league.epochs else league.pending
    return opening.statement if opening else None

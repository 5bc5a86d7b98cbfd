"""Publishes a league: a directory from which anybody can check it (`docs/verification.md`).

The same league gives the same bytes, so the digest of an export can be told before there is one.
"""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from referee.publication.duels import ExportedDuel, line
from referee.publication.files import Sheets, new_directory, unwritten
from referee.publication.league import ExportedLeague, as_json, published
from referee.publication.notations import both, notated
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
from referee.store.models import Isolation, League, StoredVoid

LEAGUE_FILE: Final = "league.json"
DUELS_FILE: Final = "duels.jsonl"
RATINGS_FILE: Final = "ratings.csv"
CROSSTABLE_FILE: Final = "crosstable.csv"
VOIDS_FILE: Final = "voids.csv"


class Exported(NamedTuple):
    """What an export is made from."""

    league: League
    duels: Iterable[ExportedDuel]
    """In canonical order; gone through once."""
    voids: Sequence[StoredVoid]
    held: Sequence[tuple[Isolation, int]]
    """What kept bots apart, and in how many duels."""


def export(directory: Path, exported: Exported) -> str:
    """Write a league to a directory that is new or empty, and give the digest of the export."""
    with new_directory(directory) as sheets:
        return _write(sheets, exported)


def digest(exported: Exported) -> str:
    """Return the digest that an export would have."""
    return _write(unwritten(), exported)


def _write(sheets: Sheets, exported: Exported) -> str:
    league = published(exported.league, exported.held)
    sheets.write(LEAGUE_FILE, json.dumps(as_json(league), indent=2) + "\n")
    sheets.write(VOIDS_FILE, as_csv(VOIDS, void_rows(exported.voids)))
    results = _write_duels(sheets, league, exported.duels)
    table = table_of(league, results, [void.key for void in exported.voids])
    sheets.write(RATINGS_FILE, as_csv(RATINGS, rating_rows(league, table)))
    sheets.write(CROSSTABLE_FILE, as_csv(CROSSTABLE, crosstable_rows(league, table)))
    return sha256(sheets.sums.encode()).hexdigest()


def _write_duels(
    sheets: Sheets, league: ExportedLeague, duels: Iterable[ExportedDuel]
) -> list[Result]:
    files = notated(league.terms.game)
    results = []
    sheets.write(DUELS_FILE, "")
    for file in files:
        sheets.write(file.file, file.heading)
    for number, duel in enumerate(duels, start=1):
        sheets.write(DUELS_FILE, line(league, duel))
        for file in files:
            sheets.write(file.file, both(file, number, duel.rooms))
        results.append(duel.result)
    return results

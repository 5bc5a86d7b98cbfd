"""Checks the tables of an export against its duels."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from referee import json_fields
from referee.arena.limits import MOST_VOIDS
from referee.errors import RecordError
from referee.json_forms import LONGEST_TEXT
from referee.publication.duels import canonical
from referee.publication.export import CROSSTABLE_FILE, RATINGS_FILE, VOIDS_FILE
from referee.publication.league import ExportedLeague
from referee.publication.tables import (
    CROSSTABLE,
    FORMATS,
    MEASURED,
    VOIDS,
    CsvRow,
    crosstable_rows,
    rating_rows,
    table_of,
)
from referee.publication.verification_files import VerificationFailure, opened
from referee.publication.verification_league import refuse_earlier, refuse_future
from referee.ratings.results import Result
from referee.record_file import read_lines
from referee.scheduling.keys import DuelKey, pairing

_DIGITS: Final = 6
_LONGEST_ROW: Final = 1 << 16
"""In bytes; a row has one text of at most `LONGEST_TEXT` characters."""
_MOST_VOIDS: Final = 1 << 20
"""In a league."""


class TableComparison(NamedTuple):
    """How two tables agree with the duels."""

    ratings: int
    """Rows."""
    cells: int
    failures: list[VerificationFailure]


def check_tables(
    directory: Path, league: ExportedLeague, results: Sequence[Result], voids: Sequence[DuelKey]
) -> TableComparison:
    """Compute the tables from the results and compare them, as the version that wrote them did."""
    table = table_of(league, results, voids)
    ratings = list(rating_rows(league, table))
    cells = list(crosstable_rows(league, table))
    failures = [
        *_differing(directory, RATINGS_FILE, tuple(FORMATS[league.schema].ratings), ratings),
        *_differing(directory, CROSSTABLE_FILE, CROSSTABLE, cells),
    ]
    return TableComparison(len(ratings), len(cells), failures)


def given_up(voids: Iterable[DuelKey]) -> list[DuelKey]:
    """Return the duels that were void too often to be played again."""
    return [key for key, times in Counter(voids).items() if times >= MOST_VOIDS]


def read_voids(
    directory: Path, league: ExportedLeague, now: datetime
) -> tuple[list[DuelKey], list[VerificationFailure]]:
    """Read who was void when, up to the first that makes no sense."""
    voids: list[DuelKey] = []
    try:
        with opened(directory, VOIDS_FILE) as table:
            for number, row in _rows(table, VOIDS):
                try:
                    key = _void(league, row, now)
                    _check_order(key, voids)
                except RecordError as error:
                    failure = VerificationFailure(VOIDS_FILE, number, error.field, error.reason)
                    return voids, [failure]
                voids.append(key)
    except RecordError as error:
        return voids, [VerificationFailure(VOIDS_FILE, None, error.field, error.reason)]
    return voids, []


def _void(league: ExportedLeague, row: Sequence[str], now: datetime) -> DuelKey:
    *numbers, reason, at = row
    first, second, number = map(_count, VOIDS, numbers)
    if not (first and second and league.plays(first) and league.plays(second)):
        raise RecordError("first", "is of no entrant that plays")
    if first == second or (first, second) != pairing(first, second):
        raise RecordError("first", "is no A of such a pairing")
    if number >= league.duels:
        raise RecordError("number", f"is {number}, but a pairing has {league.duels} duels")
    json_fields.text(reason, "reason", LONGEST_TEXT)
    json_fields.moment(at, "at")
    key = DuelKey(first, second, number)
    epoch = league.epoch(key)
    opened = json_fields.instant(epoch.opened)
    refuse_earlier("at", at, f"the opening of epoch {epoch.number}", opened)
    refuse_future("at", at, now)
    return key


def _check_order(key: DuelKey, before: Sequence[DuelKey]) -> None:
    if before and canonical(key) < canonical(before[-1]):
        raise RecordError("", "comes too late: by number, then first, then second")
    if len(before) >= _MOST_VOIDS:
        raise RecordError("", f"is one more than {_MOST_VOIDS} voids")
    if before[-MOST_VOIDS:] == [key] * MOST_VOIDS:
        reason = f"is of a duel that was void {MOST_VOIDS} times, and so was not played again"
        raise RecordError("", reason)


def _count(field: str, cell: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) < 8):
        raise RecordError(field, "must be a whole number")
    return int(cell)


def _rows(file: BinaryIO, header: CsvRow) -> Iterator[tuple[int, list[str]]]:
    """Read a table: each row with its line; one row is in memory at a time."""
    size = 0

    def row_lines() -> Iterator[str]:
        nonlocal size
        for line in read_lines(file):
            size += len(line)
            if size > _LONGEST_ROW:
                raise RecordError("", "has a row that is longer than any")
            yield line.decode()

    try:
        reader = csv.reader(row_lines(), strict=True)
        for row in reader:
            size = 0
            if reader.line_num == 1 and tuple(row) != header:
                raise RecordError("", f"must begin with {','.join(header)}")
            if len(row) != len(header):
                reason = f"has {len(row)} cells in line {reader.line_num}, not {len(header)}"
                raise RecordError("", reason)
            if reader.line_num > 1:
                yield reader.line_num, row
    except (UnicodeDecodeError, csv.Error):
        raise RecordError("", "is no table of comma-separated values") from None


def _differing(
    directory: Path, file: str, header: CsvRow, expected: Sequence[CsvRow]
) -> Iterator[VerificationFailure]:
    try:
        with opened(directory, file) as table:
            for cells, read in zip_longest(expected, _rows(table, header)):
                if cells is None or read is None:
                    reason = f"has not the {len(expected)} rows that the duels give"
                    yield VerificationFailure(file, None, "", reason)
                    return
                number, row = read
                for column, should_be, cell in zip(header, cells, row, strict=True):
                    if not _alike(column, should_be, cell):
                        reason = f"is {cell[:80]!r}, but the duels give {should_be!r}"
                        yield VerificationFailure(file, number, column, reason)
                        break
    except RecordError as error:
        yield VerificationFailure(file, None, error.field, error.reason)


def _alike(column: str, should_be: str, cell: str) -> bool:
    if cell == should_be:
        return True
    if column not in MEASURED:
        return False
    one, other = _in_units(should_be), _in_units(cell)
    return one is not None and other is not None and abs(one - other) <= 1


def _in_units(cell: str) -> int | None:
    """Read a number with six digits after the point, in units of the last."""
    before, _, after = cell.removeprefix("-").partition(".")
    digits = before + after
    if len(after) != _DIGITS or not (digits.isascii() and digits.isdigit()) or len(digits) > 20:
        return None
    return -int(digits) if cell.startswith("-") else int(digits)

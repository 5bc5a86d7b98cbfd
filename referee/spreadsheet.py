"""Rows as comma-separated values, with no formula that a spreadsheet would compute."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Final

from referee.text import plain

_FORMULA: Final = ("=", "+", "-", "@")
"""What a spreadsheet takes for the start of a formula."""
_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def as_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows under their header."""
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return lines.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    words = plain(value)
    computed = words.startswith(_FORMULA) and not _NUMBER.fullmatch(words)
    return f"'{words}" if computed else words

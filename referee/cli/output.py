"""Output of commands: tables, JSON and CSV on stdout, progress on stderr."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from referee.errors import ConfigError
from referee.spreadsheet import as_csv
from referee.text import counted, plain

_Item = TypeVar("_Item")
_WIDEST = 1000
_HEADING = 80
_EDGE = 3
"""How many places a column takes beside its widest cell."""


def one_format(*chosen: bool) -> None:
    """Refuse more than one output format."""
    if sum(chosen) > 1:
        raise ConfigError("choose one of --json and --csv")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=2))


def print_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as comma-separated values."""
    print(as_csv(header, rows), end="")


def print_rows(
    what: str,
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    json: bool = False,
    csv: bool = False,
) -> None:
    """Print a listing in the format that was chosen: as a table, JSON or CSV.

    Args:
        what: one of the things that are listed: "account".
        header: the columns.
        rows: one for each thing.
        json: print JSON.
        csv: print comma-separated values.
    """
    one_format(json, csv)
    if json:
        print_json([dict(zip(header, row, strict=True)) for row in rows])
    elif csv:
        print_csv(header, rows)
    else:
        safe = ([plain(str(cell)) for cell in row] for row in rows)
        print_table(counted(len(rows), what), header, safe)


def print_heading(text: str) -> None:
    """Print a heading over what follows."""
    print(f"{text} ".ljust(_HEADING, "-"))


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table whose first column is words and whose others are numbers or cards.

    Nothing in it is markup: strangers chose some of the words.
    """
    table = Table(title=Text(title), title_justify="left", title_style="bold")
    every = [header, *rows]
    # Given, as to find them out takes the table longer than all the rest.
    widths = column_widths(every)
    for place, (name, width) in enumerate(zip(header, widths, strict=True)):
        justify: Literal["left", "right"] = "right" if place else "left"
        table.add_column(name, justify=justify, no_wrap=True, width=width)
    for row in every[1:]:
        table.add_row(*map(Text, row))
    # A terminal that is too narrow breaks lines; to cut numbers off would be worse.
    needed = min(table_width(widths), _WIDEST)
    Console(highlight=False, width=max(Console().width, needed)).print(table)


def column_widths(rows: Iterable[Sequence[str]]) -> list[int]:
    """Return how many places the widest cell of each column takes."""
    return [max(map(_width, column)) for column in zip(*rows, strict=True)]


def table_width(columns: Sequence[int]) -> int:
    """Return how wide a table is whose columns are."""
    return 1 + sum(_EDGE + width for width in columns)


def _width(cell: str) -> int:
    return max(map(cell_len, cell.splitlines()), default=0)


def with_progress(items: Iterator[_Item], count: int | None, doing: str) -> Iterable[_Item]:
    """Iterate with a progress bar on stderr, if that is a terminal."""
    side = Console(stderr=True)
    if not side.is_terminal:
        return items
    return track(items, doing, total=count, console=side, transient=True)

"""How results reach a reader: tables on a terminal, JSON, CSV, and progress on the side."""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from referee.errors import ConfigError

_Item = TypeVar("_Item")


def one_format(*chosen: bool) -> None:
    """Refuse more than one output format."""
    if sum(chosen) > 1:
        raise ConfigError("choose one of --json and --csv")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    json.dump(value, sys.stdout, indent=2)
    print()


def print_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as comma-separated values."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def print_heading(text: str) -> None:
    """Print a line that parts what follows from what went before."""
    Console().rule(Text(text), align="left", characters="-")


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table whose first column is words and whose others are numbers or cards."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for place, name in enumerate(header):
        table.add_column(name, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    Console(highlight=False).print(table)


def with_progress(items: Iterator[_Item], count: int | None, doing: str) -> Iterable[_Item]:
    """Show on a terminal how far long work has come, on stderr, so that output stays clean."""
    side = Console(stderr=True)
    return track(
        items, doing, total=count, console=side, disable=not side.is_terminal, transient=True
    )

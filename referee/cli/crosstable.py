"""`upcard crosstable`: how each entrant did against each other one."""

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Final

from rich.console import Console

from referee.cli import arguments, figures
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.league_facts import MARKS, marked, print_facts, title
from referee.cli.output import one_format, print_csv, print_json
from referee.cli.store_options import Db
from referee.league.table import LeagueTable, league_table
from referee.publication.league import public_league
from referee.publication.tables import CROSSTABLE, crosstable_rows
from referee.ratings.standings import Cell
from referee.reports.crosstable import crosstable as report
from referee.reports.crosstable import order, pairs
from referee.store.opening import DEFAULT, open_store
from referee.text import plain

_LINES: Final = 5
_SELF: Final = ("·", *[""] * (_LINES - 1))


def crosstable(
    league: LeagueName = None,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
    db: Db = DEFAULT,
) -> None:
    """Show each pair of a league both ways round."""
    one_format(json, csv)
    with open_store(db) as store:
        table = league_table(store, chosen_league(store, league))
    if json:
        print_json(report(table))
    elif csv:
        rows = crosstable_rows(public_league(table.league, table.isolations), table.standings)
        print_csv((*CROSSTABLE, *MARKS), marked(table, rows))
    else:
        _print(table)


def _print(table: LeagueTable) -> None:
    print_facts(table)
    print(title(table))
    for rank, number in enumerate(order(table), start=1):
        print(f"{rank:>3} {plain(table.names[number])}")
    for columns in _parts(table):
        _print_part(table, columns)
    print(fill(_LEGEND, Console().width))


_LEGEND: Final = (
    "Each cell is the entrant of its row against that of its column: duels won-drawn-lost; points "
    "a hand, with the half of their 95 % interval; after =, the share of hands "
    "that the two played alike; how probable it is, by these duels alone, that it is the better "
    "one."
)


def _cell(table: LeagueTable, one: int, other: int) -> Sequence[str]:
    """Return the lines of a cell."""
    if one == other:
        return _SELF
    cell = table.standings.cells.get((one, other))
    return _lines(cell, table.share_alike(one, other)) if cell else ("",) * _LINES


def _lines(cell: Cell, alike: float | None) -> Sequence[str]:
    points = [*figures.points_in_parts(cell.points), "", ""]
    result, better = f"{cell.won}-{cell.drawn}-{cell.lost}", figures.chance(cell.better)
    return result, *points[:2], figures.share_alike(alike), better


def _width(table: LeagueTable) -> int:
    cells = (_cell(table, *pair) for pair in pairs(table))
    return max((len(line) for cell in cells for line in cell), default=1)


def _parts(table: LeagueTable) -> Iterator[range]:
    """Part the columns so that a line fits the terminal."""
    count = len(order(table))
    fit = max(1, (Console().width - _EDGE) // (_width(table) + 1))
    for start in range(0, count, fit):
        yield range(start, min(start + fit, count))


_EDGE: Final = 3
"""How many places the rank of a row takes."""


def _print_part(table: LeagueTable, columns: range) -> None:
    ordered, width = order(table), _width(table)
    print("\n" + _line("", [str(column + 1) for column in columns], width))
    for rank, number in enumerate(ordered, start=1):
        cells = [_cell(table, number, ordered[column]) for column in columns]
        for place, line in enumerate(zip(*cells, strict=True)):
            print(_line("" if place else str(rank), line, width))
        print()


def _line(head: str, words: Sequence[str], width: int) -> str:
    return (f"{head:>{_EDGE}}" + "".join(f" {word:>{width}}" for word in words)).rstrip()

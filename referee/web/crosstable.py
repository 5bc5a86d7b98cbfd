"""The crosstable as HTML cells, of which there may be ten thousand."""

from typing import Final, NamedTuple

from markupsafe import Markup, escape

from referee.league.table import LeagueTable
from referee.ratings.standings import Cell
from referee.reports.crosstable import order
from referee.scheduling.keys import pairing
from referee.web.charts import heat
from referee.web.formatting import margin, name_html, percentage, probability, signed

ROOMY: Final = 24
"""The most entrants for which a cell shows more than points per hand."""
_SELF: Final = Markup("<td class=self></td>")
_NOT_MET: Final = Markup("<td>")


class CrosstableRow(NamedTuple):
    """The row of an entrant, with a cell for each entrant including itself."""

    number: int
    position: int
    """In the order of the table, from 1; its column has the same."""
    name: Markup
    cells: Markup


class Grid(NamedTuple):
    """The crosstable, the best entrant first."""

    rows: list[CrosstableRow]
    roomy: bool


def grid(table: LeagueTable) -> Grid:
    """Return the crosstable of a league."""
    numbers = order(table)
    roomy = len(numbers) <= ROOMY
    cells = table.standings.cells

    def cell(one: int, other: int) -> str:
        if one == other:
            return _SELF
        results = cells.get((one, other))
        if results is None:
            return _NOT_MET
        if not roomy:
            return _short_cell(one, other, results)
        return _full_cell(one, other, results, table.share_alike(one, other))

    return Grid(
        [
            CrosstableRow(
                one,
                position,
                name_html(table.names[one]),
                # A cell holds numbers only.
                Markup("".join([cell(one, other) for other in numbers])),  # noqa: S704
            )
            for position, one in enumerate(numbers, start=1)
        ],
        roomy,
    )


def _link(one: int, other: int) -> str:
    """Return the link to a pairing from the crosstable, which is in the same directory."""
    first, second = pairing(one, other)
    return f"{first}-{second}.html"


def _heat_class(cell: Cell) -> str:
    step = heat(cell.points.mean)
    return "" if step is None else f" class=heat{step}"


def _full_cell(one: int, other: int, cell: Cell, alike: float | None) -> str:
    same = "" if alike is None else f"<br>{percentage(alike)} alike"
    # A probability may begin with < or >.
    return (
        f"<td{_heat_class(cell)}><a href={_link(one, other)}>{cell.won}–{cell.drawn}–{cell.lost}"
        f"<br><b>{margin(cell.points)}</b>{same}<br>{escape(probability(cell.better))}</a></td>"
    )


def _short_cell(one: int, other: int, cell: Cell) -> str:
    points = signed(cell.points.mean).replace("+0.", "+.").replace("−0.", "−.")
    return f"<td{_heat_class(cell)}><a href={_link(one, other)}>{points}</a>"

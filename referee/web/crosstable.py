"""The crosstable as a grid of cells, of which there may be ten thousand."""

from typing import Final, NamedTuple

from markupsafe import Markup, escape

from referee.league.table import LeagueTable
from referee.ratings.standings import Cell
from referee.reports.crosstable import order
from referee.scheduling.keys import pairing
from referee.web.charts import heat
from referee.web.figures import chance, margin, signed
from referee.web.names import called

ROOMY: Final = 24
"""So many entrants at most have cells that tell more than points a hand."""
_ALONE: Final = Markup("<td class=self></td>")
_NOT_MET: Final = Markup("<td>")


class Row(NamedTuple):
    """An entrant against all, itself included."""

    number: int
    rank: int
    name: Markup
    cells: Markup


class Grid(NamedTuple):
    """All of it, the best first."""

    rows: list[Row]
    roomy: bool


def grid(table: LeagueTable) -> Grid:
    """Lay the crosstable of a league out."""
    numbers = order(table)
    roomy = len(numbers) <= ROOMY
    cells = table.standings.cells
    write = _in_full if roomy else _in_short

    def cell(one: int, other: int) -> str:
        if one == other:
            return _ALONE
        found = cells.get((one, other))
        return write(one, other, found) if found else _NOT_MET

    return Grid(
        [
            Row(
                one,
                rank,
                called(table.names[one]),
                # Nothing but numbers of ours goes into a cell.
                Markup("".join([cell(one, other) for other in numbers])),  # noqa: S704
            )
            for rank, one in enumerate(numbers, start=1)
        ],
        roomy,
    )


def _address(one: int, other: int) -> str:
    """Return the link to a pairing from the page of the crosstable, which is beside it."""
    first, second = pairing(one, other)
    return f"{first}-{second}.html"


def _warmth(cell: Cell) -> str:
    step = heat(cell.points.mean)
    return "" if step is None else f" class=heat{step}"


def _in_full(one: int, other: int, cell: Cell) -> str:
    # The ± and the minus need no escape, but < and > of a chance do.
    return (
        f"<td{_warmth(cell)}><a href={_address(one, other)}>{cell.won}–{cell.drawn}–{cell.lost}"
        f"<br><b>{margin(cell.points)}</b><br>{escape(chance(cell.better))}</a></td>"
    )


def _in_short(one: int, other: int, cell: Cell) -> str:
    told = signed(cell.points.mean).replace("+0.", "+.").replace("−0.", "−.")
    return f"<td{_warmth(cell)}><a href={_address(one, other)}>{told}</a>"

"""The tables of an export as rows of text: ratings, crosstable and voids."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from referee.json_forms import LONGEST_TEXT, moment
from referee.publication.duels import canonical
from referee.publication.league import ExportedLeague
from referee.ratings.points import Margin
from referee.ratings.results import Result
from referee.ratings.standings import Apart, Cell, Standing, Standings, standings
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredVoid

Row = tuple[str, ...]

RATINGS: Final = (
    "best_rank",
    "worst_rank",
    "number",
    "entrant",
    "author",
    "digest",
    "rating",
    "spread",
    "conservative",
    "live_mean",
    "live_spread",
    "duels",
    "won",
    "drawn",
    "lost",
    "points_per_hand",
    "plus_or_minus",
    "hands",
    "faults",
    "voids",
    "better_than_next",
    "apart",
)
CROSSTABLE: Final = (
    "first",
    "first_entrant",
    "second",
    "second_entrant",
    "duels",
    "won",
    "drawn",
    "lost",
    "points_per_hand",
    "plus_or_minus",
    "hands",
    "better",
)
VOIDS: Final = ("first", "second", "number", "reason", "at")
MEASURED: Final = frozenset(
    {
        "rating",
        "spread",
        "conservative",
        "live_mean",
        "live_spread",
        "points_per_hand",
        "plus_or_minus",
        "better_than_next",
        "better",
    }
)
"""Columns of numbers that are no counts; another machine may compute their last digit otherwise."""


def table_of(
    league: ExportedLeague, results: Sequence[Result], voids: Iterable[DuelKey]
) -> Standings:
    """Make the table of a league from its results, in canonical order."""
    entrants = [entrant.number for entrant in league.entrants]
    withdrawn = [entrant.number for entrant in league.entrants if entrant.withdrawn]
    return standings(entrants, results, withdrawn, _by_entrant(voids))


def _by_entrant(voids: Iterable[DuelKey]) -> Mapping[int, int]:
    return Counter(number for key in voids for number in (key.first, key.second))


def rating_rows(league: ExportedLeague, table: Standings) -> Iterator[Row]:
    """Yield a row for each entrant, best first; those who are not ranked come last."""
    for standing in table.rows:
        yield _ranked(league, standing)
    for apart in table.apart:
        yield _apart(league, apart)


def crosstable_rows(league: ExportedLeague, table: Standings) -> Iterator[Row]:
    """Yield a row for each two entrants, both ways round."""
    for (first, second), cell in sorted(table.cells.items()):
        yield _cell(league, first, second, cell)


def void_rows(voids: Iterable[StoredVoid]) -> Iterator[Row]:
    """Yield a row for each time a duel counted for nobody."""
    for void in sorted(voids, key=lambda void: (canonical(void.key), void.at)):
        yield (*map(str, void.key), void.reason[:LONGEST_TEXT], moment(void.at))


def as_csv(header: Sequence[str], rows: Iterable[Row]) -> str:
    """Write a table."""
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return lines.getvalue()


def _ranked(league: ExportedLeague, standing: Standing) -> Row:
    rating, live, entrant = standing.rating, standing.live, league.entrant(standing.entrant)
    return (
        *map(str, standing.ranks),
        str(standing.entrant),
        *(entrant.label, entrant.author, entrant.digest),
        _measured(rating.mean),
        _measured(rating.spread),
        _measured(rating.conservative),
        _measured(live.mean),
        _measured(live.spread),
        str(standing.duels),
        str(standing.won),
        str(standing.drawn),
        str(standing.lost),
        *_margin(standing.points),
        str(standing.faults),
        str(standing.voids),
        _measured(standing.better_than_next),
        "",
    )


def _apart(league: ExportedLeague, apart: Apart) -> Row:
    entrant = league.entrant(apart.entrant)
    cells = {
        "number": str(apart.entrant),
        "entrant": entrant.label,
        "author": entrant.author,
        "digest": entrant.digest,
        "duels": str(apart.duels),
        "faults": str(apart.faults),
        "voids": str(apart.voids),
        "apart": apart.why,
    }
    return tuple(cells.get(column, "") for column in RATINGS)


def _cell(league: ExportedLeague, first: int, second: int, cell: Cell) -> Row:
    return (
        str(first),
        league.entrant(first).label,
        str(second),
        league.entrant(second).label,
        str(cell.won + cell.drawn + cell.lost),
        str(cell.won),
        str(cell.drawn),
        str(cell.lost),
        *_margin(cell.points),
        _measured(cell.better),
    )


def _margin(points: Margin) -> tuple[str, str, str]:
    return _measured(points.mean), _measured(points.plus_or_minus), str(points.hands)


def _measured(number: float | None) -> str:
    return "" if number is None else f"{number:z.6f}"

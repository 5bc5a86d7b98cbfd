"""The tables of an export as rows of text: ratings, crosstable and voids."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Final, NamedTuple

from referee.json_forms import LONGEST_TEXT, moment
from referee.publication.duels import canonical
from referee.publication.league import SCHEMA, ExportedLeague
from referee.ratings.methods import FIRST, LATEST, Method
from referee.ratings.results import Result
from referee.ratings.standings import Apart, Cell, Standing, Standings, standings
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredVoid

CsvRow = tuple[str, ...]


class TableFormat(NamedTuple):
    """How a version writes the tables of an export."""

    ratings: Mapping[str, str]
    """The columns of the ratings, and the field of `_ranked` that each has."""
    better_in_pair: bool
    """Whether the crosstable has the probability by the duels of the two alone, or of all."""
    method: Method
    """How the tables are computed."""


_COUNTS: Final = (
    *("live_mean", "live_spread", "duels", "won", "drawn", "lost", "points_per_hand"),
    *("plus_or_minus", "hands", "faults", "voids", "better_than_next", "apart"),
)
_CHANCES: Final = ("wins_duel_next", "wins_match_next", "wins_duel_field", "wins_match_field")
_NAMES: Final = ("best_rank", "worst_rank", "number", "entrant", "author", "digest")
_RATINGS: Final = {
    **{name: name for name in _NAMES},
    "rating": "mean",
    "spread": "spread",
    "conservative": "conservative",
}
_CURRENT: Final = TableFormat(
    {
        **_RATINGS,
        "rating_low": "rating_low",
        "rating_high": "rating_high",
        **{name: name for name in _COUNTS[:-1]},
        **{name: name for name in _CHANCES},
        "apart": "apart",
    },
    better_in_pair=True,
    method=LATEST,
)
_SECOND: Final = TableFormat(
    {**_RATINGS, **{name: name for name in _COUNTS}}, better_in_pair=True, method=FIRST
)
_FIRST: Final = TableFormat(
    {
        "place": "place",
        "number": "number",
        "entrant": "entrant",
        "rating": "conservative",
        "mean": "mean",
        "spread": "spread",
        **{name: name for name in _COUNTS},
    },
    better_in_pair=False,
    method=FIRST,
)
FORMATS: Final[Mapping[int, TableFormat]] = {1: _FIRST, 2: _SECOND, SCHEMA: _CURRENT}
"""All that were ever written, by the schema of the export."""
RATINGS: Final = tuple(_CURRENT.ratings)
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
        "mean",
        "spread",
        "conservative",
        "rating_low",
        "rating_high",
        "live_mean",
        "live_spread",
        "points_per_hand",
        "plus_or_minus",
        "better_than_next",
        *_CHANCES,
        "better",
    }
)
"""Columns of numbers that are no counts; another machine may compute their last digit otherwise."""


def table_of(
    league: ExportedLeague,
    results: Sequence[Result],
    voids: Iterable[DuelKey],
) -> Standings:
    """Return the table of a league from its results, in canonical order, as its schema has it."""
    entrants = [entrant.number for entrant in league.entrants]
    withdrawn = [entrant.number for entrant in league.entrants if entrant.withdrawn]
    suspended = [entrant.number for entrant in league.entrants if entrant.suspended is not None]
    return standings(
        entrants,
        results,
        withdrawn,
        _by_entrant(voids),
        suspended=suspended,
        suspends=league.suspends,
        method=FORMATS[league.schema].method,
    )


def _by_entrant(voids: Iterable[DuelKey]) -> Mapping[int, int]:
    return Counter(number for key in voids for number in (key.first, key.second))


def rating_rows(league: ExportedLeague, table: Standings) -> Iterator[CsvRow]:
    """Yield a row for each entrant, best first; those who are not ranked come last."""
    for place, standing in enumerate(table.rows, start=1):
        yield _row(league, _ranked(league, place, standing))
    for apart in table.apart:
        yield _row(league, _apart(league, apart))


def _row(league: ExportedLeague, cells: Mapping[str, str]) -> CsvRow:
    return tuple(cells.get(field, "") for field in FORMATS[league.schema].ratings.values())


def crosstable_rows(league: ExportedLeague, table: Standings) -> Iterator[CsvRow]:
    """Yield a row for each two entrants, both ways round."""
    for (first, second), cell in sorted(table.cells.items()):
        in_pair = FORMATS[league.schema].better_in_pair
        better = cell.better if in_pair else table.fit.better(first, second)
        yield _cell(league, first, second, cell._replace(better=better))


def void_rows(voids: Iterable[StoredVoid]) -> Iterator[CsvRow]:
    """Yield a row for each time a duel counted for nobody."""
    for void in sorted(voids, key=lambda void: (canonical(void.key), void.at)):
        yield (*map(str, void.key), void.reason[:LONGEST_TEXT], moment(void.at))


def as_csv(header: Sequence[str], rows: Iterable[CsvRow]) -> str:
    """Write a table."""
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return lines.getvalue()


def _ranked(league: ExportedLeague, place: int, standing: Standing) -> dict[str, str]:
    rating, live, points = standing.rating, standing.live, standing.points
    best, worst = standing.ranks
    following, field = standing.against_next, standing.in_field
    return {
        **_entrant(league, standing.entrant),
        "place": str(place),
        "best_rank": str(best),
        "worst_rank": str(worst),
        "mean": _measured(rating.mean),
        "spread": _measured(rating.spread),
        "conservative": _measured(rating.conservative),
        "live_mean": _measured(live.mean),
        "live_spread": _measured(live.spread),
        "duels": str(standing.duels),
        "won": str(standing.won),
        "drawn": str(standing.drawn),
        "lost": str(standing.lost),
        "points_per_hand": _measured(points.mean),
        "plus_or_minus": _measured(points.plus_or_minus),
        "hands": str(points.hands),
        "faults": str(standing.faults),
        "voids": str(standing.voids),
        "better_than_next": _measured(standing.better_than_next),
        "rating_low": _measured(standing.interval.low),
        "rating_high": _measured(standing.interval.high),
        "wins_duel_next": _measured(following and following.win),
        "wins_match_next": _measured(following and following.match),
        "wins_duel_field": _measured(field and field.win),
        "wins_match_field": _measured(field and field.match),
    }


def _apart(league: ExportedLeague, apart: Apart) -> dict[str, str]:
    return {
        **_entrant(league, apart.entrant),
        "duels": str(apart.duels),
        "faults": str(apart.faults),
        "voids": str(apart.voids),
        "apart": apart.why,
    }


def _entrant(league: ExportedLeague, number: int) -> dict[str, str]:
    entrant = league.entrant(number)
    return {
        "number": str(number),
        "entrant": entrant.label,
        "author": entrant.author,
        "digest": entrant.digest,
    }


def _cell(league: ExportedLeague, first: int, second: int, cell: Cell) -> CsvRow:
    return (
        str(first),
        league.entrant(first).label,
        str(second),
        league.entrant(second).label,
        str(cell.won + cell.drawn + cell.lost),
        str(cell.won),
        str(cell.drawn),
        str(cell.lost),
        _measured(cell.points.mean),
        _measured(cell.points.plus_or_minus),
        str(cell.points.hands),
        _measured(cell.better),
    )


def _measured(number: float | None) -> str:
    return "" if number is None else f"{number:z.6f}"

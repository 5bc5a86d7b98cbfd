"""The ratings of a league as tables for a terminal."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rich.console import Console

from referee.cli import figures
from referee.cli.league_facts import print_facts, title
from referee.cli.output import column_widths, print_table, table_width
from referee.league.table import LeagueTable, rating_text
from referee.ratings.standings import Apart, Standing
from referee.reports.ratings import reason_of
from referee.text import plain

_RATING: Final = ("entrant", "rating", "conser-\nvative", "live", "better than\nthe next")
_CHANCES: Final = ("wins a duel, a match\nagainst the next", "against the field")
_PLAY: Final = ("duels", "won", "drawn", "lost", "points a hand", "faults", "voids")
_RANK: Final = 2


def print_ratings(table: LeagueTable) -> None:
    """Print all of it."""
    print_facts(table)
    standings = table.standings
    width = max([_RANK, *(len(row.ranks.text) for row in standings.rows)])
    _print_in_parts(
        title(table),
        (*_RATING, *_CHANCES, *_PLAY),
        [_row(table, row, width) for row in standings.rows],
    )
    print("± is half of a 95 % interval; conservative is the rating less 3 standard errors")
    if any(None in row.interval and row.duels for row in standings.rows):
        print("at least, at most: who won or lost everything has no other end of the interval")
    if any(row.ranks.best < row.ranks.worst for row in standings.rows):
        print("entrants whose ranks overlap are not told apart")
    if standings.apart:
        print_table(
            "Listed apart; what they played counts for nobody",
            ("entrant", "duels", "faults", "voids", "why"),
            [_apart(table, apart) for apart in standings.apart],
        )


def _row(table: LeagueTable, row: Standing, width: int) -> list[str]:
    """Return the cells of an entrant, whose ranks take so many places."""
    return [
        f"{row.ranks.text:>{width}} {plain(table.names[row.entrant])}",
        rating_text(row),
        f"{row.rating.conservative:.2f}",
        f"{row.live.mean:.2f}",
        figures.chance(row.better_than_next),
        figures.chances(row.against_next),
        figures.chances(row.in_field),
        *map(str, (row.duels, row.won, row.drawn, row.lost)),
        figures.points(row.points),
        *map(str, (row.faults, row.voids)),
    ]


def _apart(table: LeagueTable, apart: Apart) -> list[str]:
    counts = map(str, (apart.duels, apart.faults, apart.voids))
    reason = reason_of(table, apart.entrant)
    return [
        plain(table.names[apart.entrant]),
        *counts,
        apart.why if reason is None else f"{apart.why}: {reason}",
    ]


def _print_in_parts(heading: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print the ratings and the play side by side, or below each other where that is too wide."""
    if table_width(column_widths([header, *rows])) <= Console().width:
        print_table(heading, header, rows)
        return
    ends = len(_RATING), len(_RATING) + len(_CHANCES), len(header)
    for begin, end in pairwise((1, *ends)):
        columns_of_part = slice(begin, end)
        print_table(
            heading if begin == 1 else "",
            (header[0], *header[columns_of_part]),
            [(row[0], *row[columns_of_part]) for row in rows],
        )

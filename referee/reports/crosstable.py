"""How each entrant of a league did against each other one."""

from collections.abc import Iterator

from typing_extensions import TypedDict

from referee.league.table import LeagueTable
from referee.reports.facts import Facts, facts
from referee.reports.points import Points, points
from referee.text import plain


class PairReport(TypedDict):
    """How an entrant did against another."""

    entrant: str
    opponent: str
    numbers: tuple[int, int]
    """Of the two, in the league."""
    won: int
    drawn: int
    lost: int
    points_per_hand: Points
    identical: float | None
    """The share of hands that the two played alike, call by call and card by card; near 1, one is a
    copy of the other. None if that was counted of no duel."""
    better: float
    """The probability that it is the better one, by the duels of the two alone."""


class Crosstable(Facts):
    """Every two entrants that met, both ways round."""

    pairs: list[PairReport]


def crosstable(table: LeagueTable) -> Crosstable:
    """Return how each did against each."""
    return {**facts(table), "pairs": list(_met(table))}


def _met(table: LeagueTable) -> Iterator[PairReport]:
    names = {number: plain(name) for number, name in table.names.items()}
    for one, other in pairs(table):
        if cell := table.standings.cells.get((one, other)):
            yield {
                "entrant": names[one],
                "opponent": names[other],
                "numbers": (one, other),
                "won": cell.won,
                "drawn": cell.drawn,
                "lost": cell.lost,
                "points_per_hand": points(cell.points),
                "identical": table.share_alike(one, other),
                "better": cell.better,
            }


def order(table: LeagueTable) -> list[int]:
    """Return the numbers of the entrants in the order of the table."""
    return [row.entrant for row in table.standings.rows]


def pairs(table: LeagueTable) -> Iterator[tuple[int, int]]:
    """Pair each with each other one in that order, both ways round, whether they met or not."""
    ordered = order(table)
    return ((one, other) for one in ordered for other in ordered if one != other)

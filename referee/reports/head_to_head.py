"""Two bots that played only each other: how each did, and everything that it did wrong."""

from typing import Literal

from typing_extensions import TypedDict

from referee.league.table import LeagueTable
from referee.ratings.margins import margin_of, margins
from referee.ratings.points import turned
from referee.reports.duels import DuelsReport, duels, lines
from referee.reports.entrants import SlowDecision, slowest
from referee.reports.faults import NumberedFault, numbered_faults
from referee.reports.points import Points, points
from referee.store.database import Store
from referee.store.duels import sides, stored_duels

_SLOWEST = 3
_BOTH: tuple[Literal[1], Literal[2]] = (1, 2)


class SideReport(TypedDict):
    """How one of the two did, over all duels, whatever its faults."""

    name: str
    version: str
    digest: str
    won: int
    drawn: int
    lost: int
    matches_won: int
    points_per_hand: Points
    slowest: list[SlowDecision]
    """Its slowest decisions, each of another duel."""


class HeadToHead(DuelsReport):
    """All that is known of a league of two."""

    bots: tuple[SideReport, SideReport]
    identical: float | None
    """The share of hands that the two played alike; near 1, one is a copy of the other."""
    faults: list[NumberedFault]
    """Of both, in the order in which they were stored."""


def head_to_head(store: Store, table: LeagueTable) -> HeadToHead:
    """Return how the entrants of a league of two did."""
    name = table.league.name
    report = duels(table, lines(table, stored_duels(store, name)), table.voids)
    return {
        **report,
        "bots": (_side(store, table, 1), _side(store, table, 2)),
        "identical": table.share_alike(*_BOTH),
        "faults": list(numbered_faults(store, name, table.names)),
    }


def _side(store: Store, table: LeagueTable, number: Literal[1, 2]) -> SideReport:
    bot = table.league.entry(number).bot
    wins = [result.wins if number == 1 else 2 - result.wins for result in table.results]
    margin = margins(table.results).get(_BOTH, margin_of(()))
    return {
        "name": table.names[number],
        "version": bot.version,
        "digest": bot.digest,
        "won": wins.count(2),
        "drawn": wins.count(1),
        "lost": wins.count(0),
        "matches_won": sum(wins),
        "points_per_hand": points(margin if number == 1 else turned(margin)),
        "slowest": slowest(sides(store, table.league.name), number)[:_SLOWEST],
    }

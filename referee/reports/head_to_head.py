"""Two bots that played only each other: how each did, and everything that it did wrong."""

from typing import Literal

from typing_extensions import TypedDict

from referee.engine.recycle import STOPPED
from referee.league.table import LeagueTable
from referee.ratings.margins import margin_of, margins
from referee.ratings.points import turned
from referee.ratings.results import DRAWN, LOST, WON
from referee.reports.costly_deals import CostlyDeal, costly_deals
from referee.reports.duels import DuelsReport, duels, lines
from referee.reports.entrants import SlowDecision, slowest
from referee.reports.faults import NumberedFault, numbered_faults
from referee.reports.points import Points, points
from referee.store.database import Store
from referee.store.duels import sides, stored_duels
from referee.store.models import League

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
    costly_deals: list[CostlyDeal]
    """Those that the first lost most by, the worst first."""
    hands_stopped: int
    """How many hands could not go on, and were scored as they stood; only programs have such."""
    faults: list[NumberedFault]
    """Of both, in the order in which they were stored."""


def head_to_head(store: Store, table: LeagueTable) -> HeadToHead:
    """Return how the entrants of a league of two did."""
    name = table.league.name
    report = duels(table, lines(table, stored_duels(store, name)), table.voids)
    first = sum(duel["matches_won"] for duel in report["duels"])
    second = sum(duel["matches_lost"] for duel in report["duels"])
    return {
        **report,
        "bots": (_side(store, table, 1, first), _side(store, table, 2, second)),
        "identical": table.share_alike(*_BOTH),
        "costly_deals": costly_deals(lines(table, stored_duels(store, name))),
        "hands_stopped": _hands_stopped(store, table.league),
        "faults": list(numbered_faults(store, table.league, table.names)),
    }


def _hands_stopped(store: Store, league: League) -> int:
    tallies = [side.tallies for _, both in sides(store, league.name) for side in both]
    each_side = sum(tally.get(STOPPED, 0) for tally in tallies)
    return each_side // len(league.plan.terms.game.side_names)


def _side(store: Store, table: LeagueTable, number: Literal[1, 2], matches_won: int) -> SideReport:
    bot, game = table.league.entry(number).bot, table.league.plan.terms.game
    wins = [result.wins if number == 1 else WON - result.wins for result in table.results]
    margin = margins(table.results).get(_BOTH, margin_of(()))
    return {
        "name": table.names[number],
        "version": bot.version,
        "digest": bot.digest,
        "won": wins.count(WON),
        "drawn": wins.count(DRAWN),
        "lost": wins.count(LOST),
        "matches_won": matches_won,
        "points_per_hand": points(margin if number == 1 else turned(margin)),
        "slowest": slowest(game, sides(store, table.league.name), number)[:_SLOWEST],
    }

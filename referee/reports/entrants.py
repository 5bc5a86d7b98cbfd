"""What one entrant did in a league: against whom, how it plays, how long it thinks, its faults."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Final

from typing_extensions import TypedDict

from referee.engine.game import Figure, Game
from referee.json_forms import moment
from referee.league.duel_names import duel_name
from referee.league.table import LeagueTable
from referee.ratings.standings import WhyApart
from referee.reports import duels
from referee.reports.faults import NumberedFault, numbered_faults
from referee.reports.points import Points, points
from referee.reports.ratings import reason_of
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.duels import sides
from referee.store.models import Side

_SLOWEST: Final = 10

Sides = Sequence[tuple[DuelKey, tuple[Side, Side]]]


class Habit(TypedDict):
    """A figure that a player is known by."""

    what: str
    value: float | None
    """None where it never came to that."""
    is_share: bool
    """Whether it is how often, of 1, and not points or tricks."""
    of: int
    """How many hands it was found in, each counted for each side that the entrant has in it."""


class SlowDecision(duels.TimingReport):
    """A slow decision, and the duel it was made in."""

    duel: str


class OtherVersion(TypedDict):
    """A version of the same bot in the league."""

    number: int
    entrant: str
    version: str
    digest: str
    added: str


class Opponent(TypedDict):
    """How an entrant did against another."""

    number: int
    entrant: str
    won: int
    drawn: int
    lost: int
    points_per_hand: Points
    better: float
    """The probability that it is the better one, by the duels of the two alone."""


class EntrantReport(TypedDict):
    """All about one entrant."""

    number: int
    entrant: str
    name: str
    version: str
    author: str
    language: str
    digest: str
    best_rank: int | None
    """The best place it may hold; None if its duels count for nobody."""
    worst_rank: int | None
    apart: WhyApart | None
    """Why, in that case."""
    suspended_for: str | None
    """Why it was suspended, or is listed for its faults, in words."""
    versions: list[OtherVersion]
    opponents: list[Opponent]
    """The best first."""
    habits: list[Habit]
    slowest: list[SlowDecision]
    faults: list[NumberedFault]
    """In the order in which they were stored."""


def entrant(store: Store, table: LeagueTable, number: int) -> EntrantReport:
    """Return all about an entrant."""
    league = table.league
    bot = league.entry(number).bot
    played = sides(store, league.name, of=number)
    ranks = {row.entrant: row.ranks for row in table.standings.rows}.get(number)
    apart = {each.entrant: each.why for each in table.standings.apart}
    return {
        "number": number,
        "entrant": table.names[number],
        "name": bot.name,
        "version": bot.version,
        "author": bot.author,
        "language": bot.language,
        "digest": bot.digest,
        "best_rank": ranks.best if ranks else None,
        "worst_rank": ranks.worst if ranks else None,
        "apart": apart.get(number),
        "suspended_for": reason_of(table, number),
        "versions": [
            {
                "number": entry.number,
                "entrant": table.names[entry.number],
                "version": entry.bot.version,
                "digest": entry.bot.digest,
                "added": moment(entry.bot.added),
            }
            for entry in league.entries
            if entry.bot.name == bot.name
        ],
        "opponents": [*_opponents(table, number)],
        "habits": habits(league.plan.terms.game.figures, played, number),
        "slowest": slowest(league.plan.terms.game, played, number),
        "faults": [*numbered_faults(store, league, table.names, number)],
    }


def _opponents(table: LeagueTable, number: int) -> Iterable[Opponent]:
    for row in table.standings.rows:
        if cell := table.standings.cells.get((number, row.entrant)):
            yield {
                "number": row.entrant,
                "entrant": table.names[row.entrant],
                "won": cell.won,
                "drawn": cell.drawn,
                "lost": cell.lost,
                "points_per_hand": points(cell.points),
                "better": cell.better,
            }


def habits(figures: Iterable[Figure], played: Sides, number: int) -> list[Habit]:
    """Work out what an entrant is known by, from all it and its opponents did."""
    own, theirs = Counter[str](), Counter[str]()
    for key, (first, second) in played:
        mine, others = (first, second) if key.first == number else (second, first)
        own.update(mine.tallies)
        theirs.update(others.tallies)
    return [_habit(figure, own, theirs) for figure in figures]


def _habit(figure: Figure, own: Mapping[str, int], theirs: Mapping[str, int]) -> Habit:
    of = (theirs if figure.over_theirs else own)[figure.over]
    return {
        "what": figure.words,
        "value": own[figure.counted] / of if of else None,
        "is_share": figure.is_share,
        "of": of,
    }


def slowest(game: Game, played: Sides, number: int) -> list[SlowDecision]:
    """Return the slowest decisions of an entrant, each of another duel, the slowest first."""
    timings = [
        (timing, key)
        for key, both in played
        if (timing := both[key.first != number].slowest) is not None
    ]
    found = nlargest(_SLOWEST, timings, key=lambda each: each[0].seconds)
    return [{"duel": duel_name(key), **duels.slowest(game, timing)} for timing, key in found]

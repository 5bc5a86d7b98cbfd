"""The table of a league, now and after each round: who is how good, and how sure that is."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

from typing_extensions import TypedDict

from referee.json_forms import moment
from referee.league.table import LeagueTable
from referee.ratings import fitting, standings
from referee.reports.facts import Facts, facts
from referee.reports.points import Points, points
from referee.store.models import Snapshot
from referee.text import plain

_WIDTH: Final = NormalDist().inv_cdf(0.975)


class RatingReport(TypedDict):
    """How good an entrant is, and how sure that is."""

    rating: float
    """The mean."""
    spread: float
    """Its standard error."""


class ChancesReport(TypedDict):
    """How a duel to come is likely to end for an entrant."""

    wins_duel: float
    draws_duel: float
    wins_match: float
    """`wins_duel` and half of `draws_duel`.

    Where there are two sides and no match ends level, that is the chance to win a match of it.
    """


class Named(TypedDict):
    """Which entrant it is."""

    number: int
    """In its league, from 1."""
    entrant: str
    """What it is called there: by no more than tells it apart."""
    name: str
    version: str
    author: str
    digest: str


class Ranked(TypedDict):
    """The places an entrant may hold; a base of its own, so that they come first."""

    best_rank: int
    worst_rank: int
    """The same as the best if the entrant is told apart from all others."""


class StandingReport(Ranked, Named, RatingReport):
    """An entrant in the table, rated by all duels at once."""

    plus_or_minus: float
    """The half of the 95 % interval of its rating, as if that went as far up as down."""
    rating_low: float | None
    rating_high: float | None
    """The 95 % interval of its rating; None where only the other end is known."""
    conservative: float
    """The rating less three times its spread: what the entrant is worth at the least."""
    live: RatingReport
    """By one duel after the other."""
    better_than_next: float | None
    """The probability of that; None for the last, and where one of the two has not played."""
    against_next: ChancesReport | None
    """How a duel against the next is likely to end; None as above."""
    in_field: ChancesReport | None
    """How one against any of the others is likely to end; None for who has not played."""
    duels: int
    won: int
    drawn: int
    lost: int
    points_per_hand: Points
    """Against the field."""
    faults: int
    voids: int


class ApartReport(Named):
    """An entrant below the table, whose duels count for nobody."""

    why: standings.WhyApart
    reason: str | None
    """Why it was suspended, or is listed for its faults."""
    duels: int
    faults: int
    voids: int


class RatingThen(RatingReport):
    """The rating of an entrant at that moment."""

    number: int


class HistoryMoment(TypedDict):
    """The table as it stood once."""

    at: str
    duels: int
    """How many were played by then."""
    ratings: list[RatingThen]


class Ratings(Facts):
    """The table of a league, the best first."""

    draws: float
    """The chance that two equals draw."""
    table: list[StandingReport]
    apart: list[ApartReport]


def ratings(table: LeagueTable) -> Ratings:
    """Return how the entrants of a league stand."""
    found = table.standings
    return {
        **facts(table),
        "draws": found.fit.draws,
        "table": [_standing(table, row) for row in found.rows],
        "apart": [_apart(table, apart) for apart in found.apart],
    }


def history(snapshots: Sequence[Snapshot]) -> list[HistoryMoment]:
    """Return the tables of a league, the oldest first."""
    return [
        {
            "at": moment(snapshot.at),
            "duels": snapshot.duels,
            "ratings": [
                {"number": number, "rating": mean, "spread": spread}
                for number, (mean, spread) in sorted(snapshot.ratings.items())
            ],
        }
        for snapshot in snapshots
    ]


def _standing(table: LeagueTable, row: standings.Standing) -> StandingReport:
    return {
        "best_rank": row.ranks.best,
        "worst_rank": row.ranks.worst,
        **_named(table, row.entrant),
        **_rating(row.rating),
        "plus_or_minus": _WIDTH * row.rating.spread,
        "rating_low": row.interval.low,
        "rating_high": row.interval.high,
        "conservative": row.rating.conservative,
        "live": _rating(row.live),
        "better_than_next": row.better_than_next,
        "against_next": _chances(row.against_next),
        "in_field": _chances(row.in_field),
        "duels": row.duels,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "points_per_hand": points(row.points),
        "faults": row.faults,
        "voids": row.voids,
    }


def _rating(rating: fitting.Rating) -> RatingReport:
    return {"rating": rating.mean, "spread": rating.spread}


def _chances(chances: fitting.Chances | None) -> ChancesReport | None:
    if chances is None:
        return None
    return {"wins_duel": chances.win, "draws_duel": chances.draw, "wins_match": chances.match}


def _apart(table: LeagueTable, apart: standings.Apart) -> ApartReport:
    return {
        **_named(table, apart.entrant),
        "why": apart.why,
        "reason": reason_of(table, apart.entrant),
        "duels": apart.duels,
        "faults": apart.faults,
        "voids": apart.voids,
    }


def reason_of(table: LeagueTable, number: int) -> str | None:
    """Return why an entrant was suspended, or is listed apart for its faults, if it is."""
    if found := table.suspensions.get(number):
        return plain(found.reason)
    faulty = any(each.entrant == number and each.why == "faults" for each in table.standings.apart)
    return "in more than half of its duels" if faulty else None


def _named(table: LeagueTable, number: int) -> Named:
    bot = table.league.entry(number).bot
    return {
        "number": number,
        "entrant": plain(table.names[number]),
        "name": bot.name,
        "version": bot.version,
        "author": bot.author,
        "digest": bot.digest,
    }

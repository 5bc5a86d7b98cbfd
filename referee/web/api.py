"""The JSON API: the reports of the command line, by address."""

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import TypeAdapter
from starlette.responses import Response
from typing_extensions import TypedDict

from referee.errors import NotFoundError
from referee.league.table import LeagueTable
from referee.reports import crosstable as crosstables
from referee.reports import duels, entrants, ratings
from referee.reports.deals import EveryRoom
from referee.reports.facts import Facts
from referee.reports.ratings import HistoryMoment, history
from referee.scheduling.keys import DuelKey
from referee.scheduling.keys import pairing as pair_of
from referee.store.duels import stored_duels
from referee.web.league_cache import LeagueCache

_MOST: Final = 200
"""The most duels in one answer."""
_CROSSTABLE: Final = TypeAdapter(crosstables.Crosstable)
_Name = Annotated[str, Path(description="The name of the league.", max_length=64)]
_Number = Annotated[
    int, Path(description="The number of an entrant in the league.", ge=1, le=10**6)
]
_DuelNumber = Annotated[
    int, Path(description="The number of a duel in its pairing, from 1.", ge=1, le=10**9)
]


class Problem(TypedDict):
    """An error."""

    error: str
    """One sentence."""


class Leagues(TypedDict):
    """The leagues of a store, the latest first."""

    leagues: list[Facts]


class HistoryAnswer(TypedDict):
    """The ratings of a league after each round."""

    league: str
    history: list[HistoryMoment]


class SomeDuels(TypedDict):
    """Some duels of a pairing, in their order."""

    league: str
    first: str
    second: str
    count: int
    """How many the pairing has."""
    duels: list[duels.DuelReport]


class WholeDuel(duels.DuelReport):
    """A duel with every card of its rooms."""

    rooms: EveryRoom
    """Side by side in a game of two teams that is played in tricks; else one after the other."""


async def _cache(request: Request) -> LeagueCache:
    """Return what the application keeps for all its readers."""
    cache: LeagueCache = request.app.state.cache
    return cache


_Cache = Annotated[LeagueCache, Depends(_cache)]
router: Final = APIRouter(
    responses={
        404: {"model": Problem, "description": "Not found."},
        422: {"model": Problem, "description": "A parameter is not valid."},
        503: {
            "model": Problem,
            "description": "The store cannot be read at the moment; try again soon.",
        },
    }
)


@router.get("/leagues")
def all_leagues(cache: _Cache) -> Leagues:
    """All leagues, with the state of each."""
    return {"leagues": [overview.facts for overview in cache.overviews()]}


@router.get("/leagues/{league}")
def one_league(cache: _Cache, league: _Name) -> ratings.Ratings:
    """The table of a league, with its seeds, its voids and the guarantees of the sandbox."""
    return ratings.ratings(cache.edition(league).table)


@router.get("/leagues/{league}/history")
def league_history(cache: _Cache, league: _Name) -> HistoryAnswer:
    """The ratings after each round."""
    edition = cache.edition(league)
    return {"league": league, "history": history(edition.snapshots)}


@router.get("/leagues/{league}/crosstable", response_model=crosstables.Crosstable)
def league_crosstable(cache: _Cache, league: _Name) -> Response:
    """The results of each two entrants that met."""
    edition = cache.edition(league)
    # For a hundred bots it is megabytes.
    answer = edition.rendered.get("crosstable.json", lambda: _crosstable(edition.table))
    return Response(answer, media_type="application/json")


@router.get("/leagues/{league}/entrants/{number}")
def one_entrant(cache: _Cache, league: _Name, number: _Number) -> entrants.EntrantReport:
    """One entrant: results by opponent, how it plays, its slowest decisions and its faults."""
    table = cache.edition(league).table
    if number > len(table.league.entries):
        raise NotFoundError(f"there is no entrant {number} in {league}")
    return entrants.entrant(cache.store, table, number)


@router.get("/leagues/{league}/pairings/{one}-{other}/duels")
def some_duels(  # noqa: PLR0913, PLR0917 (what an address and its query say)
    cache: _Cache,
    league: _Name,
    one: _Number,
    other: _Number,
    after: Annotated[
        int, Query(description="Return only duels with a higher number.", ge=0, le=10**9)
    ] = 0,
    most: Annotated[int, Query(description="The most duels to return.", ge=1, le=_MOST)] = 50,
) -> SomeDuels:
    """The duels of a pairing."""
    edition = cache.edition(league)
    table = edition.table
    first, second = _pair(table, one, other)
    numbers = edition.numbers.get((first, second), ())
    wanted = [number for number in numbers if number >= after][:most]
    span = range(wanted[0], wanted[-1] + 1) if wanted else range(0)
    stored = stored_duels(cache.store, league, (first, second), span)
    return {
        "league": league,
        "first": table.names[first],
        "second": table.names[second],
        "count": len(numbers),
        "duels": [*map(duels.duel, duels.lines(table, stored))],
    }


@router.get("/leagues/{league}/pairings/{one}-{other}/duels/{number}")
def one_duel(
    cache: _Cache, league: _Name, one: _Number, other: _Number, number: _DuelNumber
) -> WholeDuel:
    """A finished duel with every card of all rooms, and where their play differs first."""
    edition = cache.edition(league)
    key = DuelKey(*_pair(edition.table, one, other), number - 1)
    if key.number not in edition.numbers.get(key[:2], ()):
        raise NotFoundError(f"there is no such duel in {league}, or it is not over yet")
    stored = stored_duels(cache.store, league, key[:2], range(key.number, key.number + 1))
    (line,) = duels.lines(edition.table, stored)
    return {**duels.duel(line), "rooms": cache.rooms(line, line.names)}


def _crosstable(table: LeagueTable) -> bytes:
    return _CROSSTABLE.dump_json(crosstables.crosstable(table))


def _pair(table: LeagueTable, one: int, other: int) -> tuple[int, int]:
    if one == other or max(one, other) > len(table.league.entries):
        raise NotFoundError(f"there is no pairing {one}-{other} in {table.league.name}")
    return pair_of(one, other)

"""What programs can ask: the reports of the command line, by address."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from pydantic import TypeAdapter
from starlette.responses import Response
from typing_extensions import TypedDict

from referee.league.table import LeagueTable
from referee.reports import crosstable as crosstables
from referee.reports import duels, entrants, ratings
from referee.reports.deals import BothRooms, both_rooms
from referee.reports.facts import Facts, facts
from referee.reports.ratings import HistoryMoment, history
from referee.scheduling.keys import DuelKey
from referee.scheduling.keys import pairing as pair_of
from referee.store.duels import stored_duels
from referee.web.league_cache import LeagueCache
from referee.web.missing import Missing

_MOST: Final = 200
"""Duels in one answer."""
_CROSSTABLE: Final = TypeAdapter(crosstables.Crosstable)
_Name = Annotated[str, Path(description="The league.", max_length=64)]
_Number = Annotated[int, Path(description="Of an entrant, in the league.", ge=1, le=10**6)]
_DuelNumber = Annotated[int, Path(description="Of a duel, in its pairing, from 1.", ge=1, le=10**9)]


class Problem(TypedDict):
    """Why there is no other answer."""

    error: str
    """One sentence."""


class Leagues(TypedDict):
    """The leagues of a store, the latest first."""

    leagues: list[Facts]


class HistoryAnswer(TypedDict):
    """How the ratings of a league came about."""

    league: str
    history: list[HistoryMoment]


class SomeDuels(TypedDict):
    """Some duels of a pairing, in their order."""

    league: str
    first: str
    second: str
    count: int
    """How many there are."""
    duels: list[duels.DuelReport]


class WholeDuel(duels.DuelReport):
    """A duel with every card of both rooms."""

    rooms: BothRooms


def made(almanac: LeagueCache) -> APIRouter:
    """Make the part of the application that answers programs."""
    router = APIRouter(
        responses={
            404: {"model": Problem, "description": "There is no such thing."},
            422: {"model": Problem, "description": "It was asked wrongly."},
            503: {"model": Problem, "description": "The store cannot be read; try again soon."},
        }
    )
    store = almanac.store

    @router.get("/leagues")
    def all_leagues() -> Leagues:
        """Every league, with how far it is."""
        return {"leagues": [facts(almanac.edition(name).table) for name in almanac.leagues()]}

    @router.get("/leagues/{league}")
    def one_league(league: _Name) -> ratings.Ratings:
        """The table of a league, and what is true of it: seeds, voids, the sandbox."""
        return ratings.ratings(almanac.edition(league).table)

    @router.get("/leagues/{league}/history")
    def league_history(league: _Name) -> HistoryAnswer:
        """The ratings after each round of visits."""
        edition = almanac.edition(league)
        return {"league": league, "history": history(edition.snapshots)}

    @router.get("/leagues/{league}/crosstable", response_model=crosstables.Crosstable)
    def league_crosstable(league: _Name) -> Response:
        """How each did against each."""
        edition = almanac.edition(league)
        # Of a hundred bots it is megabytes.
        told = edition.once("crosstable.json", lambda: _crosstable(edition.table))
        return Response(told, media_type="application/json")

    @router.get("/leagues/{league}/entrants/{number}")
    def one_entrant(league: _Name, number: _Number) -> entrants.EntrantReport:
        """One entrant: against whom, how it plays, its slowest decisions, its faults."""
        table = almanac.edition(league).table
        if number > len(table.league.entries):
            raise Missing(f"there is no entrant {number} in {league}")
        return entrants.entrant(store, table, number)

    @router.get("/leagues/{league}/pairings/{one}-{other}/duels")
    def some_duels(
        league: _Name,
        one: _Number,
        other: _Number,
        after: Annotated[
            int, Query(description="Only duels whose numbers are above this.", ge=0, le=10**9)
        ] = 0,
        most: Annotated[int, Query(description="How many at most.", ge=1, le=_MOST)] = 50,
    ) -> SomeDuels:
        """The duels of a pairing."""
        edition = almanac.edition(league)
        table = edition.table
        first, second = _pair(table, one, other)
        numbers = edition.numbers.get((first, second), ())
        wanted = [number for number in numbers if number >= after][:most]
        span = range(wanted[0], wanted[-1] + 1) if wanted else range(0)
        found = stored_duels(store, league, (first, second), span)
        return {
            "league": league,
            "first": table.names[first],
            "second": table.names[second],
            "count": len(numbers),
            "duels": [*map(duels.duel, duels.lines(table, found))],
        }

    @router.get("/leagues/{league}/pairings/{one}-{other}/duels/{number}")
    def one_duel(league: _Name, one: _Number, other: _Number, number: _DuelNumber) -> WholeDuel:
        """A duel that is over, with every card of both rooms and where they parted."""
        edition = almanac.edition(league)
        key = DuelKey(*_pair(edition.table, one, other), number - 1)
        if key.number not in edition.numbers.get(key[:2], ()):
            raise Missing(f"there is no such duel in {league}, or it is not over yet")
        found = stored_duels(store, league, key[:2], range(key.number, key.number + 1))
        (line,) = duels.lines(edition.table, found)
        return {**duels.duel(line), "rooms": both_rooms(line.rooms, line.names)}

    return router


def _crosstable(table: LeagueTable) -> bytes:
    return _CROSSTABLE.dump_json(crosstables.crosstable(table))


def _pair(table: LeagueTable, one: int, other: int) -> tuple[int, int]:
    if one == other or max(one, other) > len(table.league.entries):
        raise Missing(f"there is no pairing {one}-{other} in {table.league.name}")
    return pair_of(one, other)

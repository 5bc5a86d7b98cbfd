"""Visits, and what a machine says of itself, as JSON: what is sent between machines is no code."""

import json
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from referee import json_fields
from referee.arena.duel import Duel
from referee.arena.limits import Terms
from referee.engine.game import Game
from referee.engine.record import SeededDeal
from referee.errors import RecordError
from referee.json_forms import TERMS, terms_as_json, terms_from_json
from referee.league.channel import VisitId
from referee.league.outcome_forms import isolation_as_json, isolation_from_json
from referee.league.visit import Visit
from referee.store.models import Isolation

_T = TypeVar("_T")
_VISIT: Final = ("run", "number", "terms", "entrants", "digests", "duels")
_DUEL: Final = ("number", "seed", "key", "first_dealer")
_GREETING: Final = ("version", "name", "jobs", "isolation")
_MOST_DUELS: Final = 1024
_LONGEST_NAME: Final = 256
_MOST_JOBS: Final = 1024


class SentVisit(NamedTuple):
    """A visit as a machine gets it, which has the bots by their digests."""

    id: VisitId
    terms: Terms
    entrants: tuple[int, int]
    """A's number in the league, and B's."""
    digests: tuple[str, str]
    duels: tuple[Duel, ...]


class Greeting(NamedTuple):
    """What a machine says of itself."""

    version: str
    """That of Upcard there."""
    name: str
    """What the machine is called."""
    jobs: int
    """How many visits it plays at a time."""
    isolation: Isolation
    """How it isolates bots in a league that is not strict."""


def visit_as_text(visit: Visit) -> str:
    """Return a visit as JSON."""
    return json.dumps(
        {
            "run": visit.id.run,
            "number": visit.id.number,
            "terms": terms_as_json(visit.terms),
            "entrants": visit.numbers,
            "digests": visit.digests,
            "duels": [
                {
                    "number": duel.number,
                    "seed": duel.dealt.seed.hex(),
                    "key": duel.dealt.duel,
                    "first_dealer": duel.first_dealer,
                }
                for duel in visit.duels
            ],
        }
    )


def visit_from_text(text: str) -> SentVisit:
    """Read a visit.

    Raises:
        RecordError: it is not what `visit_as_text` returns.
    """
    found = json_fields.fields(json_fields.parsed(text.encode()), "", _VISIT)
    duels = json_fields.items(found["duels"], "duels", _MOST_DUELS)
    terms = terms_from_json(json_fields.fields(found["terms"], "terms", TERMS))
    return SentVisit(
        VisitId(
            json_fields.text(found["run"], "run", _LONGEST_NAME),
            json_fields.whole(found["number"], "number"),
        ),
        terms,
        _both(found["entrants"], "entrants", _entrant),
        _both(found["digests"], "digests", json_fields.digest),
        tuple(_duel(each, field, terms.game) for field, each in duels),
    )


def _both(read: object, field: str, reader: Callable[[object, str], _T]) -> tuple[_T, _T]:
    match json_fields.items(read, field, 2):
        case [(first, a), (second, b)]:
            return reader(a, first), reader(b, second)
    raise RecordError(field, "must be two, A's first")


def _entrant(read: object, field: str) -> int:
    return json_fields.whole(read, field, 1)


def _duel(read: object, field: str, game: Game) -> Duel:
    found = json_fields.fields(read, field, _DUEL)
    try:
        seed = bytes.fromhex(json_fields.text(found["seed"], f"{field}.seed", 128))
    except ValueError:
        raise RecordError(f"{field}.seed", "must be hexadecimal") from None
    return Duel(
        json_fields.whole(found["number"], f"{field}.number"),
        SeededDeal(seed, json_fields.text(found["key"], f"{field}.key", _LONGEST_NAME)),
        json_fields.one_of(found["first_dealer"], f"{field}.first_dealer", game.dealers),
    )


def greeting_as_text(greeting: Greeting) -> str:
    """Return what a machine says of itself as JSON."""
    return json.dumps(greeting._asdict() | {"isolation": isolation_as_json(greeting.isolation)})


def greeting_from_text(text: str) -> Greeting:
    """Read what a machine says of itself.

    Raises:
        RecordError: it is not what `greeting_as_text` returns.
    """
    found = json_fields.fields(json_fields.parsed(text.encode()), "", _GREETING)
    return Greeting(
        json_fields.text(found["version"], "version", _LONGEST_NAME),
        json_fields.printable(found["name"], "name", _LONGEST_NAME),
        json_fields.whole(found["jobs"], "jobs", 1, _MOST_JOBS),
        isolation_from_json(found["isolation"], "isolation"),
    )

"""Reads a league that a stranger may have exported: what is said, not yet whether it is so."""

from typing import Final, get_args

from referee import shape
from referee.arena.limits import ASK_FORCED, MOST_TABLES, SKIP_FORCED, Policy, Terms, TimeLimits
from referee.errors import RecordError
from referee.publication.league import (
    LONGEST,
    SCHEMA,
    Apartness,
    Committed,
    Entrant,
    Kept,
    Published,
)
from referee.ratings.stopping import By, Until
from referee.store.kept import MOST_ENTRANTS, State

_MOST_EPOCHS: Final = MOST_ENTRANTS
_MOST_GUARANTEES: Final = 100
_LEAGUE: Final = (
    "schema",
    "upcard",
    "name",
    "game",
    "rules",
    "limits",
    "policy",
    "tables",
    "at_least",
    "beat",
    "duels",
    "block",
    "until",
    "state",
    "created",
    "entrants",
    "epochs",
    "sandboxes",
)


def read_league(data: bytes) -> Published:
    """Read `league.json`."""
    read = shape.parsed(data)
    _check_schema(read)
    told = shape.fields(read, "", _LEAGUE)
    return Published(
        upcard=shape.text(told["upcard"], "upcard"),
        name=shape.text(told["name"], "name"),
        terms=_terms(told),
        duels=shape.whole(told["duels"], "duels", 1),
        block=shape.whole(told["block"], "block", 1),
        until=_until(told["until"]),
        state=shape.one_of(told["state"], "state", get_args(State)),
        created=shape.moment(told["created"], "created"),
        entrants=tuple(
            _entrant(each, field)
            for field, each in shape.items(told["entrants"], "entrants", MOST_ENTRANTS)
        ),
        epochs=tuple(
            _committed(each, field)
            for field, each in shape.items(told["epochs"], "epochs", _MOST_EPOCHS)
        ),
        sandboxes=tuple(
            _apartness(each, field) for field, each in shape.items(told["sandboxes"], "sandboxes")
        ),
    )


def _check_schema(read: object) -> None:
    schema = read.get("schema") if isinstance(read, dict) else None
    if type(schema) is not int or schema < 1:
        raise RecordError("schema", "is missing or not a whole number; this is no export")
    if schema > SCHEMA:
        reason = f"is newer than this program reads ({SCHEMA}); update upcard"
        raise RecordError("schema", reason)


def _terms(told: shape.Fields) -> Terms:
    policy = shape.fields(told["policy"], "policy", Policy._fields)
    limits = shape.fields(told["limits"], "limits", TimeLimits._fields)
    return Terms(
        shape.game(told["game"], told["rules"]),
        TimeLimits(**{name: shape.number(limits[name], f"limits.{name}") for name in limits}),
        Policy(shape.whole(policy["forfeit_at"], "policy.forfeit_at", 1)),
        shape.whole(told["tables"], "tables", 1, MOST_TABLES),
        shape.whole(told["at_least"], "at_least", ASK_FORCED, SKIP_FORCED),
        shape.number(told["beat"], "beat"),
    )


def _until(read: object) -> Until | None:
    if read is None:
        return None
    told = shape.fields(read, "until", Until._fields)
    by = shape.one_of(told["by"], "until.by", get_args(By))
    return Until(shape.number(told["confidence"], "until.confidence", 0, 1), by)


def _entrant(read: object, field: str) -> Entrant:
    told = shape.fields(read, field, Entrant._fields)
    withdrawn = told["withdrawn"]
    return Entrant(
        shape.whole(told["number"], f"{field}.number"),
        shape.text(told["name"], f"{field}.name"),
        shape.text(told["version"], f"{field}.version"),
        shape.text(told["author"], f"{field}.author"),
        shape.digest(told["digest"], f"{field}.digest"),
        shape.whole(told["epoch"], f"{field}.epoch"),
        None if withdrawn is None else shape.moment(withdrawn, f"{field}.withdrawn"),
    )


def _committed(read: object, field: str) -> Committed:
    told = shape.fields(read, field, Committed._fields)
    seed = told["seed"]
    return Committed(
        shape.whole(told["number"], f"{field}.number"),
        shape.digest(told["commitment"], f"{field}.commitment"),
        shape.flag(told["given"], f"{field}.given"),
        shape.moment(told["opened"], f"{field}.opened"),
        None if seed is None else bytes.fromhex(shape.digest(seed, f"{field}.seed")),
    )


def _apartness(read: object, field: str) -> Apartness:
    told = shape.fields(read, field, Apartness._fields)
    guarantees = shape.items(told["guarantees"], f"{field}.guarantees", _MOST_GUARANTEES)
    return Apartness(
        shape.flag(told["sandboxed"], f"{field}.sandboxed"),
        shape.flag(told["strict"], f"{field}.strict"),
        shape.whole(told["duels"], f"{field}.duels"),
        tuple(_kept(each, inside) for inside, each in guarantees),
    )


def _kept(read: object, field: str) -> Kept:
    told = shape.fields(read, field, Kept._fields)
    return Kept(*(shape.text(told[name], f"{field}.{name}", LONGEST) for name in Kept._fields))

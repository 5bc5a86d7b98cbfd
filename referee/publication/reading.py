"""Reads a league that a stranger may have exported: what is said, not yet whether it is so."""

from typing import Final, get_args

from referee import json_fields
from referee.arena.limits import ASK_FORCED, MOST_TABLES, SKIP_FORCED, Policy, Terms, TimeLimits
from referee.errors import RecordError
from referee.publication.league import (
    LONGEST,
    SCHEMA,
    Exclusion,
    ExportedEntrant,
    ExportedEpoch,
    ExportedIsolation,
    ExportedLeague,
)
from referee.ratings.stopping import By, Until
from referee.store.models import MOST_ENTRANTS, State

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


def read_league(data: bytes) -> ExportedLeague:
    """Read `league.json`."""
    read = json_fields.parsed(data)
    _check_schema(read)
    told = json_fields.fields(read, "", _LEAGUE)
    return ExportedLeague(
        upcard=json_fields.text(told["upcard"], "upcard"),
        name=json_fields.text(told["name"], "name"),
        terms=_terms(told),
        duels=json_fields.whole(told["duels"], "duels", 1),
        block=json_fields.whole(told["block"], "block", 1),
        until=_until(told["until"]),
        state=json_fields.one_of(told["state"], "state", get_args(State)),
        created=json_fields.moment(told["created"], "created"),
        entrants=tuple(
            _entrant(each, field)
            for field, each in json_fields.items(told["entrants"], "entrants", MOST_ENTRANTS)
        ),
        epochs=tuple(
            _committed(each, field)
            for field, each in json_fields.items(told["epochs"], "epochs", _MOST_EPOCHS)
        ),
        sandboxes=tuple(
            _apartness(each, field)
            for field, each in json_fields.items(told["sandboxes"], "sandboxes")
        ),
    )


def _check_schema(read: object) -> None:
    schema = read.get("schema") if isinstance(read, dict) else None
    if type(schema) is not int or schema < 1:
        raise RecordError("schema", "is missing or not a whole number; this is no export")
    if schema > SCHEMA:
        reason = f"is newer than this program reads ({SCHEMA}); update upcard"
        raise RecordError("schema", reason)


def _terms(told: json_fields.Fields) -> Terms:
    policy = json_fields.fields(told["policy"], "policy", Policy._fields)
    limits = json_fields.fields(told["limits"], "limits", TimeLimits._fields)
    return Terms(
        json_fields.game(told["game"], told["rules"]),
        TimeLimits(**{name: json_fields.number(limits[name], f"limits.{name}") for name in limits}),
        Policy(json_fields.whole(policy["forfeit_at"], "policy.forfeit_at", 1)),
        json_fields.whole(told["tables"], "tables", 1, MOST_TABLES),
        json_fields.whole(told["at_least"], "at_least", ASK_FORCED, SKIP_FORCED),
        json_fields.number(told["beat"], "beat"),
    )


def _until(read: object) -> Until | None:
    if read is None:
        return None
    told = json_fields.fields(read, "until", Until._fields)
    by = json_fields.one_of(told["by"], "until.by", get_args(By))
    return Until(json_fields.number(told["confidence"], "until.confidence", 0, 1), by)


def _entrant(read: object, field: str) -> ExportedEntrant:
    told = json_fields.fields(read, field, ExportedEntrant._fields)
    withdrawn = told["withdrawn"]
    return ExportedEntrant(
        json_fields.whole(told["number"], f"{field}.number"),
        json_fields.text(told["name"], f"{field}.name"),
        json_fields.text(told["version"], f"{field}.version"),
        json_fields.text(told["author"], f"{field}.author"),
        json_fields.digest(told["digest"], f"{field}.digest"),
        json_fields.whole(told["epoch"], f"{field}.epoch"),
        None if withdrawn is None else json_fields.moment(withdrawn, f"{field}.withdrawn"),
    )


def _committed(read: object, field: str) -> ExportedEpoch:
    told = json_fields.fields(read, field, ExportedEpoch._fields)
    seed = told["seed"]
    return ExportedEpoch(
        json_fields.whole(told["number"], f"{field}.number"),
        json_fields.digest(told["commitment"], f"{field}.commitment"),
        json_fields.flag(told["given"], f"{field}.given"),
        json_fields.moment(told["opened"], f"{field}.opened"),
        None if seed is None else bytes.fromhex(json_fields.digest(seed, f"{field}.seed")),
    )


def _apartness(read: object, field: str) -> Exclusion:
    told = json_fields.fields(read, field, Exclusion._fields)
    guarantees = json_fields.items(told["guarantees"], f"{field}.guarantees", _MOST_GUARANTEES)
    return Exclusion(
        json_fields.flag(told["sandboxed"], f"{field}.sandboxed"),
        json_fields.flag(told["strict"], f"{field}.strict"),
        json_fields.whole(told["duels"], f"{field}.duels"),
        tuple(_kept(each, inside) for inside, each in guarantees),
    )


def _kept(read: object, field: str) -> ExportedIsolation:
    told = json_fields.fields(read, field, ExportedIsolation._fields)
    return ExportedIsolation(
        *(
            json_fields.text(told[name], f"{field}.{name}", LONGEST)
            for name in ExportedIsolation._fields
        )
    )

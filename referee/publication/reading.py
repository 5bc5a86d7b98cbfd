"""Reads a league that a stranger may have exported: what is said, not yet whether it is so."""

from typing import Final, get_args

from referee import json_fields
from referee.json_forms import LONGEST_TEXT, TERMS, terms_from_json, until_from_json
from referee.publication.league import (
    SCHEMA,
    SUSPENDING,
    Exclusion,
    ExportedEntrant,
    ExportedEpoch,
    ExportedIsolation,
    ExportedLeague,
)
from referee.store.models import MOST_ENTRANTS, State

_MOST_EPOCHS: Final = MOST_ENTRANTS
_SUSPENDED: Final = ("suspended", "counted_from")
"""The last fields of an entrant, which older exports do not have."""
_MOST_GUARANTEES: Final = 100
_LEVELS: Final = ("enforced", "weak", "missing")
_LEAGUE: Final = (
    "schema",
    "upcard",
    "name",
    *TERMS,
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
    json_fields.refuse_other_schema(read, SCHEMA, "export")
    found = json_fields.fields(read, "", _LEAGUE)
    schema = json_fields.whole(found["schema"], "schema")
    return ExportedLeague(
        upcard=json_fields.printable(found["upcard"], "upcard"),
        name=json_fields.printable(found["name"], "name"),
        terms=terms_from_json(found),
        duels=json_fields.whole(found["duels"], "duels", 1),
        block=json_fields.whole(found["block"], "block", 1),
        until=until_from_json(found["until"]),
        state=json_fields.one_of(found["state"], "state", get_args(State)),
        created=json_fields.moment(found["created"], "created"),
        entrants=tuple(
            _entrant(each, field, schema)
            for field, each in json_fields.items(found["entrants"], "entrants", MOST_ENTRANTS)
        ),
        epochs=tuple(
            _epoch(each, field)
            for field, each in json_fields.items(found["epochs"], "epochs", _MOST_EPOCHS)
        ),
        sandboxes=tuple(
            _exclusion(each, field)
            for field, each in json_fields.items(found["sandboxes"], "sandboxes")
        ),
        schema=schema,
    )


def _entrant(read: object, field: str, schema: int) -> ExportedEntrant:
    names = ExportedEntrant._fields
    found = json_fields.fields(
        read, field, names if schema >= SUSPENDING else names[: -len(_SUSPENDED)]
    )
    withdrawn, suspended = found["withdrawn"], found.get("suspended")
    return ExportedEntrant(
        json_fields.whole(found["number"], f"{field}.number"),
        json_fields.printable(found["name"], f"{field}.name"),
        json_fields.printable(found["version"], f"{field}.version"),
        json_fields.printable(found["author"], f"{field}.author"),
        json_fields.digest(found["digest"], f"{field}.digest"),
        json_fields.whole(found["epoch"], f"{field}.epoch"),
        None if withdrawn is None else json_fields.moment(withdrawn, f"{field}.withdrawn"),
        None if suspended is None else json_fields.whole(suspended, f"{field}.suspended", -1),
        json_fields.whole(found.get("counted_from", 0), f"{field}.counted_from"),
    )


def _epoch(read: object, field: str) -> ExportedEpoch:
    found = json_fields.fields(read, field, ExportedEpoch._fields)
    seed = found["seed"]
    return ExportedEpoch(
        json_fields.whole(found["number"], f"{field}.number"),
        json_fields.digest(found["commitment"], f"{field}.commitment"),
        json_fields.flag(found["given"], f"{field}.given"),
        json_fields.moment(found["opened"], f"{field}.opened"),
        None if seed is None else bytes.fromhex(json_fields.digest(seed, f"{field}.seed")),
    )


def _exclusion(read: object, field: str) -> Exclusion:
    found = json_fields.fields(read, field, Exclusion._fields)
    guarantees = json_fields.items(found["guarantees"], f"{field}.guarantees", _MOST_GUARANTEES)
    return Exclusion(
        json_fields.flag(found["sandboxed"], f"{field}.sandboxed"),
        json_fields.flag(found["strict"], f"{field}.strict"),
        json_fields.whole(found["duels"], f"{field}.duels"),
        tuple(_kept(each, inside) for inside, each in guarantees),
    )


def _kept(read: object, field: str) -> ExportedIsolation:
    found = json_fields.fields(read, field, ExportedIsolation._fields)
    return ExportedIsolation(
        json_fields.printable(found["name"], f"{field}.name"),
        json_fields.one_of(found["level"], f"{field}.level", _LEVELS),
        json_fields.text(found["reason"], f"{field}.reason", LONGEST_TEXT),
    )

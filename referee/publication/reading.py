"""Reads a league that a stranger may have exported: what is said, not yet whether it is so."""

from collections.abc import Mapping
from typing import Any, Final, get_args

from referee import json_fields
from referee.beacon import MOST_ROUNDS, NETWORKS
from referee.errors import RecordError
from referee.json_forms import (
    LONGEST_TEXT,
    TERMS,
    level_from_json,
    rounds_from_json,
    terms_from_json,
    until_from_json,
)
from referee.publication.league import (
    SCHEMA,
    WITH_LOG,
    Exclusion,
    ExportedBeacon,
    ExportedEntrant,
    ExportedEpoch,
    ExportedIsolation,
    ExportedLeague,
)
from referee.store.models import MOST_ENTRANTS, State

_MOST_EPOCHS: Final = MOST_ENTRANTS
_MOST_GUARANTEES: Final = 100
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
    schema = json_fields.refuse_other_schema(read, SCHEMA, "export")
    in_rounds = ("round_duels",) if isinstance(read, dict) and "round_duels" in read else ()
    found = json_fields.fields(read, "", (*_LEAGUE, *in_rounds))
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
            _epoch(each, field, schema)
            for field, each in json_fields.items(found["epochs"], "epochs", _MOST_EPOCHS)
        ),
        sandboxes=tuple(
            _exclusion(each, field)
            for field, each in json_fields.items(found["sandboxes"], "sandboxes")
        ),
        schema=schema,
        round_duels=rounds_from_json(found),
    )


def _entrant(read: object, field: str, schema: int) -> ExportedEntrant:
    found = _fields(read, field, ExportedEntrant, schema)
    withdrawn, suspended, nonce = found["withdrawn"], found["suspended"], found["nonce"]
    hashed = found["nonce_hash"]
    return ExportedEntrant(
        json_fields.whole(found["number"], f"{field}.number"),
        json_fields.printable(found["name"], f"{field}.name"),
        json_fields.printable(found["version"], f"{field}.version"),
        json_fields.printable(found["author"], f"{field}.author"),
        json_fields.digest(found["digest"], f"{field}.digest"),
        json_fields.whole(found["epoch"], f"{field}.epoch"),
        None if withdrawn is None else json_fields.moment(withdrawn, f"{field}.withdrawn"),
        None if suspended is None else json_fields.whole(suspended, f"{field}.suspended", -1),
        json_fields.whole(found["counted_from"], f"{field}.counted_from"),
        None if nonce is None else json_fields.printable(nonce, f"{field}.nonce"),
        None if hashed is None else json_fields.digest(hashed, f"{field}.nonce_hash"),
    )


def _fields(
    read: object, field: str, form: type[ExportedEntrant | ExportedEpoch], schema: int
) -> Mapping[str, Any]:
    """Read the fields of a form; those that a schema does not have yet have their defaults."""
    later = form._field_defaults if schema < WITH_LOG else {}
    names = [name for name in form._fields if name not in later]
    return {**later, **json_fields.fields(read, field, names)}


def _epoch(read: object, field: str, schema: int) -> ExportedEpoch:
    found = _fields(read, field, ExportedEpoch, schema)
    beacon = found["beacon"]
    return ExportedEpoch(
        json_fields.whole(found["number"], f"{field}.number"),
        json_fields.digest(found["commitment"], f"{field}.commitment"),
        json_fields.flag(found["given"], f"{field}.given"),
        json_fields.moment(found["opened"], f"{field}.opened"),
        _seed(found["seed"], f"{field}.seed"),
        _seed(found["secret"], f"{field}.secret"),
        None if beacon is None else _beacon(beacon, f"{field}.beacon"),
    )


def _seed(read: object, field: str) -> bytes | None:
    return None if read is None else bytes.fromhex(json_fields.digest(read, field))


def _beacon(read: object, field: str) -> ExportedBeacon:
    found = json_fields.fields(read, field, ExportedBeacon._fields)
    signature = found["signature"]
    return ExportedBeacon(
        json_fields.one_of(found["network"], f"{field}.network", tuple(NETWORKS)),
        json_fields.whole(found["round"], f"{field}.round", 1, MOST_ROUNDS),
        None if signature is None else _hexadecimal(signature, f"{field}.signature"),
        _hexadecimal(found["previous_signature"], f"{field}.previous_signature"),
    )


def _hexadecimal(read: object, field: str) -> str:
    found = json_fields.text(read, field)
    if len(found) % 2 or not set(found) <= set("0123456789abcdef"):
        raise RecordError(field, "must be hexadecimal digits, two for each byte")
    return found


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
        level_from_json(found["level"], f"{field}.level"),
        json_fields.text(found["reason"], f"{field}.reason", LONGEST_TEXT),
    )

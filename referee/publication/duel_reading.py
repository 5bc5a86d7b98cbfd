"""Reads duels that a stranger may have exported: what is said, not yet whether it is so."""

import json
from typing import Final, NamedTuple

from referee import json_fields
from referee.arena.duel import Timing
from referee.arena.fault import FAULT_KINDS, ROOM_NAMES
from referee.engine.cards import SEAT_TOKENS, Card, Seat
from referee.engine.record import Deck, MatchRecord, from_json
from referee.errors import RecordError
from referee.publication.duels import ExportedDuel, ExportedFault, Slowest, dealt
from referee.publication.league import LONGEST
from referee.scheduling.keys import DuelKey

_DUEL: Final = (
    "key",
    "epoch",
    *DuelKey._fields,
    "wins",
    "margin",
    "hands",
    "faults",
    "slowest",
    "decks",
    "rooms",
)


class ReadDuel(NamedTuple):
    """A line of `duels.jsonl`."""

    label: str
    """The key its decks are made from."""
    epoch: int
    decks: tuple[Deck, ...]
    duel: ExportedDuel


def read_duel(data: bytes) -> ReadDuel:
    """Read a duel."""
    told = json_fields.fields(json_fields.parsed(data), "", _DUEL)
    decks = tuple(_deck(each, field) for field, each in json_fields.items(told["decks"], "decks"))
    duel = ExportedDuel(
        DuelKey(*(json_fields.whole(told[name], name) for name in DuelKey._fields)),
        _rooms(told["rooms"], decks),
        json_fields.whole(told["wins"], "wins", 0, 2),
        json_fields.number(told["margin"], "margin", -json_fields.MOST),
        json_fields.whole(told["hands"], "hands"),
        tuple(_misdeed(each, field) for field, each in json_fields.items(told["faults"], "faults")),
        _slowest(told["slowest"]),
    )
    label = json_fields.text(told["key"], "key")
    return ReadDuel(label, json_fields.whole(told["epoch"], "epoch", 1), decks, duel)


def _deck(read: object, field: str) -> Deck:
    return tuple(
        Card(json_fields.text(card, inside, 8)) for inside, card in json_fields.items(read, field)
    )


def _rooms(read: object, decks: tuple[Deck, ...]) -> tuple[MatchRecord, MatchRecord]:
    match json_fields.items(read, "rooms", 2):
        case [(_, opened), (_, closed)]:
            return _room(opened, "rooms[0]", decks), _room(closed, "rooms[1]", decks)
    raise RecordError("rooms", "must be two records, the open room's first")


def _room(read: object, field: str, decks: tuple[Deck, ...]) -> MatchRecord:
    """Read a record, and put back the decks that are written once for both rooms."""
    if not isinstance(read, dict) or "deal" in read:
        raise RecordError(field, "must be a record without its deal")
    try:
        record = from_json(json.dumps(read | {"deal": {"decks": ()}}))
    except RecordError as error:
        raise RecordError(f"{field}.{error.field}".rstrip("."), error.reason) from None
    except RecursionError:
        raise RecordError(field, "is JSON too deep") from None
    return record._replace(dealt=decks[: dealt(record)])


def _misdeed(read: object, field: str) -> ExportedFault:
    told = json_fields.fields(read, field, ExportedFault._fields)
    return ExportedFault(
        json_fields.one_of(told["kind"], f"{field}.kind", FAULT_KINDS),
        json_fields.whole(told["entrant"], f"{field}.entrant"),
        _seat(told["seat"], f"{field}.seat"),
        _room_number(told["room"], f"{field}.room"),
        json_fields.whole(told["hand"], f"{field}.hand"),
        json_fields.flag(told["forfeits"], f"{field}.forfeits"),
        json_fields.text(told["explanation"], f"{field}.explanation", LONGEST),
    )


def _slowest(read: object) -> Slowest:
    match json_fields.items(read, "slowest", 2):
        case [(_, first), (_, second)]:
            return _timing(first, "slowest[0]"), _timing(second, "slowest[1]")
    raise RecordError("slowest", "must be two decisions, A's first")


def _timing(read: object, field: str) -> Timing | None:
    if read is None:
        return None
    told = json_fields.fields(read, field, Timing._fields)
    return Timing(
        json_fields.number(told["seconds"], f"{field}.seconds"),
        _room_number(told["room"], f"{field}.room"),
        json_fields.whole(told["hand"], f"{field}.hand"),
        _seat(told["seat"], f"{field}.seat"),
        json_fields.text(told["decision"], f"{field}.decision"),
    )


def _seat(read: object, field: str) -> Seat:
    return SEAT_TOKENS.index(json_fields.one_of(read, field, SEAT_TOKENS))


def _room_number(read: object, field: str) -> int:
    return ROOM_NAMES.index(json_fields.one_of(read, field, ROOM_NAMES))

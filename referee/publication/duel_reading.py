"""Reads duels that a stranger may have exported: what is said, not yet whether it is so."""

import json
from typing import Final, NamedTuple

from referee import json_fields
from referee.arena.duel import Timing
from referee.duel_checks import Rooms, Slowest, dealt
from referee.engine.cards import Card
from referee.engine.game import Game
from referee.engine.record import Deck, MatchRecord, from_json
from referee.engine.seating import room_names
from referee.errors import RecordError
from referee.json_forms import fault_from_json, timing_from_json
from referee.publication.duels import ExportedDuel
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


_LONGEST_CARD: Final = 64
"""Characters; the seed of a source is as long."""


class ReadDuel(NamedTuple):
    """A line of `duels.jsonl`."""

    label: str
    """The key its decks are made from."""
    epoch: int
    decks: tuple[Deck, ...]
    duel: ExportedDuel


def read_duel(data: bytes, game: Game) -> ReadDuel:
    """Read a duel of a league that plays a game."""
    found = json_fields.fields(json_fields.parsed(data), "", _DUEL)
    decks = tuple(_deck(each, field) for field, each in json_fields.items(found["decks"], "decks"))
    duel = ExportedDuel(
        DuelKey(*(json_fields.whole(found[name], name) for name in DuelKey._fields)),
        _rooms(found["rooms"], decks, game),
        json_fields.whole(found["wins"], "wins", 0, 2),
        json_fields.number(found["margin"], "margin", -json_fields.MOST),
        json_fields.whole(found["hands"], "hands"),
        tuple(
            fault_from_json(each, field, game)
            for field, each in json_fields.items(found["faults"], "faults")
        ),
        _slowest(found["slowest"], game),
    )
    label = json_fields.text(found["key"], "key")
    return ReadDuel(label, json_fields.whole(found["epoch"], "epoch", 1), decks, duel)


def _deck(read: object, field: str) -> Deck:
    return tuple(
        Card(json_fields.text(card, inside, _LONGEST_CARD))
        for inside, card in json_fields.items(read, field)
    )


def _rooms(read: object, decks: tuple[Deck, ...], game: Game) -> Rooms:
    names = room_names(game)
    found = json_fields.items(read, "rooms", len(names))
    if len(found) < len(names):
        raise RecordError("rooms", f"must be {len(names)} records, in the order of the rooms")
    return tuple(_room(each, field, decks) for field, each in found)


def _room(read: object, field: str, decks: tuple[Deck, ...]) -> MatchRecord:
    """Read a record, and put back the decks that are written once for all rooms."""
    if not isinstance(read, dict) or "deal" in read:
        raise RecordError(field, "must be a record without its deal")
    try:
        record = from_json(json.dumps(read | {"deal": {"decks": ()}}))
    except RecordError as error:
        raise RecordError(f"{field}.{error.field}".rstrip("."), error.reason) from None
    except RecursionError:
        raise RecordError(field, "is JSON too deep") from None
    return record._replace(dealt=decks[: dealt(record)])


def _slowest(read: object, game: Game) -> Slowest:
    match json_fields.items(read, "slowest", 2):
        case [(_, first), (_, second)]:
            return _timing(first, "slowest[0]", game), _timing(second, "slowest[1]", game)
    raise RecordError("slowest", "must be two decisions, A's first")


def _timing(read: object, field: str, game: Game) -> Timing | None:
    return None if read is None else timing_from_json(read, field, game)

"""How what a worker reports is written as JSON, and read back strictly: it may come from anywhere.

There is one form for all `News`, and one for what isolated the bots. Reading checks that each
field has its type and is within bounds; whether a duel can have been so is checked by playing it
again, and not here. A form in one line is no longer than `record_file` reads.
"""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from referee import json_fields
from referee.arena.duel import Timing
from referee.engine.game import Game
from referee.errors import RecordError
from referee.json_forms import (
    LONGEST_TEXT,
    FaultForm,
    fault_as_json,
    fault_from_json,
    guarantee_as_json,
    guarantee_from_json,
    kind_from_json,
    timing_as_json,
    timing_from_json,
)
from referee.league.channel import HalfPlayed, NeverStarted, News
from referee.league.stored_duels import LARGEST_BUNDLE
from referee.scheduling.keys import DuelKey
from referee.store.models import Isolation, Side, StoredDuel, StoredFault, StoredVoid
from referee.store.play import LONGEST
from referee.text import storable

_ALL_BUNDLES: Final = 2 * LARGEST_BUNDLE
"""Bytes of the bundles of one duel; of more, the later ones are left out."""
_MOST_TALLIES: Final = 100
_MOST_GUARANTEES: Final = 100

Form = Mapping[str, object]


def news_as_json(news: News, game: Game) -> Form:
    """Return what a worker reports of a game; its `type` says which of all `News` it is."""
    if isinstance(news, StoredDuel):
        return {"type": "duel", **_duel_as_json(news, game)}
    if isinstance(news, StoredVoid):
        key, reason = [*news.key], storable(news.reason)[:LONGEST_TEXT]
        return {"type": "void", "key": key, "reason": reason, "at": news.at.isoformat()}
    if isinstance(news, HalfPlayed):
        return {"type": "half_played", "key": [*news.key]}
    return {
        "type": "never_started",
        "entrant": news.entrant,
        "kind": news.kind,
        "explanation": storable(news.explanation)[:LONGEST_TEXT],
        "bundle": _as_text(news.bundle),
    }


def news_from_json(read: object, game: Game) -> News:
    """Read what a worker reports of a game.

    Raises:
        RecordError: it is not what `news_as_json` returns.
    """
    said = read.get("type") if isinstance(read, dict) else None
    names, make = _READ[json_fields.one_of(said, "type", tuple(_READ))]
    return make(json_fields.fields(read, "", ("type", *names)), game)


def isolation_as_json(isolation: Isolation) -> Form:
    """Return what isolated bots."""
    return {
        "sandboxed": isolation.sandboxed,
        "strict": isolation.strict,
        "guarantees": [guarantee_as_json(each) for each in isolation.guarantees],
    }


def isolation_from_json(read: object, field: str) -> Isolation:
    """Read what isolated bots.

    Raises:
        RecordError: it is not what `isolation_as_json` returns.
    """
    found = json_fields.fields(read, field, Isolation._fields)
    inside = f"{field}.guarantees"
    guarantees = json_fields.items(found["guarantees"], inside, _MOST_GUARANTEES)
    return Isolation(
        json_fields.flag(found["sandboxed"], f"{field}.sandboxed"),
        json_fields.flag(found["strict"], f"{field}.strict"),
        tuple(guarantee_from_json(each, place) for place, each in guarantees),
    )


# Writing a duel


def _duel_as_json(duel: StoredDuel, game: Game) -> Form:
    return {
        "key": [*duel.key],
        "play": _as_text(duel.play),
        "wins": duel.wins,
        "margin": duel.margin,
        "hands": duel.hands,
        "sides": [_side_as_json(side, game) for side in duel.sides],
        "faults": [*_faults_as_json(duel.faults, game)],
        "finished": duel.finished.isoformat(),
        "digest": duel.digest,
        "identical": duel.identical,
    }


def _side_as_json(side: Side, game: Game) -> Form:
    slowest = side.slowest and timing_as_json(side.slowest, game)
    return {"tallies": dict(side.tallies), "slowest": slowest}


def _faults_as_json(faults: Iterable[StoredFault], game: Game) -> Iterator[Form]:
    room = _ALL_BUNDLES
    for fault in faults:
        bundle = fault.bundle if len(fault.bundle or b"") <= room else None
        room -= len(bundle or b"")
        yield fault_as_json(fault.form, game) | {"bundle": _as_text(bundle)}


def _as_text(data: bytes | None) -> str | None:
    return None if data is None else b64encode(data).decode()


# Reading


def _duel(read: json_fields.Fields, game: Game) -> StoredDuel:
    faults = json_fields.items(read["faults"], "faults")
    return StoredDuel(
        _key(read["key"]),
        _data(read["play"], "play", LONGEST),
        json_fields.whole(read["wins"], "wins", 0, 2),
        json_fields.number(read["margin"], "margin", -json_fields.MOST),
        json_fields.whole(read["hands"], "hands"),
        _sides(read["sides"], game),
        tuple(_fault(each, field, game) for field, each in faults),
        _time(read["finished"], "finished"),
        json_fields.digest(read["digest"], "digest"),
        json_fields.whole(read["identical"], "identical"),
    )


def _void(read: json_fields.Fields, _: Game) -> StoredVoid:
    reason = json_fields.text(read["reason"], "reason", LONGEST_TEXT)
    return StoredVoid(_key(read["key"]), reason, _time(read["at"], "at"))


def _half_played(read: json_fields.Fields, _: Game) -> HalfPlayed:
    return HalfPlayed(_key(read["key"]))


def _never_started(read: json_fields.Fields, _: Game) -> NeverStarted:
    return NeverStarted(
        json_fields.whole(read["entrant"], "entrant", 1),
        kind_from_json(read["kind"], "kind"),
        json_fields.text(read["explanation"], "explanation", LONGEST_TEXT),
        _bundle(read["bundle"], "bundle"),
    )


_READ: Final[Mapping[str, tuple[tuple[str, ...], Callable[[json_fields.Fields, Game], News]]]] = {
    "duel": (StoredDuel._fields, _duel),
    "void": (StoredVoid._fields, _void),
    "half_played": (HalfPlayed._fields, _half_played),
    "never_started": (NeverStarted._fields, _never_started),
}
"""What each type of news has beside that, and what reads it."""


def _key(read: object) -> DuelKey:
    match json_fields.items(read, "key", len(DuelKey._fields)):
        case [(_, first), (_, second), (_, number)]:
            return DuelKey(
                json_fields.whole(first, "key[0]", 1),
                json_fields.whole(second, "key[1]", 1),
                json_fields.whole(number, "key[2]"),
            )
    raise RecordError("key", "must be three numbers: A's, B's and the duel's")


def _sides(read: object, game: Game) -> tuple[Side, Side]:
    match json_fields.items(read, "sides", 2):
        case [(_, first), (_, second)]:
            return _side(first, "sides[0]", game), _side(second, "sides[1]", game)
    raise RecordError("sides", "must be two, A's first")


def _side(read: object, field: str, game: Game) -> Side:
    found = json_fields.fields(read, field, Side._fields)
    slowest = found["slowest"]
    return Side(_tallies(found["tallies"], f"{field}.tallies"), _timing(slowest, field, game))


def _timing(read: object, field: str, game: Game) -> Timing | None:
    return None if read is None else timing_from_json(read, f"{field}.slowest", game)


def _tallies(read: object, field: str) -> Mapping[str, int]:
    if not isinstance(read, dict) or len(read) > _MOST_TALLIES:
        raise RecordError(field, f"must be a JSON object of at most {_MOST_TALLIES} counts")
    return {
        json_fields.printable(name, field): json_fields.whole(
            count, f"{field}.{name}", -json_fields.MOST
        )
        for name, count in read.items()
    }


def _fault(read: object, field: str, game: Game) -> StoredFault:
    names = *FaultForm._fields, "bundle"
    found: dict[str, Any] = dict(json_fields.fields(read, field, names))
    bundle = _bundle(found.pop("bundle"), f"{field}.bundle")
    return StoredFault(**fault_from_json(found, field, game)._asdict(), bundle=bundle)


def _bundle(read: object, field: str) -> bytes | None:
    return None if read is None else _data(read, field, LARGEST_BUNDLE)


def _data(read: object, field: str, most: int) -> bytes:
    try:
        found = b64decode(json_fields.text(read, field, 4 * -(-most // 3)), validate=True)
    except (binascii.Error, ValueError):
        raise RecordError(field, "is no base64") from None
    if len(found) > most:
        raise RecordError(field, f"has more than {most} bytes")
    return found


def _time(read: object, field: str) -> datetime:
    try:
        return json_fields.instant(json_fields.moment(read, field)).astimezone(UTC)
    except OverflowError:
        raise RecordError(field, "is beyond all times") from None

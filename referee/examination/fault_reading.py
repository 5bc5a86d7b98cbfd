"""Reads fault bundles, which may come from anybody: every field is checked, and bounded."""

import base64
import binascii
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from referee import json_fields
from referee.errors import FileError, RecordError
from referee.examination.fault_bundle import SCHEMA, FaultBundle, SentMessage
from referee.json_forms import (
    LONGEST_TEXT,
    SEATED_TERMS,
    kind_from_json,
    room_from_json,
    seat_from_json,
    seated_terms_from_json,
)
from referee.rpc.decoding import AskedTurn, kind_of, read_frame
from referee.rpc.transcript import FROM_BOT, TAIL, TO_BOT

LARGEST: Final = 1 << 24
"""In bytes; what is larger is not read, as no bundle that we wrote is."""
_MOST_SENT: Final = 4 << 20
"""Bytes of a message to a bot; a frame of 256 matches of euchre takes a fortieth of that."""
_MOST_TURNS: Final = 1024
"""In a frame."""
_MOST_CARDS: Final = 64
"""Of a kind in a turn; a game has 52."""
_MOST_MOVES: Final = 10_000
"""In a turn of a game described in RECYCLE."""
_LONGEST_TAIL: Final = 4 * TAIL
"""A byte that is no text is written as four characters."""
_MOST: Final = 1 << 40
_FIELDS: Final = (
    "schema",
    "upcard",
    "bot",
    *SEATED_TERMS,
    "seat",
    "room",
    "fault",
    "ending",
    "output",
    "messages",
)


def read_bundle(path: Path) -> FaultBundle:
    """Read a bundle; an error names the file and the field."""
    try:
        with path.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise FileError(f"{path} is larger than any fault bundle; name another file")
    try:
        return bundle_from_json(data)
    except RecordError as error:
        raise FileError(f"{path}: {error}; name a fault bundle") from None


def unpacked_bundle(data: bytes) -> FaultBundle:
    """Read a bundle that is compressed, as those in a store are.

    Raises:
        RecordError: it is none.
    """
    expand = zlib.decompressobj()
    try:
        found = expand.decompress(data, LARGEST)
    except zlib.error:
        raise RecordError("", "is not compressed as bundles are") from None
    if not expand.eof or expand.unused_data:
        raise RecordError("", "is larger than any fault bundle, or damaged")
    return bundle_from_json(found)


def bundle_from_json(data: bytes) -> FaultBundle:
    """Read a bundle.

    Raises:
        RecordError: it is none.
    """
    read = json_fields.parsed(data)
    json_fields.refuse_other_schema(read, SCHEMA, "fault bundle")
    top = json_fields.fields(read, "", _FIELDS)
    terms = seated_terms_from_json(top)
    bot = json_fields.fields(top["bot"], "bot", ("name", "version", "digest"))
    fault = _fault(top["fault"])
    output = json_fields.fields(top["output"], "output", ("size", "tail"))
    return FaultBundle(
        upcard=json_fields.text(top["upcard"], "upcard", LONGEST_TEXT),
        name=json_fields.text(bot["name"], "bot.name", LONGEST_TEXT),
        version=json_fields.text(bot["version"], "bot.version", LONGEST_TEXT),
        digest=json_fields.text(bot["digest"], "bot.digest", LONGEST_TEXT),
        game=terms.game,
        limits=terms.limits,
        tables=terms.tables,
        at_least=terms.at_least,
        seat=seat_from_json(top["seat"], "seat", terms.game),
        room=room_from_json(top["room"], "room", terms.game),
        kind=kind_from_json(fault["kind"], "fault.kind"),
        explanation=json_fields.text(fault["explanation"], "fault.explanation", LONGEST_TEXT),
        where=json_fields.text(fault["where"], "fault.where", LONGEST_TEXT),
        hand=json_fields.whole(fault["hand"], "fault.hand", 0, _MOST),
        turn=json_fields.whole(fault["turn"], "fault.turn", 0, _MOST),
        forfeits=json_fields.flag(fault["forfeits"], "fault.forfeits"),
        ending=json_fields.text(top["ending"], "ending", LONGEST_TEXT),
        output=json_fields.text(output["tail"], "output.tail", _LONGEST_TAIL),
        output_size=json_fields.whole(output["size"], "output.size", 0, _MOST),
        messages=tuple(_messages(top["messages"])),
    )


def _fault(read: object) -> Mapping[str, Any]:
    words = ("kind", "explanation", "where", "hand", "turn", "forfeits")
    # Bundles did not always name the turn.
    before = {"turn": 0} | read if isinstance(read, dict) else read
    return json_fields.fields(before, "fault", words)


def _messages(read: object) -> Iterator[SentMessage]:
    for field, each in json_fields.items(read, "messages"):
        given = json_fields.fields(each, field, SentMessage._fields)
        data = _bytes(given["data"], f"{field}.data")
        way = json_fields.one_of(given["way"], f"{field}.way", (TO_BOT, FROM_BOT))
        if way == TO_BOT:
            _check_sent(data, f"{field}.data")
        size = json_fields.whole(given["size"], f"{field}.size", len(data), _MOST)
        yield SentMessage(_seconds(given["seconds"], f"{field}.seconds"), way, size, data)


def _check_sent(data: bytes, field: str) -> None:
    """Refuse what no referee sends: a bot gets it again, and a terminal shows it."""
    if len(data) > _MOST_SENT or kind_of(TO_BOT, data) is None:
        raise RecordError(field, "is no message of the referee")
    frame = read_frame(data)
    turns = frame.turns if frame else ()
    if len(turns) > _MOST_TURNS or not all(map(_is_possible, turns)):
        raise RecordError(field, "has turns that no game has")


def _is_possible(asked: AskedTurn) -> bool:
    if asked.game == "recycle":
        return 0 < len(asked.legal) <= _MOST_MOVES
    cards = asked.calls, asked.hand, asked.played, asked.leaders, asked.legal
    return bool(asked.legal) and max(map(len, cards)) <= _MOST_CARDS


def _seconds(read: object, field: str) -> float:
    return json_fields.number(read, field, 0, _MOST, what="a number of seconds")


def _bytes(read: object, field: str) -> bytes:
    try:
        return base64.b64decode(json_fields.text(read, field, LARGEST), validate=True)
    except (binascii.Error, ValueError):
        raise RecordError(field, "must be bytes in base64") from None

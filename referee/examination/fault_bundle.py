"""Fault bundles: all that the author of a bot needs to see a fault, and to make it happen again.

`docs/fault-bundles.md` describes the format. A bundle holds what one seat saw and said, and nothing
else: no token, no seed of the deals, no other hand, no opponent.
"""

import base64
import json
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.arena.fault import ROOM_NAMES, Fault, FaultKind
from referee.arena.limits import Terms, TimeLimits
from referee.bots.digest import bundle_digest
from referee.bots.seating import SeatedBot
from referee.engine.cards import SEAT_TOKENS, Seat
from referee.engine.game import Game
from referee.errors import FileError
from referee.json_forms import SEATED_TERMS, terms_as_json
from referee.rpc.decoding import kind_of
from referee.rpc.transcript import FROM_BOT, Message, TranscriptEvidence

SCHEMA: Final = 1
"""Raised when an older program could misread a new bundle."""
TAIL: Final = 16 * 1024
"""Bytes of its output that are kept, from the end."""
LONGEST_SAID: Final = 4096
"""Bytes kept of one message of the bot; an honest one is shorter."""
_MOST_SAID: Final = 1 << 25
"""Bytes kept of all of them, the last first."""
_TOKEN: Final = re.compile(rb"[0-9a-f]{32}")
_STARS: Final = b"*" * 32
_ANSWERS: Final = "answers"


class SentMessage(NamedTuple):
    """A message as it was kept."""

    seconds: float
    """Since the process was started."""
    way: str
    size: int
    """In bytes; less may have been kept."""
    data: bytes


class FaultBundle(NamedTuple):
    """A fault, and what led to it."""

    upcard: str
    """The version that wrote it."""
    name: str
    version: str
    digest: str
    """Of the bot's files; empty if it is not known."""
    game: Game
    limits: TimeLimits
    tables: int
    """How many matches were open at most."""
    at_least: int
    """The bot was asked where it had at least so many choices."""
    seat: Seat
    room: int
    kind: FaultKind
    explanation: str
    where: str
    hand: int
    """From 0."""
    turn: int
    """The turn that was being decided, 0 if that is not known."""
    forfeits: bool
    ending: str
    """How the process ended; empty if it had not."""
    output: str
    """The end of what it wrote."""
    output_size: int
    messages: tuple[SentMessage, ...]


def bundle_of(fault: Fault, entrant: SeatedBot, terms: Terms, digest: str) -> FaultBundle:
    """Put together what is known of a fault of a bot, whose files have that digest."""
    evidence = fault.evidence
    assert isinstance(evidence, TranscriptEvidence)
    output = _TOKEN.sub(_STARS, evidence.output)
    return FaultBundle(
        upcard=version("upcard-referee"),
        name=entrant.manifest.name,
        version=entrant.manifest.version,
        digest=digest,
        game=terms.game,
        limits=terms.limits,
        tables=terms.tables,
        at_least=terms.at_least,
        seat=fault.seat,
        room=fault.room,
        kind=fault.kind,
        explanation=fault.explanation,
        where=fault.where,
        hand=fault.hand,
        turn=fault.turn,
        forfeits=fault.forfeits,
        ending=evidence.ending,
        output=output[-TAIL:].decode(errors="backslashreplace"),
        output_size=len(output),
        messages=_kept(evidence.messages),
    )


def _kept(messages: Sequence[Message]) -> tuple[SentMessage, ...]:
    """Keep what the bot was told, and of what it said so much as an honest bot would say."""
    kept, left = [], _MOST_SAID
    for seconds, way, data, left_out in reversed(messages):
        part = data
        if way == FROM_BOT:
            part = _without_token(data)[: min(LONGEST_SAID, left)]
            left -= len(part)
        kept.append(SentMessage(round(seconds, 6), way, len(data) + left_out, part))
    return tuple(reversed(kept))


def _without_token(data: bytes) -> bytes:
    """Leave out the token; in an answer the same bytes would be numbers of turns."""
    return data if kind_of(FROM_BOT, data) == _ANSWERS else _TOKEN.sub(_STARS, data)


def write_bundle(directory: Path, fault: Fault, entrant: SeatedBot, terms: Terms) -> Path:
    """Write a fault down in a file of its own; none is ever overwritten."""
    bundle = bundle_of(fault, entrant, terms, bundle_digest(entrant.bundle))
    text = json.dumps(to_json(bundle), indent=1) + "\n"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        number = _highest(path.name for path in directory.iterdir())
        while True:
            number += 1
            path = directory / f"fault-{number:03}-{fault.kind}.json"
            try:
                with path.open("x", encoding="utf-8") as out:
                    out.write(text)
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise FileError(f"cannot write a fault bundle in {directory}: {error.strerror}") from None


def _highest(names: Iterable[str]) -> int:
    found = (re.match(r"fault-(\d{1,9})-", name) for name in names)
    return max((int(match[1]) for match in found if match), default=0)


def to_json(bundle: FaultBundle) -> dict[str, Any]:
    """Return a bundle as it is written."""
    terms = Terms(bundle.game, bundle.limits, tables=bundle.tables, at_least=bundle.at_least)
    return {
        "schema": SCHEMA,
        "upcard": bundle.upcard,
        "bot": {"name": bundle.name, "version": bundle.version, "digest": bundle.digest},
        **terms_as_json(terms, SEATED_TERMS),
        "seat": SEAT_TOKENS[bundle.seat],
        "room": ROOM_NAMES[bundle.room],
        "fault": {
            "kind": bundle.kind,
            "explanation": bundle.explanation,
            "where": bundle.where,
            "hand": bundle.hand,
            "turn": bundle.turn,
            "forfeits": bundle.forfeits,
        },
        "ending": bundle.ending,
        "output": {"size": bundle.output_size, "tail": bundle.output},
        "messages": [
            {
                "seconds": said.seconds,
                "way": said.way,
                "size": said.size,
                "data": base64.b64encode(said.data).decode(),
            }
            for said in bundle.messages
        ],
    }

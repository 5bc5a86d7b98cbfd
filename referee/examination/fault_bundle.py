"""Writes fault bundles: all that the author of a bot needs to see and reproduce a fault.

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

from referee.arena.fault import Fault, FaultKind, StartFailure
from referee.arena.limits import Terms, TimeLimits
from referee.bots.seating import SeatedBot
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.seating import room_names
from referee.errors import FileError
from referee.json_forms import SEATED_TERMS, terms_as_json
from referee.rpc.decoding import kind_of
from referee.rpc.transcript import FROM_BOT, TAIL, Message, TranscriptEvidence

SCHEMA: Final = 1
"""Raised when an older program could misread a new bundle."""
_TOKEN: Final = re.compile(rb"[0-9a-f]{32}")
_STARS: Final = b"*" * 32
_ANSWERS: Final = "answers"


class SentMessage(NamedTuple):
    """A message as a bundle has it."""

    seconds: float
    """Since the process was started."""
    way: str
    size: int
    """In bytes; the data may be less."""
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


def bundle_of(
    fault: Fault | StartFailure, entrant: SeatedBot, terms: Terms, digest: str
) -> FaultBundle:
    """Return the bundle for a fault of a bot whose files have that digest."""
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
        where=fault.where(terms.game),
        hand=fault.hand,
        turn=fault.turn,
        forfeits=fault.forfeits,
        ending=evidence.ending,
        output=output[-TAIL:].decode(errors="backslashreplace"),
        output_size=evidence.output_size,
        messages=_sent_messages(evidence.messages),
    )


def _sent_messages(messages: Sequence[Message]) -> tuple[SentMessage, ...]:
    return tuple(
        SentMessage(
            round(seconds, 6),
            way,
            len(data) + left_out,
            _without_token(data) if way == FROM_BOT else data,
        )
        for seconds, way, data, left_out in messages
    )


def _without_token(data: bytes) -> bytes:
    """Replace the token by stars; in an answer the same bytes would be numbers of turns."""
    return data if kind_of(FROM_BOT, data) == _ANSWERS else _TOKEN.sub(_STARS, data)


def write_bundle(directory: Path, bundle: FaultBundle) -> Path:
    """Write a bundle to a new file, and return its path; no file is overwritten."""
    text = json.dumps(to_json(bundle), indent=1) + "\n"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        number = _highest(path.name for path in directory.iterdir())
        while True:
            number += 1
            path = directory / f"fault-{number:03}-{bundle.kind}.json"
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
    """Return a bundle as JSON."""
    terms = Terms(bundle.game, bundle.limits, tables=bundle.tables, at_least=bundle.at_least)
    return {
        "schema": SCHEMA,
        "upcard": bundle.upcard,
        "bot": {"name": bundle.name, "version": bundle.version, "digest": bundle.digest},
        **terms_as_json(terms, SEATED_TERMS),
        "seat": bundle.game.seats[bundle.seat],
        "room": room_names(bundle.game)[bundle.room],
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

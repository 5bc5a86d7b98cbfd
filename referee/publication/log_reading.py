"""Reads the log of a league that a stranger may have exported, and checks its chain of hashes."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, BinaryIO, Final, NamedTuple

from referee import json_fields
from referee.errors import RecordError
from referee.json_forms import LONGEST_TEXT
from referee.record_file import read_lines, refuse_too_long
from referee.scheduling.keys import DuelKey
from referee.store.chain import START, canonical_json, chained
from referee.store.log import Kind

CLOCK_SET: Final = timedelta(hours=1)
"""What two times may contradict each other by: clocks are set, and two machines have two."""
BODIES: Final[Mapping[Kind, tuple[str, ...]]] = {
    "created": ("name", "plan", "entrants", "commitment"),
    "imported": ("duels",),
    "opened": ("epoch", "digest", "statement"),
    "committed": ("epoch", "commitment"),
    "revealed": ("entrant", "nonce"),
    "beacon": ("epoch", "network", "round", "signature", "previous_signature", "checked"),
    "entered": ("entrant", "digest"),
    "withdrawn": ("entrant",),
    "suspended": ("entrant", "after", "reason"),
    "reinstated": ("entrant", "counted_from"),
    "run": ("version", "isolation"),
    "worker": ("worker", "change", "why", "isolation"),
    "shard": ("version", "isolation", "file"),
    "killed": ("since",),
    "stopped": ("why",),
    "epoch": ("epoch", "commitment", "seed_given", "opened", "entrants"),
    "round": ("round", "pairs"),
    "duel": ("duel", "digest"),
    "void": ("duel", "reason"),
    "unplayed": ("duel",),
    "complete": (),
    "closed": (),
    "reopened": (),
    "exported": ("digest",),
}
"""What an entry of each kind says."""


class LoggedEntry(NamedTuple):
    """An entry of a log, whose place in the chain was checked."""

    number: int
    at: str
    kind: Kind
    body: Mapping[str, Any]
    head: str


def read_log(file: BinaryIO) -> Iterator[LoggedEntry]:
    """Yield the entries; refuse the first that does not follow on the one before."""
    head, last = START, None
    for number, line in enumerate(read_lines(file), start=1):
        entry = _entry(line, number, head)
        at = json_fields.instant(entry.at)
        _refuse_earlier(entry.at, at, last)
        yield entry
        head, last = entry.head, max(last, at) if last else at


def _entry(line: bytes, number: int, before: str) -> LoggedEntry:
    refuse_too_long(line)
    read = json_fields.parsed(line)
    kind = read.get("kind") if isinstance(read, dict) else None
    known = json_fields.one_of(kind, "kind", tuple(BODIES))
    names = "number", "at", "kind", *BODIES[known], "head"
    found = dict(json_fields.fields(read, "", names))
    head = json_fields.digest(found.pop("head"), "head")
    json_fields.expect("number", found["number"], number)
    at = json_fields.moment(found["at"], "at")
    try:
        follows = chained(before, found)
    except (UnicodeEncodeError, RecursionError):
        raise RecordError("", "is no entry that can be chained") from None
    if head != follows:
        raise RecordError("head", "does not follow from the entry and the head before it")
    body = {name: found[name] for name in BODIES[known]}
    return LoggedEntry(number, at, known, body, head)


def _refuse_earlier(moment: str, at: datetime, last: datetime | None) -> None:
    if last and last - at > CLOCK_SET:
        raise RecordError("at", f"is {moment}, earlier than an entry before it")


def logged_key(read: object) -> DuelKey:
    """Read the key of a duel: A's number, B's and its own."""
    items = json_fields.items(read, "duel", 3)
    if len(items) != len(DuelKey._fields):
        raise RecordError("duel", "must be three numbers")
    return DuelKey(*(json_fields.whole(each, field) for field, each in items))


def logged_entrant(entry: LoggedEntry) -> int:
    """Read the number of an entrant."""
    return json_fields.whole(entry.body["entrant"], "entrant", 1)


def logged_epoch(entry: LoggedEntry) -> int:
    """Read the number of an epoch."""
    return json_fields.whole(entry.body["epoch"], "epoch", 1)


def logged_text(entry: LoggedEntry, name: str) -> str:
    """Read text."""
    return json_fields.text(entry.body[name], name, LONGEST_TEXT)


def statement_digest(statement: object) -> str:
    """Return the digest of a statement that was read from JSON."""
    return sha256(canonical_json(statement)).hexdigest()

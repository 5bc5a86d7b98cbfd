"""The log of each league: all that was ever done to it, chained so that nothing of it can change.

An entry is written in the transaction of what it tells of, so a kill leaves both or neither.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Connection, Row, bindparam, func, insert, select

from referee.json_forms import moment
from referee.store.chain import START, canonical_json, chained
from referee.store.database import Store, league_id, reading, sync, writing
from referee.store.exact import exact
from referee.store.rows import DUEL, LOG

Kind = Literal[
    "created",
    "imported",
    "opened",
    "committed",
    "revealed",
    "beacon",
    "entered",
    "withdrawn",
    "suspended",
    "reinstated",
    "run",
    "worker",
    "shard",
    "killed",
    "stopped",
    "epoch",
    "round",
    "duel",
    "void",
    "unplayed",
    "complete",
    "closed",
    "reopened",
    "exported",
]
"""What an entry may tell of; `imported` begins the log of a league that is older than logs."""
WorkerChange = Literal["joined", "refused", "lost", "set aside"]
"""What an entry of the kind `worker` says of one of a cluster's."""
SUSPENDING: Final[frozenset[Kind]] = frozenset(
    {"created", "run", "shard", "suspended", "complete", "closed"}
)
"""A league whose log has one of these suspends entrants; in one that was only played before there
were logs, the duels of those at fault in most of them do not count.
"""
Body = Mapping[str, object]
"""What an entry says beside its `number`, `at`, `kind` and `head`, as JSON has it."""
Unchained = tuple[Kind, datetime, Body]
"""An entry that is to be appended: what it tells of, when that was, and what else it says."""

_LOCKS: Final = 0x75706C67
"""Any number: the class of the advisory locks of logs on a server."""
_INSERT: Final = insert(LOG)
# Made once, as it is asked with each duel.
_LAST: Final = (
    select(LOG.c.number, LOG.c.head)
    .where(LOG.c.league == bindparam("of"))
    .order_by(LOG.c.number.desc())
    .limit(1)
)
_AT_ONCE: Final = 1000


class LogEntry(NamedTuple):
    """An entry of a log."""

    number: int
    """From 1."""
    kind: str
    at: datetime
    body: Mapping[str, Any]
    head: str
    """Of the chain, with this entry, in hexadecimal."""


class Head(NamedTuple):
    """How long a log is, and the head of its chain."""

    number: int
    """Of the last entry; 0 if there is none."""
    head: str
    """In hexadecimal."""


def append(connection: Connection, league: int, kind: Kind, at: datetime, body: Body) -> Head:
    """Append an entry to the log of a league, as `append_all` does; return the head."""
    return append_all(connection, league, [(kind, at, body)])


def append_all(connection: Connection, league: int, new: Sequence[Unchained]) -> Head:
    """Append entries to the log of a league, in this order; return the head.

    Others who append wait for the end of the transaction. So nothing that another transaction
    locks before it appends may be locked after this.

    Args:
        connection: the transaction that writes what the entries tell of.
        league: its id.
        new: one entry or more.
    """
    last = _last(connection, league)
    if not last.number and new[0][0] != "created":
        duels = connection.scalar(select(func.count()).where(DUEL.c.league == league))
        new = [("imported", new[0][1], {"duels": duels}), *new]
    return _chain(connection, league, last, new)


def append_export(store: Store, name: str, digest: str, now: datetime) -> None:
    """Append that a league was exported, unless the last entry says so of the same export."""
    with writing(store) as connection:
        league = league_id(connection, name)
        asked = select(LOG.c.kind, LOG.c.body).order_by(LOG.c.number.desc()).limit(1)
        found = connection.execute(asked.where(LOG.c.league == league)).one_or_none()
        body = {"digest": digest}
        if found is None or (found.kind, json.loads(found.body)) != ("exported", body):
            append(connection, league, "exported", now, body)


def _last(connection: Connection, league: int) -> Head:
    if connection.dialect.name != "sqlite":  # there, only one transaction writes at a time
        connection.execute(select(func.pg_advisory_xact_lock(_LOCKS, league)))
    return _head(connection, league)


def _head(connection: Connection, league: int) -> Head:
    found = connection.execute(_LAST, {"of": league}).first()
    return Head(found.number, found.head.hex()) if found else Head(0, START)


def _chain(connection: Connection, league: int, last: Head, new: Iterable[Unchained]) -> Head:
    """Insert entries after the last one; return the new head."""
    rows = []
    for number, (kind, at, body) in enumerate(new, last.number + 1):
        form = entry_as_json(number, kind, at, body)
        assert len(form) == 3 + len(body), body
        last = Head(number, chained(last.head, form))
        written, after = canonical_json(body).decode(), bytes.fromhex(last.head)
        row = {"league": league, "number": number, "at": at, "kind": kind, "body": written}
        rows.append(row | {"head": after})
    connection.execute(_INSERT, rows)
    return last


def entry_as_json(number: int, kind: str, at: datetime, body: Body) -> dict[str, object]:
    """Return an entry as it is chained and exported, without its head."""
    return {"number": number, "at": moment(at.astimezone(UTC)), "kind": kind, **body}


def head(store: Store, name: str) -> Head:
    """Return the head of a league's log, which the disk holds by then: it may be shown."""
    with reading(store) as connection:
        found = _head(connection, league_id(connection, name))
        sync(connection)
        return found


def entries(store: Store, name: str) -> Iterator[LogEntry]:
    """Yield the entries of a league's log, the oldest first, which the disk holds by then.

    A few are read at a time.
    """
    asked = select(LOG).order_by(LOG.c.number)
    with reading(store) as connection:
        these = asked.where(LOG.c.league == league_id(connection, name))
        sync(connection)
        with connection.execution_options(yield_per=_AT_ONCE).execute(these) as found:
            for row in found:
                yield _entry(row)


def kinds(store: Store, name: str, after: int) -> dict[str, int]:
    """Return how many entries of each kind the log of a league has after an entry's number."""
    with reading(store) as connection:
        these = (LOG.c.league == league_id(connection, name)) & (LOG.c.number > after)
        asked = select(LOG.c.kind, func.count()).where(these).group_by(LOG.c.kind)
        return dict(connection.execute(asked).all())


def _entry(row: Row[Any]) -> LogEntry:
    body = json.loads(row.body)
    return exact(LogEntry, (row.number, row.kind, row.at, body, row.head.hex()))

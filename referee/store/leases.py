"""Leases: one process at a time runs a league, and the next takes over if it was killed.

A lease is a row with a random token and a heartbeat. Every write of a run first renews the
heartbeat in the same transaction, by the token; so a process that was taken for dead and was not
writes nothing more. On one machine a process is dead when it is gone; on another, when its
heartbeat is a minute old, by the database's own clock.
"""

import os
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    delete,
    insert,
    literal_column,
    select,
    update,
)

from referee.errors import ConfigError, UpcardError
from referee.json_forms import moment
from referee.store.database import Store, league_id, reading, writing
from referee.store.log import Body, Kind, append
from referee.store.models import Isolation
from referee.store.rows import LEAGUE, LEASE

SILENT: Final = 60.0
"""Seconds after which a process on another machine counts as dead."""
_NOW: Final[Mapping[str, ColumnElement[float]]] = {
    "sqlite": literal_column("(julianday('now') - 2440587.5) * 86400.0"),
    "postgresql": literal_column("extract(epoch from clock_timestamp())::float8"),
}
_START: Final = 19
"""Where in /proc/PID/stat the start of a process stands, counted after its name."""


class _Process(NamedTuple):
    host: str
    machine: str
    """The boot of the machine and the processes visible from here: where a pid means the same."""
    pid: int
    started: int
    """In ticks since the boot, so that a number used again is told apart."""


class Run(NamedTuple):
    """A run of a league that goes on."""

    host: str
    pid: int
    since: datetime
    silent: float
    """Seconds since it was last heard of."""


class Lease:
    """That this process runs a league; it is released at the end of `lease`."""

    __slots__ = ("isolation", "league", "name", "renewal", "store", "token")

    isolation: tuple[Isolation, int] | None
    """That of the duel that was stored last, and its id."""

    def __init__(self, store: Store, league: int, name: str) -> None:
        """Draw a token; nothing is in the database yet."""
        self.store = store
        self.league = league
        self.name = name
        self.token = secrets.token_hex(16)
        self.isolation = None
        # Made once, as every write begins with it.
        self.renewal = (
            update(LEASE)
            .where(LEASE.c.league == league, LEASE.c.token == self.token)
            .values(heartbeat=_NOW[store.engine.dialect.name])
        )

    def renew(self) -> None:
        """Renew the heartbeat; to be done every few seconds, when nothing is written.

        Raises:
            UpcardError: another has taken over.
        """
        with fenced(self, durable=False):
            pass

    def log(self, kind: Kind, body: Body) -> None:
        """Append an entry to the league's log.

        Raises:
            UpcardError: another has taken over.
        """
        with fenced(self) as connection:
            append(connection, self.league, kind, datetime.now(UTC), body)


@contextmanager
def lease(store: Store, name: str) -> Iterator[Lease]:
    """Run a league, alone, while the context lasts.

    Raises:
        ConfigError: another process runs it.
    """
    own = _acquire(store, name)
    try:
        yield own
    finally:
        # Nobody need wait for one whose process is gone, should this not succeed.
        with suppress(UpcardError):
            _release(own)


@contextmanager
def fenced(own: Lease, *, durable: bool = True) -> Iterator[Connection]:
    """Write in one transaction, if the league is still ours.

    Args:
        own: the lease, whose heartbeat this renews.
        durable: as `writing` takes it.

    Raises:
        UpcardError: another has taken over.
    """
    with writing(own.store, durable=durable) as connection:
        if connection.execute(own.renewal).rowcount != 1:
            raise UpcardError(_lost(connection, own))
        yield connection


def _lost(connection: Connection, own: Lease) -> str:
    found = connection.execute(select(LEASE).where(LEASE.c.league == own.league)).one_or_none()
    by = f"by {_process_text(found)}" if found else "by another, which has ended"
    return f"league {own.name} was taken over {by}; nothing more is stored by this run"


def _acquire(store: Store, name: str) -> Lease:
    here = _this_process()
    with writing(store) as connection:
        own = Lease(store, league_id(connection, name), name)
        # In this order: what writes by a lease locks the lease first, and the league after it.
        held = select(LEASE.c.league).where(LEASE.c.league == own.league)
        connection.execute(held.with_for_update())
        league_id(connection, name, alone=True)
        found = _holder(store, connection, own.league)
        if found:
            _refuse_living(name, found, here)
            connection.execute(delete(LEASE).where(LEASE.c.league == own.league))
        since = datetime.now(UTC)
        row = {"league": own.league, "token": own.token, "since": since, **here._asdict()}
        connection.execute(insert(LEASE).values(**row, heartbeat=_NOW[store.engine.dialect.name]))
        if found:
            append(connection, own.league, "killed", since, {"since": moment(found.since)})
    return own


def _holder(store: Store, connection: Connection, league: int) -> Row[Any] | None:
    """Return the process that holds a league, alive or dead, and what time it is."""
    now = _NOW[store.engine.dialect.name]
    asked = select(LEASE, now.label("now")).where(LEASE.c.league == league)
    return connection.execute(asked).one_or_none()


def _release(own: Lease) -> None:
    ours = (LEASE.c.league == own.league) & (LEASE.c.token == own.token)
    with writing(own.store) as connection:
        connection.execute(delete(LEASE).where(ours))


def _refuse_living(name: str, found: Row[Any], here: _Process) -> None:
    if not _lives(found, here):
        return
    running = f"league {name} is being run by {_process_text(found)}"
    if found.machine == here.machine:
        raise ConfigError(f"{running}; stop that, or wait for its end")
    silent = max(0, found.now - found.heartbeat)
    raise ConfigError(
        f"{running}, which was last heard of {silent:.0f} s ago; stop that, or wait until it has "
        f"been silent for {SILENT:.0f} s"
    )


def _lives(found: Row[Any], here: _Process) -> bool:
    if found.machine == here.machine:
        return bool(_start_time(found.pid) == found.started)
    return bool(found.now - found.heartbeat < SILENT)


def _process_text(found: Row[Any]) -> str:
    return f"process {found.pid} on {found.host} since {found.since:%Y-%m-%d %H:%M:%S} UTC"


def lease_holder(store: Store, name: str) -> str | None:
    """Return the process that runs a league, if one does; one that was killed does not."""
    with reading(store) as connection:
        found = _holder(store, connection, league_id(connection, name))
    return _process_text(found) if found and _lives(found, _this_process()) else None


def running_leagues(store: Store) -> dict[str, Run]:
    """Return the runs that go on, by the names of their leagues, by one query."""
    now = _NOW[store.engine.dialect.name].label("now")
    with reading(store) as connection:
        found = connection.execute(
            select(LEASE, LEAGUE.c.name, now).join(LEAGUE, LEAGUE.c.id == LEASE.c.league)
        ).all()
    here = _this_process()
    return {
        row.name: Run(row.host, row.pid, row.since, max(0.0, row.now - row.heartbeat))
        for row in found
        if _lives(row, here)
    }


def _this_process() -> _Process:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    processes = Path("/proc/self/ns/pid").readlink()
    started = _start_time(os.getpid())
    assert started is not None
    return _Process(socket.gethostname(), f"{boot} {processes}", os.getpid(), started)


def _start_time(pid: int) -> int | None:
    """Return when a process was started; None if it is gone, or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in ("Z", "X") else int(fields[_START])

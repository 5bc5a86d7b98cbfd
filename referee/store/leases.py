"""Lets one process at a time run a league, and takes over from one that was killed.

Who runs a league stands in the database, with a token that only she has. Every write of a run
first renews it in the same transaction, so one that was taken for dead and was not writes nothing
more. On one machine a process is dead when it is gone; on another, when it has shown no sign of
life for a minute, by the database's own clock.
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
from referee.store.database import Store, reading, writing
from referee.store.finding import league_id
from referee.store.models import Isolation
from referee.store.rows import LEASE

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


class Lease:
    """That this process runs a league; it is given up by leaving `hold`."""

    __slots__ = ("held", "league", "name", "renewal", "store", "token")

    held: tuple[Isolation, int] | None
    """What kept bots apart in the duel that was stored last, and its id."""

    def __init__(self, store: Store, league: int, name: str) -> None:
        """Draw a token; it holds nothing yet."""
        self.store = store
        self.league = league
        self.name = name
        self.token = secrets.token_hex(16)
        self.held = None
        # Made once, as every write begins with it.
        self.renewal = (
            update(LEASE)
            .where(LEASE.c.league == league, LEASE.c.token == self.token)
            .values(beat=_NOW[store.engine.dialect.name])
        )

    def renew(self) -> None:
        """Show a sign of life; to be done every few seconds, when nothing is written.

        Raises:
            UpcardError: another has taken over.
        """
        with fenced(self):
            pass


@contextmanager
def lease(store: Store, name: str) -> Iterator[Lease]:
    """Run a league, alone, while the context lasts.

    Raises:
        ConfigError: another process runs it.
    """
    held = _take(store, name)
    try:
        yield held
    finally:
        # Nobody need wait for one whose process is gone, should this not succeed.
        with suppress(UpcardError):
            _give_up(held)


@contextmanager
def fenced(held: Lease) -> Iterator[Connection]:
    """Write in one transaction, if the league is still ours.

    Raises:
        UpcardError: another has taken over.
    """
    with writing(held.store) as connection:
        if connection.execute(held.renewal).rowcount != 1:
            raise UpcardError(_lost(connection, held))
        yield connection


def _lost(connection: Connection, held: Lease) -> str:
    found = connection.execute(select(LEASE).where(LEASE.c.league == held.league)).one_or_none()
    by = f"by {_named(found)}" if found else "by another, who is done"
    return f"league {held.name} was taken over {by}; nothing more is stored by this run"


def _take(store: Store, name: str) -> Lease:
    here = _here()
    with writing(store) as connection:
        held = Lease(store, league_id(connection, name, alone=True), name)
        found = _found(store, connection, held.league)
        if found:
            _refuse_living(name, found, here)
            connection.execute(delete(LEASE).where(LEASE.c.league == held.league))
        since = datetime.now(UTC)
        row = {"league": held.league, "token": held.token, "since": since, **here._asdict()}
        connection.execute(insert(LEASE).values(**row, beat=_NOW[store.engine.dialect.name]))
    return held


def _found(store: Store, connection: Connection, league: int) -> Row[Any] | None:
    """Return who holds a league, alive or dead, and what time it is."""
    now = _NOW[store.engine.dialect.name]
    asked = select(LEASE, now.label("now")).where(LEASE.c.league == league)
    return connection.execute(asked).one_or_none()


def _give_up(held: Lease) -> None:
    ours = (LEASE.c.league == held.league) & (LEASE.c.token == held.token)
    with writing(held.store) as connection:
        connection.execute(delete(LEASE).where(ours))


def _refuse_living(name: str, found: Row[Any], here: _Process) -> None:
    if not _lives(found, here):
        return
    told = f"league {name} is being run by {_named(found)}"
    if found.machine == here.machine:
        raise ConfigError(f"{told}; stop that, or wait for its end")
    silent = max(0, found.now - found.beat)
    raise ConfigError(
        f"{told}, which was last heard of {silent:.0f} s ago; stop that, or wait until it has been "
        f"silent for {SILENT:.0f} s"
    )


def _lives(found: Row[Any], here: _Process) -> bool:
    if found.machine == here.machine:
        return bool(_start_of(found.pid) == found.started)
    return bool(found.now - found.beat < SILENT)


def _named(found: Row[Any]) -> str:
    return f"process {found.pid} on {found.host} since {found.since:%Y-%m-%d %H:%M:%S} UTC"


def lease_holder(store: Store, name: str) -> str | None:
    """Return who runs a league, if anybody does; one that was killed does not."""
    with reading(store) as connection:
        found = _found(store, connection, league_id(connection, name))
    return _named(found) if found and _lives(found, _here()) else None


def _here() -> _Process:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    processes = Path("/proc/self/ns/pid").readlink()
    started = _start_of(os.getpid())
    assert started is not None
    return _Process(socket.gethostname(), f"{boot} {processes}", os.getpid(), started)


def _start_of(pid: int) -> int | None:
    """Return when a process was started; None if it is gone, or dead and not yet buried."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in ("Z", "X") else int(fields[_START])

"""The channel on which workers send each duel as soon as it is over, and are asked to wind up.

A worker connects to the coordinator's socket, says which visit it plays, sends its outcomes as
messages, and hangs up when its session is over. So what it has sent is received even if it is
killed the next moment, and half a message is received by nobody. Neither side ever waits for the
other: a worker that is stopped in the middle of a message holds up nobody, and a coordinator that
does not read holds up no worker.
"""

import asyncio
import pickle
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from struct import Struct
from time import sleep
from typing import Final, NamedTuple, Self

from referee.arena.fault import FaultKind
from referee.errors import FileError
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredOutcome


class VisitId(NamedTuple):
    """What tells a visit from all others, of this run and of any other."""

    run: str
    number: int
    """Of the visit in its run."""


class HalfPlayed(NamedTuple):
    """That the first match of a duel is over, which only shows how far a visit is."""

    key: DuelKey


class NeverStarted(NamedTuple):
    """That an entrant failed to start again and again, which ended its visit."""

    entrant: int
    """Its number in the league."""
    kind: FaultKind
    explanation: str
    """How it failed the last time, in words, for the bot's author."""
    bundle: bytes | None
    """The fault bundle, compressed, as in `StoredFault`."""


News = StoredOutcome | HalfPlayed | NeverStarted
Send = Callable[[News], None]


class Sent(NamedTuple):
    """What came of a visit, as its worker sent it."""

    visit: VisitId
    news: News


_TOGETHER: Final = 0.05
"""Seconds for more to come in after the first: what is written together costs a quarter less."""
_LENGTH: Final = Struct(">I")
_AT_ONCE: Final = 1 << 16


class ResultChannel:
    """The coordinator's end, to which all workers connect."""

    def __init__(self, directory: Path) -> None:
        """Open a socket in a directory that nobody else can enter.

        Raises:
            FileError: it has no room for one, or its path is too long.
        """
        self.address = str(directory / "results")
        self._listener = socket.socket(socket.AF_UNIX)
        try:
            self._listener.bind(self.address)
        except OSError as error:
            self._listener.close()
            raise FileError(
                f"cannot make a socket in {directory}: {error.strerror or error}; fix that, or "
                "name another directory in TMPDIR"
            ) from None
        self._listener.listen()
        self._woken, self._waker = socket.socketpair()
        self._workers: dict[socket.socket, _Worker] = {}
        self._winding_up: set[str] = set()
        """The runs that wind up."""

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all connections."""
        for each in (*self._sockets, self._waker):
            each.close()

    def receive(self, seconds: float) -> Iterator[Sent]:
        """Yield outcomes, having waited so long at most for the first of them."""
        first = list(self._received(seconds))
        yield from first
        if first:
            sleep(_TOGETHER)
            yield from self.receive_all()

    def receive_all(self) -> Iterator[Sent]:
        """Yield all that was sent by now, by those too that have hung up since."""
        while wait(self._sockets, 0):
            yield from self._received(0)

    def wake(self) -> None:
        """End a `receive` that is waiting, from any thread."""
        with suppress(OSError):  # nobody receives any more
            self._waker.send(b"!")

    @property
    def _sockets(self) -> list[socket.socket]:
        return [self._listener, self._woken, *self._workers]

    def _received(self, seconds: float) -> Iterator[Sent]:
        """Yield the messages that have come in whole."""
        for ready in wait(self._sockets, seconds):
            assert isinstance(ready, socket.socket)
            if ready is self._woken:
                ready.recv(1)
            elif ready is self._listener:
                self._accept()
            else:
                yield from self._read(ready)

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        connection.setblocking(False)
        self._workers[connection] = _Worker()

    def _read(self, connection: socket.socket) -> Iterator[Sent]:
        worker = self._workers[connection]
        try:
            came = connection.recv(_AT_ONCE)
        except OSError:
            came = b""
        if not came:
            connection.close()
            del self._workers[connection]
        worker.partial += came
        while message := _first_message(worker.partial):
            read = pickle.loads(message)  # noqa: S301 (from a process that we started)
            if worker.visit:
                yield Sent(worker.visit, read)
                continue
            worker.visit = read
            if came and worker.visit.run in self._winding_up:
                _ask_to_wind_up(connection)

    def wind_up(self, run: str) -> None:
        """Ask all workers of a run, and any that connects later, to begin no other duel."""
        if run not in self._winding_up:
            self._winding_up.add(run)
            for connection, worker in self._workers.items():
                if worker.visit and worker.visit.run == run:
                    _ask_to_wind_up(connection)


@dataclass(slots=True)
class _Worker:
    partial: bytearray = field(default_factory=bytearray)
    """What it has sent of a message that is not whole yet."""
    visit: VisitId | None = None
    """What it plays, once it has said so."""


def _first_message(partial: bytearray) -> bytes:
    """Take the first whole message off what has come in; empty if there is none yet."""
    if len(partial) < _LENGTH.size:
        return b""
    (length,) = _LENGTH.unpack_from(partial)
    end = _LENGTH.size + length
    if len(partial) < end:
        return b""
    message = bytes(partial[_LENGTH.size : end])
    del partial[:end]
    return message


def _ask_to_wind_up(worker: socket.socket) -> None:
    with suppress(OSError):
        worker.send(b"!")


@asynccontextmanager
async def connect(address: str, visit: VisitId) -> AsyncIterator[tuple[Send, asyncio.Event]]:
    """Connect the worker of a visit; return what sends, and what is set once it has to wind up.

    What is sent is sent at once. At its end all that was sent is on its way.
    """
    reader, writer = await asyncio.open_unix_connection(address)
    wind_up = asyncio.Event()
    asked = asyncio.ensure_future(_await_wind_up(reader, wind_up))

    def send(what: News | VisitId) -> None:
        message = pickle.dumps(what)
        writer.write(_LENGTH.pack(len(message)) + message)

    send(visit)
    try:
        yield send, wind_up
    finally:
        asked.cancel()
        writer.close()
        with suppress(OSError):  # nobody receives any more
            await writer.wait_closed()


async def _await_wind_up(reader: asyncio.StreamReader, wind_up: asyncio.Event) -> None:
    # Only one message is ever sent there, and a closed connection means the same.
    with suppress(OSError):
        await reader.read(1)
    wind_up.set()

"""Passes on what a bot and gRPC's server send each other, and cuts a bot that floods the server.

A bot dials a socket of the relay's, which dials the one of the server. What the bot sends is
counted before it is passed on (see `traffic`): what would have been a flood for the server, its
parser and its threads, is a few chunks of bytes here that are looked at and dropped. Neither side
is read while the other does not take what it is sent, so at most one chunk waits for each.

The sockets are used without transports of asyncio's, which would take twice as long.
"""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from referee.errors import FileError
from referee.rpc.traffic import Allowance, FrameCounter

_MOST_AT_ONCE: Final = 8
"""Connections of a bot at a time; each forked process of one may have its own."""
_WAITING: Final = 16
"""Connections that wait to be taken."""
_CHUNK: Final = 65536


class Relay:
    """Between the socket of one seat and the server for it; one process dials in at a time."""

    def __init__(self) -> None:
        """Begin without a process: nobody may dial in."""
        self._allowance = Allowance()
        self._report: Callable[[str], None] | None = None
        self._relayed: set[_RelayedConnection] = set()
        self._listener: socket.socket | None = None
        self._server = ""
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def listening(self, path: Path, server: Path) -> Iterator[None]:
        """Take the connections to a new socket and pass them on to the server's.

        Raises:
            FileError: there cannot be one.
        """
        with socket.socket(socket.AF_UNIX) as listener:
            try:
                listener.bind(str(path))
                path.chmod(0o777)  # its directory says who can get there
            except OSError:
                raise no_socket(path) from None
            listener.listen(_WAITING)
            listener.setblocking(False)
            self._listener, self._server = listener, str(server)
            try:
                yield
            finally:
                self.drop()

    def expect(self, report: Callable[[str], None]) -> None:
        """Take the connections of a new process; what it floods the server with is reported."""
        self.drop()
        self._allowance, self._report = Allowance(), report
        if self._listener:
            self._loop.add_reader(self._listener, self._accept)

    def drop(self) -> None:
        """End all connections, and take no others."""
        self._report = None
        if self._listener:
            self._loop.remove_reader(self._listener)
        for relayed in list(self._relayed):
            relayed.close()

    def sends(self, size: int) -> None:
        """Note that the bot is sent a message of so many bytes, which it may answer."""
        self._allowance.extend(size)

    def _accept(self) -> None:
        assert self._listener
        try:
            server = socket.socket(socket.AF_UNIX)
        except OSError:
            return  # we are out of files; it waits until there are some
        try:
            bot, _ = self._listener.accept()
        except OSError:
            server.close()
            return  # likewise, or it has hung up
        self._allowance.use_connection()
        relayed = _RelayedConnection(self, bot, server, FrameCounter(self._allowance))
        self._relayed.add(relayed)
        if self._allowance.flood:
            self.refuse(relayed)
        elif len(self._relayed) > _MOST_AT_ONCE or not relayed.connect(self._server):
            relayed.close()

    def forget(self, relayed: "_RelayedConnection") -> None:
        """Note that a connection has ended."""
        self._relayed.discard(relayed)

    def refuse(self, relayed: "_RelayedConnection") -> None:
        """End a connection that sent what is not passed on; if that is a flood, end all of them."""
        report = self._report
        if not self._allowance.flood:
            relayed.close()
        elif report:
            self.drop()
            report(self._allowance.flood)


def no_socket(path: Path) -> FileError:
    """Return the error that says that there can be no socket at a path."""
    return FileError(
        f"cannot make the socket {path}: {path.parent} has no room, or its path is too "
        "long; see to that, or name another place in TMPDIR"
    )


class _RelayedConnection:
    """One connection of a bot, and the one to the server that it is passed on to."""

    def __init__(
        self, relay: Relay, bot: socket.socket, server: socket.socket, counter: FrameCounter
    ) -> None:
        self._relay = relay
        self._counter = counter
        self._loop = asyncio.get_running_loop()
        self._bot, self._server = bot, server
        self._ended = 0
        """How many of the two have said that nothing will follow."""
        self._bot.setblocking(False)
        self._server.setblocking(False)

    def connect(self, server: str) -> bool:
        """Begin to pass on; return False if the server is not there, or is too busy."""
        try:
            self._server.connect(server)
        except OSError:
            return False
        self._loop.add_reader(self._bot, self._read_bot)
        self._loop.add_reader(self._server, self._read_server)
        return True

    def close(self) -> None:
        self._relay.forget(self)
        for each in (self._bot, self._server):
            if each.fileno() >= 0:
                self._loop.remove_reader(each)
                self._loop.remove_writer(each)
                each.close()

    def _read_bot(self) -> None:
        data = self._read(self._bot, self._server)
        if not data:
            return
        if self._counter.count(data):
            self._pass_on(data, self._bot, self._read_bot, self._server)
        else:
            self._relay.refuse(self)

    def _read_server(self) -> None:
        data = self._read(self._server, self._bot)
        if data:
            self._pass_on(data, self._server, self._read_server, self._bot)

    def _read(self, source: socket.socket, target: socket.socket) -> bytes:
        """Return what came in; if that was all, pass on that nothing will follow."""
        try:
            data = source.recv(_CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            self.close()
            return b""
        if not data:
            self._loop.remove_reader(source)
            self._ended += 1
            with suppress(OSError):
                target.shutdown(socket.SHUT_WR)
            if self._ended == 2:
                self.close()
        return data

    def _pass_on(
        self,
        data: bytes,
        source: socket.socket,
        read: Callable[[], None],
        target: socket.socket,
    ) -> None:
        """Send on what came in; what does not fit is sent before more is read."""
        try:
            sent = target.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.close()
            return
        if sent < len(data):
            self._loop.remove_reader(source)
            rest = data[sent:]
            self._loop.add_writer(target, lambda: self._send_rest(rest, source, read, target))

    def _send_rest(
        self,
        rest: bytes,
        source: socket.socket,
        read: Callable[[], None],
        target: socket.socket,
    ) -> None:
        self._loop.remove_writer(target)
        self._loop.add_reader(source, read)
        self._pass_on(rest, source, read, target)

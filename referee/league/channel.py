"""How referees on other cores tell of each duel as soon as it is over, and are told to wind up.

A referee calls a socket, and hangs up when its session is over. So what it has told is here even if
it is killed the next moment, and half a message is told by nobody.
"""

import pickle
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import sleep
from typing import Final, Self

from referee.errors import FileError
from referee.store.models import StoredDuel, StoredVoid

StoredOutcome = StoredDuel | StoredVoid
_GATHERING: Final = 0.05
"""Seconds for more to come in after the first: what is written together costs a quarter less."""


class ResultChannel:
    """Where referees call."""

    def __init__(self, directory: Path) -> None:
        """Open a socket in a directory that nobody else can enter.

        Raises:
            FileError: it has no room for one, or its path is too long.
        """
        self.address = str(directory / "sink")
        self._door = socket.socket(socket.AF_UNIX)
        try:
            self._door.bind(self.address)
        except OSError as error:
            self._door.close()
            raise FileError(
                f"cannot make a socket in {directory}: {error.strerror or error}; see to that, or "
                "name another place in TMPDIR"
            ) from None
        self._door.listen()
        self._bell, self._rope = socket.socketpair()
        self._lines: list[Connection] = []
        self._winding_up = False

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up on everybody."""
        for ear in (*self._ears, self._rope):
            ear.close()

    def hear(self, seconds: float) -> Iterator[StoredOutcome]:
        """Yield what is told, having waited so long at most for the first of it."""
        first = list(self._heard(seconds))
        yield from first
        if first:
            sleep(_GATHERING)
            yield from self.hear_all()

    def hear_all(self) -> Iterator[StoredOutcome]:
        """Yield all that has been told by now, by those too that have hung up since."""
        while wait(self._ears, 0):
            yield from self._heard(0)

    def ring(self) -> None:
        """Let whoever listens look up, from any thread."""
        with suppress(OSError):  # nobody listens any more
            self._rope.send(b"!")

    @property
    def _ears(self) -> list[socket.socket | Connection]:
        return [self._door, self._bell, *self._lines]

    def _heard(self, seconds: float) -> Iterator[StoredOutcome]:
        """Yield one message of each line."""
        for ready in wait(self._ears, seconds):
            if ready is self._bell:
                self._bell.recv(1)
                continue
            if ready is self._door:
                caller, _ = self._door.accept()
                line = Connection(caller.detach())
                self._lines.append(line)
                if self._winding_up:
                    _wind_up(line)
                continue
            assert isinstance(ready, Connection)
            try:
                yield ready.recv()
            except (EOFError, OSError, pickle.UnpicklingError):
                ready.close()
                self._lines.remove(ready)

    def wind_up(self) -> None:
        """Let no referee begin another duel, nor any that calls later. Each is told once."""
        if not self._winding_up:
            self._winding_up = True
            for line in self._lines:
                _wind_up(line)


def _wind_up(line: Connection) -> None:
    with suppress(OSError):
        line.send(None)


@contextmanager
def connect(address: str) -> Iterator[tuple[Callable[[StoredOutcome], None], int]]:
    """Call a sink: give what tells it of a duel, and where to hear that it is time to wind up."""
    with socket.socket(socket.AF_UNIX) as called:
        called.connect(address)
        with Connection(called.detach()) as line:
            yield line.send, line.fileno()

"""The port through which bots are started and watched."""

from collections.abc import Awaitable
from pathlib import Path
from typing import Protocol

from referee.engine.cards import Seat


class Ending(Protocol):
    """How a process ended."""

    @property
    def how(self) -> str:
        """Return ``exited``, ``signalled``, ``limit``, ``vanished`` or ``stopped``."""

    @property
    def exit_code(self) -> int | None:
        """Return the exit code, if it ended by itself."""

    @property
    def limit(self) -> str | None:
        """Name the limit that ended it: ``memory``, ``processes``, ``cpu`` or ``output``."""

    @property
    def detail(self) -> str:
        """Return how it ended in one line of text."""


class Process(Protocol):
    """A bot that was started."""

    @property
    def ended(self) -> Awaitable[Ending]:
        """Wait for its end; any number of callers may."""

    def output(self) -> bytes:
        """Return what it wrote, as far as that is recorded."""

    def cpu_seconds(self) -> float:
        """Return the processor time it has used."""

    def waited_seconds(self) -> float:
        """Return the time it could have run and got no processor."""

    def cores(self) -> int:
        """Return on how many processors it may run at once."""

    def created_since(self, moment: float) -> int:
        """Return how many processes it has created since a moment; 0 if all that they use shows."""

    def freeze(self) -> None:
        """Stop it from running until it is thawed."""

    def thaw(self) -> None:
        """Resume it."""

    async def stop(self) -> Ending:
        """Kill it and all its children."""

    def watching_seconds(self) -> float:
        """Return the processor time that it took to watch its limits, in the referee's own loop."""

    @property
    def is_gone(self) -> bool:
        """Whether none of its processes is left."""


class Launcher(Protocol):
    """Starts the bots of a session."""

    async def start(self, entrant: int, seat: Seat, socket: Path, token: str) -> Process:
        """Start the bot of an entrant for a seat; it dials the socket and shows the token."""

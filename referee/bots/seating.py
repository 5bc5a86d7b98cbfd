"""Starts the bots of a session, each seat of each entrant in a sandbox of its own."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.arena.limits import Terms
from referee.bots.manifest import Manifest
from referee.engine.cards import Seat
from referee.sandbox.command import SOCKET, Launch
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.mounts import Runtime
from referee.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from referee.sandbox.slots import Slot

ENVIRONMENT: Final = {
    "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener",
    "GRPC_ENABLE_FORK_SUPPORT": "0",
}
"""Half the cost of a message, and no word on the bot's stream from the processes that it forks; a
library that does not know the names goes on without."""
_UNATTENDED: Final = {"PYTHONBREAKPOINT": "0"}
"""A breakpoint that was left in a bot is passed over where nobody is there to go on from it."""


class SeatedBot(NamedTuple):
    """A bot that plays in a session."""

    manifest: Manifest
    bundle: Path
    """Its directory."""
    runtime: Runtime

    @property
    def name(self) -> str:
        """Its name."""
        return self.manifest.name


OutputCopies = Callable[[int, Seat], Callable[[bytes], None]]
"""Returns, for an entrant and a seat, what takes the output of the bot there as it comes."""


class Debugged(NamedTuple):
    """A bot that its author looks into, in one seat: outside of the sandbox, on her terminal."""

    seat: Seat
    directory: Path
    """Where its files are, so that breakpoints in them hold."""
    run: tuple[str, ...]
    """The command that starts it there."""

    @property
    def place(self) -> tuple[int, Seat]:
        """Return which entrant it is, the first, and its seat."""
        return 0, self.seat


class BotLauncher:
    """Starts the bots of a session and collects what they write."""

    def __init__(
        self,
        sandboxes: Sandboxes,
        entrants: tuple[SeatedBot, SeatedBot],
        core: int | None = None,
        output: OutputCopies | None = None,
        debugged: Debugged | None = None,
    ) -> None:
        """Take the entrants, and how their bots are started.

        Args:
            sandboxes: starts them.
            entrants: the bots.
            core: what they are pinned to.
            output: where what they write goes, if anywhere.
            debugged: which of them its author looks into; what it writes is on her terminal.
        """
        self._sandboxes = sandboxes
        self._entrants = entrants
        self._core = core
        self._output = output
        self._debugged = debugged
        self._slots: dict[tuple[int, Seat], Slot] = {}

    async def start(self, entrant: int, seat: Seat, socket: Path, token: str) -> Sandbox:
        """Start the bot of an entrant for a seat."""
        key, debugged = (entrant, seat), self._debugged
        launch = self._launch(self._entrants[entrant], socket, token)
        if debugged and key == debugged.place:
            own = launch._replace(run=debugged.run, bundle=debugged.directory)
            return await self._sandboxes.start_debugged(own)
        if key not in self._slots:
            self._slots[key] = self._sandboxes.slot()
        launch = launch._replace(environment={**launch.environment, **_UNATTENDED})
        sandbox = await self._sandboxes.start(launch, self._slots[key])
        if self._output:
            sandbox.copy_output(self._output(entrant, seat))
        return sandbox

    def _launch(self, bot: SeatedBot, socket: Path, token: str) -> Launch:
        return Launch(
            run=bot.manifest.run,
            runtime=bot.runtime,
            bundle=bot.bundle,
            socket=socket,
            environment={
                **ENVIRONMENT,
                "UPCARD_ADDRESS": f"unix:{SOCKET}",
                "UPCARD_TOKEN": token,
            },
            limits=limits_of(bot.manifest),
            core=self._core,
        )


def limited_to_bots(terms: Terms, entrants: Sequence[SeatedBot]) -> Terms:
    """Return the terms with no more matches at a time than each bot can play."""
    most = min(entrant.manifest.tables for entrant in entrants)
    return terms._replace(tables=min(terms.tables, most))


def limits_of(manifest: Manifest) -> SandboxLimits:
    """Return the limits of a bot's sandbox."""
    return SandboxLimits(memory_mib=manifest.memory_mib) if manifest.memory_mib else SandboxLimits()

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


class BotLauncher:
    """Starts the bots of a session and collects what they write."""

    def __init__(
        self,
        sandboxes: Sandboxes,
        entrants: tuple[SeatedBot, SeatedBot],
        core: int | None = None,
        output: OutputCopies | None = None,
    ) -> None:
        """Take the entrants, the core their bots are pinned to, and where output goes, if any."""
        self._sandboxes = sandboxes
        self._entrants = entrants
        self._core = core
        self._output = output
        self._slots: dict[tuple[int, Seat], Slot] = {}

    async def start(self, entrant: int, seat: Seat, socket: Path, token: str) -> Sandbox:
        """Start the bot of an entrant for a seat."""
        key = entrant, seat
        if key not in self._slots:
            self._slots[key] = self._sandboxes.slot()
        bot = self._entrants[entrant]
        launch = Launch(
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
        sandbox = await self._sandboxes.start(launch, self._slots[key])
        if self._output:
            sandbox.copy_output(self._output(entrant, seat))
        return sandbox


def limited_to_bots(terms: Terms, entrants: Sequence[SeatedBot]) -> Terms:
    """Return the terms with no more matches at a time than each bot can play."""
    most = min(entrant.manifest.tables for entrant in entrants)
    return terms._replace(tables=min(terms.tables, most))


def limits_of(manifest: Manifest) -> SandboxLimits:
    """Return the limits of a bot's sandbox."""
    return SandboxLimits(memory_mib=manifest.memory_mib) if manifest.memory_mib else SandboxLimits()

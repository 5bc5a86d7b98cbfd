"""A trial that compares two bots compares them while both run."""

import asyncio
from collections.abc import Awaitable

from referee.sandbox import trials
from referee.sandbox.ending import SandboxEnding


class SlowBot:
    """Writes which files it has once it was looked at for a while."""

    def __init__(self, started: list["SlowBot"]) -> None:
        self.looks = 10 * len(started)
        self.is_stopped = False
        self.wrote_beside: list[bool] = []
        """For each bot that was started before, whether it still ran."""
        self.others = started[:]
        started.append(self)

    @property
    def ended(self) -> Awaitable[SandboxEnding]:
        return asyncio.get_running_loop().create_future()

    def output(self) -> bytes:
        self.looks -= 1
        if self.looks >= 0:
            return b""
        self.wrote_beside = self.wrote_beside or [not each.is_stopped for each in self.others]
        return b"{}\n"

    async def stop(self) -> None:
        self.is_stopped = True


def test_two_bots_look_at_their_files_while_both_run() -> None:
    bots: list[SlowBot] = []

    async def start(*_: object) -> SlowBot:
        return SlowBot(bots)

    asyncio.run(trials._shared_files(start))  # type: ignore[arg-type] # noqa: SLF001
    assert bots[1].wrote_beside == [True]

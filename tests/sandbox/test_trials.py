"""A trial that compares two bots compares them while both run."""

import asyncio
import os
from collections.abc import Awaitable

from referee.sandbox import probe, trials
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


def test_a_bot_without_a_process_namespace_of_its_own_is_found() -> None:
    assert trials.not_apart([["812", "2"], ["813"]]) == ["it is our process 813"]


def test_a_referee_with_the_number_of_a_process_inside_is_told_apart() -> None:
    found = {number: [*probe._processes(number)] for number in (1, os.getpid(), os.getppid())}  # noqa: SLF001
    signalled = "the referee can be signalled"
    assert [number for number in found if signalled in found[number]] == [os.getppid()]


def test_two_bots_look_at_their_files_while_both_run() -> None:
    bots: list[SlowBot] = []

    async def start(*_: object) -> SlowBot:
        return SlowBot(bots)

    asyncio.run(trials._shared_files(start))  # type: ignore[arg-type] # noqa: SLF001
    assert bots[1].wrote_beside == [True]

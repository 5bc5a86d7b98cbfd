"""A sandbox whose limits cannot be watched any more is ended, and nobody is to blame."""

import asyncio
import errno
import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from referee.sandbox import statistics
from referee.sandbox.command import Launch
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.mounts import Runtime
from referee.sandbox.runtimes import find_runtimes

PATIENCE = 60


def sleeper(runtime: Runtime, bundle: Path) -> Launch:
    run = ("python", "-c", "import time; time.sleep(600)")
    return Launch(run, runtime, bundle, None, {}, SandboxLimits(), None)


async def until_ended_without_files(bundle: Path) -> list[str]:
    """Start two bots, use up all files, and wait for the end of both."""
    runtime = find_runtimes()["python"]
    async with Sandboxes.open(unsafe=True) as sandboxes:
        launch = sleeper(runtime, bundle)
        bots = [await sandboxes.start(launch, sandboxes.slot()) for _ in range(2)]
        taken: list[int] = []
        try:
            with suppress(OSError):
                while True:
                    taken.append(os.open("/dev/null", os.O_RDONLY))
            async with asyncio.timeout(PATIENCE):
                endings = [await bot.ended for bot in bots]
        finally:
            for descriptor in taken:
                os.close(descriptor)
        return [f"{ending.how}: {ending.detail}" for ending in endings]


def test_bots_that_cannot_be_watched_are_ended_and_not_blamed(tmp_path: Path) -> None:
    words = asyncio.run(until_ended_without_files(tmp_path))
    assert [each.partition(" [")[0] for each in words] == [
        "vanished: its limits could not be watched:"
    ] * 2
    assert all("Too many open files" in each for each in words)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_our_own_lack_of_means_is_not_taken_for_the_end_of_a_process(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fails(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "listdir", fails)
    with pytest.raises(OSError, match=os.strerror(number)):
        statistics.descendants(os.getpid())


def test_usage_is_not_read_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot with many processes would make the referee late."""
    readers: list[int] = []

    def descendants(first: int) -> list[int]:
        readers.append(threading.get_ident())
        return [first]

    async def until_read() -> None:
        async with Sandboxes.open(unsafe=True) as sandboxes:
            bot = await sandboxes.start(
                sleeper(find_runtimes()["python"], tmp_path), sandboxes.slot()
            )
            monkeypatch.setattr(statistics, "descendants", descendants)
            async with asyncio.timeout(PATIENCE):
                while not readers:  # noqa: ASYNC110 (a thread fills it)
                    await asyncio.sleep(0.001)
            monkeypatch.undo()
            await bot.stop()

    asyncio.run(until_read())
    assert threading.get_ident() not in readers

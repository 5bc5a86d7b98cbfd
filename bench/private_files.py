"""What each bot's own copies of its files cost: the start of a bot, and memory.

The bot is the example in Python, which starts in the sandbox as for a duel and is measured to its
hello. Starts that are compared come one right after the other: with the files of the machine, with
a copy that an earlier bot had, and with a copy that is made at that start. Memory is what the
copies for one bot take, against the memory that a bot may use.
"""

import argparse
import asyncio
import os
import sys
from contextlib import AsyncExitStack
from statistics import fmean, median

from figures import Row, as_json, as_table
from lean_referee import measure, script

from referee.bots.examples import EXAMPLES
from referee.bots.manifest import read_manifest
from referee.bots.seating import BotLauncher, SeatedBot
from referee.sandbox.launcher import Files, Sandboxes
from referee.sandbox.limits import MIB, SandboxLimits
from referee.sandbox.private_files import PrivateFiles, private_files
from referee.sandbox.runtimes import find_runtimes

BOT = EXAMPLES / "steady"
ROUNDS = 15
SEATS = 8
USED_AGAIN = "time from start to hello, a copy used again, against shared files"
COPIED = "time from start to hello, a copy made at that start, against shared files"
AT_MOST = 1.3


async def starts(rounds: int) -> list[Row]:
    """Start bots in turn, and return the medians of ratios of what came one after the other."""
    ratios: dict[str, list[float]] = {USED_AGAIN: [], COPIED: []}
    async with AsyncExitStack() as closing:
        shared = await closing.enter_async_context(Sandboxes.open(files="shared"))
        again = await closing.enter_async_context(Sandboxes.open(files="private"))
        await hello(again)  # makes the copy
        for _ in range(rounds):
            before = await hello(shared)
            used_again = await hello(again)
            between = await hello(shared)
            copied = await hello_of("private")
            after = await hello(shared)
            ratios[USED_AGAIN].append(used_again / fmean((before, between)))
            ratios[COPIED].append(copied / fmean((between, after)))
            times = f"{before:.3f} {used_again:.3f} {between:.3f} {copied:.3f} {after:.3f}"
            print(f"shared, again, shared, copied, shared: {times} s", file=sys.stderr, flush=True)
    return [
        Row(USED_AGAIN, median(ratios[USED_AGAIN]), "at_most", AT_MOST),
        Row(COPIED, median(ratios[COPIED])),
    ]


async def hello_of(files: Files) -> float:
    """Measure a start in sandboxes that are opened for it."""
    async with Sandboxes.open(files=files) as sandboxes:
        return await hello(sandboxes)


async def hello(sandboxes: Sandboxes) -> float:
    """Start the bot, and return the seconds until it presented itself."""
    bot = SeatedBot(read_manifest(BOT), BOT, find_runtimes()["python"])
    launcher = BotLauncher(sandboxes, (bot, bot), max(os.sched_getaffinity(0)))
    return (await measure(launcher, script(0, 1, 1))).hello


def memory(files: PrivateFiles) -> list[Row]:
    """Return what the copies of each runtime take, against the memory that a bot may use."""
    limit = SandboxLimits().memory_mib * MIB
    sizes = {name: files.size(each) for name, each in find_runtimes().items()}
    for name, size in sizes.items():
        print(f"{name}: {SEATS * size // MIB} MiB for {SEATS} seats", file=sys.stderr)
    return [
        Row(f"memory of a copy for {name}, against a bot's limit", size / limit)
        for name, size in sizes.items()
    ]


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description="Measure bots' own copies of their files.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often bots are started")
    asked = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with private_files() as files:
        rows = memory(files)
    rows = [*asyncio.run(starts(asked.rounds)), *rows]
    print(as_json(rows) if asked.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

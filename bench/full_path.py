"""What a decision costs from the rules to a sandboxed bot and back, against a raw socket.

A session plays duels between do-nothing bots on the SDK's public `choose`, everything pinned to one
core, with the real engine, sandbox and clocks. The yardstick is two processes that send each other
200 bytes over a Unix socket. A shared machine changes its speed from second to second, so each
figure is the median of ratios whose two sides were measured one right after the other.

Only turns that a bot was asked count as decisions; moves the rules leave no choice about are made
by the referee, and their share is printed.
"""

import argparse
import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from subprocess import Popen
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple, Self

from figures import Row, as_json, as_table

from referee.arena.duel import Duel, DuelResult
from referee.arena.limits import Terms, TimeLimits
from referee.arena.place import Place
from referee.arena.room import Room
from referee.bots.manifest import read_manifest
from referee.bots.seating import BotLauncher, SeatedBot
from referee.engine.cards import SEATS
from referee.engine.record import MatchRecord, SeededDeal
from referee.engine.registry import preset
from referee.rpc.sessions import play_session
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.runtimes import find_runtimes

if TYPE_CHECKING:
    from referee.arena.session import Outcome

BOT = Path(__file__).parent / "bots" / "first"
PINGS = 20_000
ROUNDS = 3
_ECHO = """
import socket, sys
line = socket.socket(fileno=int(sys.argv[1]))
while said := line.recv(4096):
    line.send(said)
"""


class Cost(NamedTuple):
    """What one way of asking takes for a decision, in seconds."""

    wall: float
    middle: float
    """The median of single decisions."""
    cpu: float
    """Of the referee's process alone."""


class PlayedSession(NamedTuple):
    """A session that was played."""

    cost: Cost
    batch: float
    """Turns in a frame, on average."""
    forced: float
    """The share of all moves that left no choice."""
    ready: float
    """From a bot's start to its hello, the median of those of a room."""
    blameless: bool
    """Whether no duel was void and nobody at fault."""


def ping_pong() -> Cost:
    """Ask over a raw socket."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    echo = Popen([sys.executable, "-c", _ECHO, str(theirs.fileno())], pass_fds=[theirs.fileno()])
    theirs.close()
    message = bytes(200)
    taken = []
    ours.send(message)
    ours.recv(4096)
    start, cpu = perf_counter(), process_time()
    for _ in range(PINGS):
        before = perf_counter()
        ours.send(message)
        ours.recv(4096)
        taken.append(perf_counter() - before)
    wall, cpu = perf_counter() - start, process_time() - cpu
    ours.close()
    echo.wait()
    return Cost(wall / PINGS, median(taken), cpu / PINGS)


class _Watch:
    """Looks on at a session: when bots were ready, and when each answer came."""

    def __init__(self) -> None:
        self.joined: list[float] = []
        self.asked: list[int] = []
        self.at: list[float] = []
        self.cpu: list[float] = []
        self.rooms: list[int] = []
        self._real_joined = Room.joined
        self._real_answered = Room.answered

    def __enter__(self) -> Self:
        watch = self

        def joined(room: Room, place: Place, tables: int) -> None:
            watch.joined.append(perf_counter())
            watch._real_joined(room, place, tables)

        def answered(
            room: Room, place: Place, turns: Sequence[int], choices: Sequence[int]
        ) -> None:
            watch.rooms.append(room.number)
            watch.at.append(perf_counter())
            watch.cpu.append(process_time())
            watch.asked.append(len(turns))
            watch._real_answered(room, place, turns, choices)

        self._look_on(joined, answered)
        return self

    def __exit__(self, *_: object) -> None:
        self._look_on(self._real_joined, self._real_answered)

    def _look_on(self, joined: object, answered: object) -> None:
        setattr(Room, "joined", joined)  # noqa: B010 (a name that is not ours to assign)
        setattr(Room, "answered", answered)  # noqa: B010 (likewise)

    def cost(self) -> Cost:
        """Return what a decision cost, from the first answer of each room to its last."""
        second = self.rooms.index(1)
        decisions = sum(self.asked) - self.asked[0] - self.asked[second]
        gaps, used = _gaps(self.at, second), _gaps(self.cpu, second)
        return Cost(sum(gaps) / decisions, median(gaps), sum(used) / decisions)


def _gaps(times: Sequence[float], second: int) -> list[float]:
    """Return the times from one answer to the next, without those between the two rooms."""
    rooms = times[:second], times[second:]
    return [later - sooner for room in rooms for sooner, later in pairwise(room)]


def play(duels: int, tables: int, *, sandboxed: bool = True, core: int = 0) -> PlayedSession:
    """Play a session; `tables` in each room."""
    return asyncio.run(_play(duels, tables, sandboxed=sandboxed, core=core))


async def _play(duels: int, tables: int, *, sandboxed: bool, core: int) -> PlayedSession:
    manifest = read_manifest(BOT)
    game = preset("euchre").game()
    outcomes: list[Outcome] = []
    async with Sandboxes.open(unsafe=not sandboxed) as sandboxes:
        bot = SeatedBot(manifest, BOT, find_runtimes()["python"])
        begun = perf_counter()
        with _Watch() as watch:
            await play_session(
                Terms(game, TimeLimits(decision=1.0), tables=tables),
                [Duel(n, SeededDeal(bytes(32), f"bench {n}"), n % 4) for n in range(duels)],
                BotLauncher(sandboxes, (bot, bot), core),
                outcomes.append,
            )
    asked = sum(watch.asked)
    results = [outcome for outcome in outcomes if isinstance(outcome, DuelResult)]
    moves = sum(_moves(record) for result in results for record in result.rooms)
    return PlayedSession(
        watch.cost(),
        asked / len(watch.asked),
        1 - asked / moves,
        median(watch.joined[: len(SEATS)]) - begun,
        len(results) == duels and not any(result.faults for result in results),
    )


def _moves(record: MatchRecord) -> int:
    return sum(len(hand.actions) for hand in record.hands)


def measure(core: int) -> list[Row]:
    """Play all sessions, those that are compared one right after the other."""
    ratios: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        raw = ping_pong()
        many = play(128, 128, core=core)
        bare = play(128, 128, sandboxed=False, core=core)
        again = ping_pong()
        few = play(64, 48, core=core)
        one = play(8, 1, core=core)
        last = ping_pong()
        _tell(many, few, one)
        for name, ratio in (
            (MANY, mean(raw.wall, again.wall) / many.cost.wall),
            (GAIN, one.cost.wall / many.cost.wall),
            (ONE, one.cost.middle / mean(again.middle, last.middle)),
            (REFEREE, few.cost.cpu / mean(again.cpu, last.cpu)),
            (SANDBOX, bare.cost.wall / many.cost.wall),
            (START, many.ready / bare.ready),
        ):
            ratios.setdefault(name, []).append(ratio)
    return [Row(name, median(found), *BOUNDS[name]) for name, found in ratios.items()]


def mean(one: float, other: float) -> float:
    """Return the middle of what was measured before and after."""
    return (one + other) / 2


def _tell(many: PlayedSession, few: PlayedSession, one: PlayedSession) -> None:
    for tables, played in ((256, many), (96, few), (2, one)):
        assert played.blameless, "a duel was void, or a bot at fault"
        print(
            f"{tables:3} tables: {1 / played.cost.wall:8.0f} decisions/s, "
            f"{played.batch:5.1f} turns a frame, {played.forced:.0%} of moves forced",
            file=sys.stderr,
        )


MANY = "decisions a second, 256 tables, against messages of a raw socket"
GAIN = "decisions a second, 256 tables, against one table a room"
ONE = "time of a decision, one table a room (median), against a raw socket"
REFEREE = "processor time of the referee for a decision, 96 tables, against a raw socket"
SANDBOX = "decisions a second in the sandbox, against without"
START = "time from start to hello in the sandbox, against without"
BUSY = "faults and void duels, 100 tables for a minute, both cores busy"
BOUNDS = {
    MANY: ("at_least", 0.40),
    GAIN: ("at_least", 10.0),
    ONE: ("at_most", 16.0),
    REFEREE: ("at_most", 3.0),
    SANDBOX: ("at_least", 0.95),
    START: ("at_most", 1.5),
    BUSY: ("at_most", 0.0),
}


def measure_busy(core: int) -> list[Row]:
    """Play for a minute while every core is busy with something else."""
    burners = [Popen([sys.executable, "-c", "while True: pass"]) for _ in os.sched_getaffinity(0)]
    until, wrong = perf_counter() + 60, 0
    try:
        while perf_counter() < until:
            wrong += not play(128, 50, core=core).blameless
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    return [Row(BUSY, wrong, *BOUNDS[BUSY])]


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure the whole path of a decision, in ratios.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--busy", action="store_true", help="play while all cores are busy, only")
    wanted = parser.parse_args()
    core = max(os.sched_getaffinity(0))
    if wanted.busy:
        rows = measure_busy(core)
    else:
        os.sched_setaffinity(0, {core})
        rows = measure(core)
    print(as_json(rows) if wanted.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

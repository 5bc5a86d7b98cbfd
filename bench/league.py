"""How fast a whole league is played: sandboxed bots, clocks, storage, ratings, on one core and two.

Two of the example bots that play at random play a league as `upcard league run` does, on a store of
its own. The yardstick is the same random play by the same rules in one process, with nothing around
it. A shared machine changes its speed from second to second, so the runs take turns and each figure
is the median of ratios whose two sides were taken one right after the other. The load average is
printed: where others want the cores too, only the figures of processor time and of shares mean
much.

A run has two speeds. With its start, it is all that `run_league` takes: the sandbox is tried, and
referees are started. Going on, it is what it takes from the end of every referee's first visit to
the end of the last: the speed of a long league, in which every visit still starts eight bots.
"""

import argparse
import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from multiprocessing import active_children
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple, Self

from figures import Row, as_json, as_table
from observing import Unwatched

from referee.arena.limits import Terms
from referee.bots.digest import bundle_digest
from referee.bots.examples import EXAMPLES
from referee.bots.manifest import MANIFEST
from referee.engine.cards import Action
from referee.engine.game import Game, State
from referee.engine.record import SeededDeal, play_match
from referee.engine.registry import preset
from referee.league import progress
from referee.league.entries import start_league
from referee.league.running import RunOptions, run_league
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.models import Bot, Plan, StoredDuel
from referee.store.opening import open_store

ROUNDS = 5
BLOCK = 128
VISITS = 6
"""In a run, each of so many duels."""
ALONE = 1.0
"""Seconds of random play in one process, before and after each round."""
GAME = preset("euchre").game()
SEED = bytes(32)
_SUBREAPER = 36
_KEEPING = ("save_outcomes", "save_snapshot")


class Alone(NamedTuple):
    """What a match of random play in one process takes, in seconds."""

    wall: float
    cpu: float


class RunTimes(NamedTuple):
    """What a run of a league took, in seconds."""

    start: float
    """For a match, when the start of the run is shared among all."""
    going: float
    """For a match, after every referee's first visit."""
    stored: float
    """The share of the cores' time that the coordinator was in the store."""
    coordinator: float
    """Its share of the processor time of all processes."""
    cpu: float
    """Processor time of all processes for a match."""


class DuelWatcher(Unwatched):
    """Takes down when duels are stored, and sees that nothing goes wrong."""

    def __init__(self) -> None:
        self.visits: dict[int, list[float]] = {}

    def played(self, duel: StoredDuel) -> None:
        assert not duel.faults, "a bot was at fault"
        self.visits.setdefault(duel.key.number // BLOCK, []).append(perf_counter())

    def going(self, referees: int) -> float:
        """Return the seconds for a match once every referee is through its first visit."""
        ends = sorted((stored[-1], 2 * len(stored)) for stored in self.visits.values())
        matches = sum(matches for _, matches in ends[referees:])
        return (ends[-1][0] - ends[referees - 1][0]) / matches


class _Keeping:
    """Adds up the time that a run is in the store."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._real = {name: getattr(progress, name) for name in _KEEPING}

    def __enter__(self) -> Self:
        for name, real in self._real.items():
            setattr(progress, name, self._timed(real))
        return self

    def __exit__(self, *_: object) -> None:
        for name, real in self._real.items():
            setattr(progress, name, real)

    def _timed(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def keep(*given: object, **named: object) -> object:
            began = perf_counter()
            try:
                return real(*given, **named)
            finally:
                self.seconds += perf_counter() - began

        return keep


def alone() -> Alone:
    """Play at random in this process."""
    matches, until = 0, perf_counter() + ALONE
    began, used = perf_counter(), process_time()
    draw = Random(0).random

    def choose(state: State) -> Action:
        legal = state.legal
        return legal[int(draw() * len(legal))]

    while perf_counter() < until:
        play_match(GAME, matches % 4, SeededDeal(SEED, f"bench {matches}"), choose)
        matches += 1
    return Alone((perf_counter() - began) / matches, (process_time() - used) / matches)


def play(cores: Sequence[int], game: Game = GAME) -> RunTimes:
    """Play a league with a referee on each of these cores, and nothing on any other."""
    with small_league(game) as store, _Keeping() as keeping:
        os.sched_setaffinity(0, cores)
        watcher, before = DuelWatcher(), _cpu()
        began, own = perf_counter(), process_time()
        run_league(store, "bench", RunOptions(len(cores), SEED), watcher, lambda: 0)
        wall, own = perf_counter() - began, process_time() - own
        cpu = _cpu() - before
    matches = 2 * VISITS * BLOCK
    return RunTimes(
        wall / matches,
        watcher.going(len(cores)),
        keeping.seconds / (wall * len(cores)),
        own / cpu,
        cpu / matches,
    )


def _cpu() -> float:
    """Return the processor time of this process and of all that ended below it."""
    while active_children():  # which waits for those that have ended
        sleep(0.01)
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    used = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in used)


@contextmanager
def small_league(game: Game = GAME) -> Iterator[Store]:
    """Create a league of two that play at random."""
    with TemporaryDirectory() as directory, open_store(f"{directory}/s.db", create=True) as store:
        names = ["one", "other"]
        for name in names:
            bundle = Path(directory, name)
            shutil.copytree(EXAMPLES / "random", bundle)
            manifest = bundle / MANIFEST
            told = manifest.read_text().replace('name = "random"', f'name = "{name}"')
            manifest.write_text(told)
            digest, now = bundle_digest(bundle), datetime.now(UTC)
            add_bot(store, Bot(digest, name, "1", "us", "python", (game.name,), told, now), bundle)
        plan = Plan(Terms(game), VISITS * BLOCK, BLOCK)
        start_league(store, "bench", plan, names, datetime.now(UTC))
        yield store


def measure(one: int, other: int) -> list[Row]:
    """Play all runs, those that are compared one right after the other."""
    ratios: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        os.sched_setaffinity(0, {one})
        before = alone()
        single = play([one])
        os.sched_setaffinity(0, {one})
        after = alone()
        double = play([one, other])
        raw = Alone((before.wall + after.wall) / 2, (before.cpu + after.cpu) / 2)
        _tell(raw, single, double)
        for name, ratio in (
            (ONE, raw.wall / single.going),
            (TWO, raw.wall / double.going),
            (COST, single.cpu / raw.cpu),
            (SCALING, single.going / double.going),
            (STARTED, single.start / double.start),
            (STORED, max(single.stored, double.stored)),
            (COORDINATOR, max(single.coordinator, double.coordinator)),
        ):
            ratios.setdefault(name, []).append(ratio)
    return [Row(name, median(found), *BOUNDS[name]) for name, found in ratios.items()]


def _tell(raw: Alone, single: RunTimes, double: RunTimes) -> None:
    load, _, _ = os.getloadavg()
    print(
        f"load {load:.1f}; one process: {1 / raw.wall:.0f} matches/s, {raw.cpu * 1000:.2f} ms CPU",
        file=sys.stderr,
    )
    for cores, run in (("one core", single), ("two cores", double)):
        print(
            f"  {cores:9}: {1 / run.going:5.0f} matches/s going on, {1 / run.start:5.0f} with the "
            f"start; {run.cpu * 1000:.2f} ms CPU a match, coordinator {run.coordinator:.1%} of it; "
            f"storage {run.stored:.1%} of the time",
            file=sys.stderr,
        )


ONE = "matches a second of a league on one core, against random play in one process"
TWO = "the same on two cores, against random play in one process on one core"
COST = "processor time of a match in a league, against random play in one process"
SCALING = "matches a second on two cores, against one"
STARTED = "the same, with the start of the run"
STORED = "share of the cores' time that the coordinator is in the store"
COORDINATOR = "share of the coordinator in all processor time"
# The three against one process only warn of a change; the others are what a league must keep.
BOUNDS = {
    ONE: ("at_least", 0.02),
    TWO: ("at_least", 0.04),
    COST: ("at_most", 50.0),
    SCALING: ("at_least", 1.8),
    STARTED: ("at_least", 1.6),
    STORED: ("at_most", 0.05),
    COORDINATOR: ("at_most", 0.05),
}


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure how fast a league is played, in ratios.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    wanted = parser.parse_args()
    # Bots are killed together with what started them; their processor time is for us to inherit.
    ctypes.CDLL(None).prctl(_SUBREAPER, 1)
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.stderr.write("needs two cores\n")
        return 2
    rows = measure(*cores[:2])
    print(as_json(rows) if wanted.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""How a coordinator stands a large league: 1,000 bots that all meet once, 499,500 duels.

Nobody plays: a pool of workers that takes no time returns a duel at once for each that is handed
out. All else is what `upcard league run` does: the duels to come are found, handed out, received in
groups, judged and stored, once in a file and once on a server. Each runs in a process of its own,
whose processor time and peak of memory are taken after a fifth of the duels, and at the end. Then
other processes show the table of ratings, the status and the first page.

Speeds go by processor time, so that they mean the same on a machine that does other things as well.
With --bots the league is smaller, to try whether it all works; then the bounds mean nothing.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import comb
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final
from unittest.mock import patch

from figures import Row, as_json, as_table
from observing import Unwatched
from simulated_league import player, simulated_league
from starlette.testclient import TestClient

from referee.league.running import RunOptions, run_league
from referee.store.leagues import league
from referee.store.models import StoredDuel
from referee.store.opening import open_store
from referee.web.app import create_app
from tests.league.instant import InstantEngine, NoBots
from tests.store.server import server

NAME: Final = "simulated"
WORKERS: Final = 200
BOTS: Final = 1000
SPEED: Final = 2000
"""Duels a second that a coordinator has to stand."""
SAMPLE: Final = 5
"""After one of so many duels, memory is taken for the first time."""
GROWTH: Final = 1.1
"""How much more there may be in the end."""
UPCARD: Final = Path(sys.executable).with_name("upcard")
SHOWN: Final = {"ratings": 5.0, "status": 1.0, "/": 1.0, "/leagues/simulated/": 1.0}
"""What is shown, by a command or as a page, and after how many seconds at most."""

GIVEN_UP: Final = 120.0
"""Seconds after which something that is shown is ended; then it would have taken longer."""


class CostWatcher(Unwatched):
    """Takes down processor time and memory now and then."""

    def __init__(self, duels: int) -> None:
        self._begin = self._left = duels // SAMPLE
        self.taken: list[tuple[int, float, float]] = []
        """Duels, processor time in seconds, and the peak of memory in MB."""
        self._played = 0

    def take(self) -> None:
        used = getrusage(RUSAGE_SELF)
        self.taken.append((self._played, process_time(), used.ru_maxrss / 1000))

    def played(self, duel: StoredDuel) -> None:
        del duel
        self._played += 1
        if self._played % self._begin == 0:
            self.take()


def run(address: str) -> None:
    """Play the league of a store; print what was taken."""
    with (
        open_store(address) as store,
        patch("referee.league.running.LeagueBots", NoBots),
    ):
        entrants = len(league(store, NAME).entries)
        watcher = CostWatcher(comb(entrants, 2))
        watcher.take()
        options = RunOptions(sandboxed=False, engine=InstantEngine(player(), WORKERS))
        run_league(store, NAME, options, watcher, lambda: 0)
        watcher.take()
    print(json.dumps(watcher.taken))


def measure(name: str, address: str, bots: int) -> Iterator[Row]:
    """Play a league in a store and show it; yield what that took."""
    with open_store(address, create=True) as store:
        simulated_league(store, NAME, bots, 1)
    taken = json.loads(_output("--run", address))
    (_, start, _), (few, _, early), *_, (duels, end, late), (_, over, most) = taken
    _tell(f"{name}: {taken}")
    speed = duels / (end - start)
    yield Row(f"{name}: duels a second of its own processor time", speed / SPEED, "at_least", 1.0)
    yield Row(f"{name}: memory after {duels} duels, against {few}", late / early, "at_most", GROWTH)
    yield Row(f"{name}: memory then, in MB", late)
    yield Row(f"{name}: processor time to rate the round and end the league, in s", over - end)
    yield Row(f"{name}: memory after that, in MB", most)
    for what, seconds in SHOWN.items():
        words = {"ratings": ["ratings"], "status": ["league", "status"]}.get(what)
        shown = [str(UPCARD), *words] if words else [sys.executable, __file__, "--show", what]
        used = _cpu_of([*shown, *(("--db", address) if words else (address,))])
        _tell(f"{name}: {what} {used:.2f} s of processor time")
        about = f"{name}: processor time to show the {what}, against {seconds:.0f} s"
        yield Row(about, used / seconds, "at_most", 1.0)


def show(address: str, store_address: str) -> None:
    """Make a page in this process, as a server does that was just started."""
    with open_store(store_address) as store, TestClient(create_app(store)) as client:
        assert client.get(address).status_code == 200


def _cpu_of(command: Sequence[str]) -> float:
    """Return the processor time of a command, with the start of its interpreter."""
    before = getrusage(RUSAGE_CHILDREN)
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=GIVEN_UP)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _output(*words: str) -> str:
    command = [sys.executable, __file__, *words]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure a large league.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--bots", type=int, default=BOTS)
    parser.add_argument("--run", metavar="STORE", help=argparse.SUPPRESS)
    parser.add_argument("--show", nargs=2, metavar=("WHAT", "STORE"), help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.run:
        run(wanted.run)
        return 0
    if wanted.show:
        show(*wanted.show)
        return 0
    with TemporaryDirectory(prefix="upcard-bench-") as directory, server() as address:
        os.environ["UPCARD_FILES"] = f"{directory}/files"
        places = {"SQLite": f"{directory}/s.db", "PostgreSQL": address}
        rows = [row for each in places.items() for row in measure(*each, wanted.bots)]
    print(as_json(rows) if wanted.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

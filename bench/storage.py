"""What it costs to store a duel, in a file and on a server, one at a time and in groups.

A league stores in one transaction all duels that came in together. These duels are as large as real
ones; nobody plays them. Each figure is processor time, so that it means the same on a machine that
does other things as well: that of this process, against what a duel may cost, and that of the
server's processes. The sizes of groups take turns, and the median of the rounds counts.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

from figures import Row, as_json, as_table
from simulated_league import HELD, player, simulated_league, stores

from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.duels import save_outcomes
from referee.store.leases import lease

ALLOWED: Final = 0.0004
"""Seconds of processor time of this process for a duel."""
GROUPS: Final = (1, 10, 100)
BOUND: Final = 10
"""The smallest group that has to keep to that."""
DUELS: Final = 300
"""In a round, for each size of group."""
ROUNDS: Final = 5


def measure(store: Store, name: str) -> Iterator[Row]:
    """Store duels in groups of each size; yield what a duel cost."""
    simulated_league(store, name, 2, DUELS * len(GROUPS) * ROUNDS)
    play, numbers = player(), count()
    duels = (play(DuelKey(1, 2, number)) for number in numbers)
    own: dict[int, list[float]] = {size: [] for size in GROUPS}
    others: dict[int, list[float]] = {size: [] for size in GROUPS}
    server = _server_time(store)
    with lease(store, name) as held:
        for _ in range(ROUNDS):
            for size in GROUPS:
                groups = [[*islice(duels, size)] for _ in range(DUELS // size)]
                began, before = process_time(), server()
                for group in groups:
                    save_outcomes(store, held, group, HELD)
                own[size].append((process_time() - began) / DUELS)
                others[size].append((server() - before) / DUELS)
    for size in GROUPS:
        cost = f"processor time to store a duel on {name}, in groups of {size}"
        bound = ("at_most", 1.0) if size >= BOUND else (None, None)
        yield Row(f"{cost}, against {ALLOWED * 1000} ms", median(own[size]) / ALLOWED, *bound)
        if not store.in_file:
            yield Row(f"{cost}: the server's besides", median(others[size]) / ALLOWED)


def _server_time(store: Store) -> Callable[[], float]:
    """Return what gives the processor time of the server's processes so far, in seconds."""
    if store.in_file:
        return lambda: 0.0
    home = store.engine.url.query["host"]
    parent = int(Path(str(home), "data", "postmaster.pid").read_text().split()[0])
    tick = os.sysconf("SC_CLK_TCK")

    def used() -> float:
        total = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            fields = stat.read_text().rpartition(")")[2].split()
            if stat.parent.name == str(parent):
                total += sum(map(int, fields[11:15]))  # with those of processes that have ended
            elif int(fields[1]) == parent:
                total += sum(map(int, fields[11:13]))
        return total / tick

    return used


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure what it costs to store a duel.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    wanted = parser.parse_args()
    with stores() as found:
        rows = [row for name, store in found.items() for row in measure(store, name)]
    print(as_json(rows) if wanted.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

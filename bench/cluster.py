"""What a cluster costs: a league on a scheduler and two workers, against two workers without them.

All run on this machine, each worker on a core of its own, so the cluster's own processes take their
time from the same two cores. As in `league.py`, runs take turns, a figure is the median of ratios
whose sides were taken one right after the other, and the speed is that of a long league: from the
end of every worker's first visit to the end of the last.
"""

import argparse
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from figures import Row, as_json, as_table
from league import SEED, DuelWatcher, play, small_league

from referee.cluster.settings import set_up
from referee.league.running import RunOptions, run_league

ROUNDS = 5
ROOT = Path(__file__).parents[1]
SCALING = "matches a second of two local workers, against one"
CLUSTER = "matches a second of a cluster of two workers, against two local workers"
BOUNDS = {SCALING: ("at_least", 1.8), CLUSTER: ("at_least", 0.95)}


@contextmanager
def cluster(cores: Sequence[int]) -> Iterator[str]:
    """Start a scheduler and a worker on each core; give the scheduler's address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tls://127.0.0.1:{free.getsockname()[1]}"
    with ExitStack() as closing:
        tls = Path(closing.enter_context(TemporaryDirectory()), "tls")
        subprocess.run([ROOT / "deploy/make-certificates", tls], check=True, stdout=sys.stderr)
        os.environ["UPCARD_TLS"] = str(tls)
        upcard = str(Path(sys.executable).with_name("upcard"))
        every: list[tuple[str, ...]] = [(upcard, "scheduler", address)]
        for core in cores:
            pinned = "taskset", "--cpu-list", str(core)
            every.append((*pinned, upcard, "worker", address, "--jobs", "1"))
        for command in every:
            started = closing.enter_context(subprocess.Popen(command, stderr=subprocess.PIPE))
            closing.callback(started.terminate)
            assert started.stderr
            _tell(started.stderr.readline().decode().rstrip())  # that it is there
        yield address


def play_on(address: str, workers: int) -> float:
    """Play a league on a cluster; return the seconds for a match."""
    from referee.cluster.addresses import endpoint  # noqa: PLC0415 (after Dask is set up)
    from referee.cluster.engine import ClusterOptions, cluster_engine  # noqa: PLC0415

    where = ClusterOptions(endpoint(address, Path(os.environ["UPCARD_TLS"])))
    with small_league() as store, cluster_engine(where, _tell) as engine:
        watcher = DuelWatcher()
        run_league(store, "bench", RunOptions(seed=SEED, engine=engine), watcher, lambda: 0)
        return watcher.going(workers)


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def measure(one: int, other: int) -> list[Row]:
    """Play all runs, those that are compared one right after the other."""
    ratios: dict[str, list[float]] = {SCALING: [], CLUSTER: []}
    everywhere = os.sched_getaffinity(0)
    with cluster([one, other]) as address:
        for _ in range(ROUNDS):
            single = play([one]).going
            double = play([one, other]).going
            os.sched_setaffinity(0, everywhere)
            clustered = play_on(address, 2)
            load, _, _ = os.getloadavg()
            speeds = ", ".join(f"{1 / each:.0f}" for each in (single, double, clustered))
            _tell(f"load {load:.1f}; one, two, cluster of two: {speeds} matches/s")
            ratios[SCALING].append(single / double)
            ratios[CLUSTER].append(double / clustered)
    return [Row(name, median(found), *BOUNDS[name]) for name, found in ratios.items()]


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure what a cluster costs, in ratios.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    wanted = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.stderr.write("needs two cores\n")
        return 2
    set_up()
    rows = measure(*cores[:2])
    print(as_json(rows) if wanted.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

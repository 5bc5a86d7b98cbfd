"""Plays a league as an array of jobs of a real Slurm on this machine, most of which are disturbed.

The jobs are those of `deploy/slurm`. One is put into the queue again in the middle, as when its
node fails; one is told that its time is over; in one the command is killed, and one is cancelled.
What they have played is imported by a job that waits for them, and what is missing is run.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp
from time import monotonic, sleep
from typing import Final, NamedTuple

from referee.arena.limits import Terms
from referee.cli.output import print_table
from referee.engine.registry import PRESETS
from referee.store.models import Plan
from tests.soak import kin
from tests.soak.comparing import differences, last_line
from tests.soak.node import INSTALL, Slurm, can_start, started
from tests.soak.remains import remains
from tests.soak.scene import LIMITS, NAME, ROOT, Scene, progress, run, set_scene, start
from tests.soak.storm import Broken
from tests.waiting import PATIENCE

_BOTS: Final = ("brittle", "lots", "middle")
_DUELS: Final = 8
"""Of each pairing."""
_BLOCK: Final = 4
_PAUSE: Final = 0.002
"""Seconds before each decision, so that there is a middle of each shard."""
_SHARDS: Final = 5
_EVERY: Final = range(1, _SHARDS + 1)
_MIDDLE: Final = range(2, 1 + len(_BOTS) * (len(_BOTS) - 1) // 2 * _DUELS // _SHARDS)
"""Lines of a file, the first of which is no duel."""
_JOBS: Final = ROOT / "deploy" / "slurm"
_SMALL: Final = ("--parsable", "--cpus-per-task=1", "--mem=512M")
"""Jobs for a machine that has little."""
_LOOK: Final = 0.1
"""Seconds between looks."""


Strike = Callable[[Slurm, str, int], None]
"""Does it to a job, by its number in Slurm, which plays a shard."""


class JobBlow(NamedTuple):
    """What is done to a job in the middle of its shard, and what becomes of it."""

    what: str
    strike: Strike
    end: tuple[str, str]
    """Its last state, and how often it was put into the queue again."""


def _by(*words: str) -> Strike:
    """Return a strike by a command of Slurm's."""

    def strike(slurm: Slurm, job: str, shard: int) -> None:
        del shard
        slurm.said(*words, job)

    return strike


def _end_its_time(slurm: Slurm, job: str, shard: int) -> None:
    """Signal the shell of a job, as Slurm does before the time is over."""
    del slurm, job
    for each in _playing(shard):
        os.kill(each.parent, signal.SIGUSR1)


def _kill(slurm: Slurm, job: str, shard: int) -> None:
    del slurm, job
    for each in _playing(shard):
        os.kill(each.pid, signal.SIGKILL)


def _playing(shard: int) -> list[kin.ProcessEntry]:
    return kin.commands(("--shard", f"{shard}/{_SHARDS}"), kin.processes())


_BLOWS: Final[Mapping[int, JobBlow]] = {
    1: JobBlow("requeued", _by("scontrol", "requeue"), ("COMPLETED", "1")),
    2: JobBlow("told that its time is over", _end_its_time, ("COMPLETED", "1")),
    3: JobBlow("killed", _kill, ("FAILED", "0")),
    4: JobBlow("cancelled", _by("scancel"), ("CANCELLED", "0")),
}
"""By their shards."""
_UNDISTURBED: Final = ("COMPLETED", "0")


class SlurmOutcome(NamedTuple):
    """What came of it."""

    imported: int
    """Duels that the jobs have played and stored."""
    duels: int
    voids: int
    differences: list[str]


def soak(game: str, jobs: int, seed: int, *, as_json: bool) -> int:
    """Play a league undisturbed and by Slurm, tell what differs, and return the exit code."""
    if not can_start():
        print(INSTALL, file=sys.stderr)
        return 2
    kin.adopt_orphans()
    place = Path(mkdtemp(prefix="upcard-soak-"))
    outcome = None
    try:
        outcome = _league(place, game, jobs, Random(seed).randbytes(32).hex())
    finally:
        if outcome and outcome.differences:
            print(f"what is left of it is in {place}", file=sys.stderr)
        else:
            rmtree(place)
    if as_json:
        print(json.dumps(outcome._asdict(), indent=2))
    else:
        counted = outcome._asdict() | {"differences": len(outcome.differences)}
        print_table("slurm", ("", "times"), [(what, str(n)) for what, n in counted.items()])
        print("\n".join(outcome.differences) or "the same")
    return bool(outcome.differences)


def _league(place: Path, game: str, jobs: int, seed: str) -> SlurmOutcome:
    log = place / "log"
    plan = Plan(Terms(PRESETS[game].game(), LIMITS, tables=1), _DUELS, _BLOCK)
    fresh = set_scene(place / "fresh", _BOTS, plan, _PAUSE)
    calm, stormy = fresh.copy(place / "calm"), fresh.copy(place / "stormy")
    play = place / "play"
    play.mkdir()
    imported, wrong = 0, []
    try:
        _await(run(calm, seed, jobs, log), log)
        _await(start(stormy, "league", "deal", NAME, "--seed", seed, log=log), log)
        _await(start(stormy, "store", "backup", str(play / "store"), log=log), log)
        with started(place / "slurm") as slurm:
            wrong = _played(slurm, stormy, play)
            slurm.await_nobody()
        imported = progress(stormy).duels
        _await(run(stormy, seed, jobs, log), log)
        wrong += differences(calm, stormy, log) + remains(stormy, ())
    except Broken as broken:
        wrong.append(str(broken))
    told = progress(stormy)
    return SlurmOutcome(imported, told.duels, told.voids, wrong)


def _await(command: subprocess.Popen[bytes], log: Path) -> None:
    if command.wait():
        raise Broken(f"a command ended with {command.returncode}: {last_line(log)}")


def _played(slurm: Slurm, stormy: Scene, play: Path) -> list[str]:
    """Submit the jobs, strike, and wait for the last; tell which did not end as they should."""
    # One machine has all, so that a job can write to a store in a file as well.
    own = {"UPCARD_DB": stormy.address, "TMPDIR": str(stormy.loose)}
    slurm = slurm._replace(environment={**slurm.environment, **own})
    array = slurm.said(
        "sbatch", *_SMALL, f"--array=1-{_SHARDS}", str(_JOBS / "shards.sbatch"), NAME, within=play
    )
    after = (*_SMALL, f"--dependency=afterany:{array}")
    importing = slurm.said("sbatch", *after, str(_JOBS / "import.sbatch"), within=play)
    pending, deadline = dict(_BLOWS), monotonic() + PATIENCE
    while not slurm.is_over(importing):
        if monotonic() > deadline:
            raise Broken("the jobs do not end")
        for shard in [*pending]:
            if _is_in_the_middle(play / f"shard-{shard}.jsonl"):
                pending.pop(shard).strike(slurm, f"{array}_{shard}", shard)
        sleep(_LOOK)
    ends = {f"{array}_{n}": _BLOWS[n].end if n in _BLOWS else _UNDISTURBED for n in _EVERY}
    return [
        *(f"shard {shard} was not {blow.what} in its middle" for shard, blow in pending.items()),
        *(wrong for job, end in ends.items() for wrong in _ended(slurm, job, end)),
        *_ended(slurm, importing, _UNDISTURBED),
    ]


def _is_in_the_middle(file: Path) -> bool:
    """Say whether there are some of its duels in it, and not yet all of them."""
    return file.exists() and file.read_bytes().count(b"\n") in _MIDDLE


def _ended(slurm: Slurm, number: str, end: tuple[str, str]) -> Iterator[str]:
    job = slurm.job(number)
    found = (job["JobState"], job["Restarts"])
    if found != end:
        yield f"job {number}: state and restarts are {found}, not {end}"

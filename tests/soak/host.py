"""Kills a host at random moments while authors hand in and a ladder plays.

The process that serves the pages, the one that works and its workers are killed, and the first is
started again. In the end each submission has to be there once, examined and on the ladder, and
every league with each of its duels once, as its log and `upcard verify` say.
"""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp
from threading import Thread
from time import monotonic, sleep
from typing import Final, Literal, NamedTuple

from sqlalchemy import Select, func, select

from referee.arena.limits import Terms
from referee.cli.output import print_table
from referee.engine.registry import PRESETS
from referee.examination.admission import candidates
from referee.store.audit import set_setting
from referee.store.bots import add_bot
from referee.store.database import Store, reading, writing
from referee.store.hosting_models import By, Ladder, LadderPlan
from referee.store.hosting_rows import SUBMISSION_EVENT
from referee.store.jobs import queue
from referee.store.ladders import create_ladder, enter_ladder, ladder_epochs, set_ladder_state
from referee.store.rows import DUEL
from tests.cli.bots import write_bot
from tests.soak import kin
from tests.soak.authors import Author, sign_up
from tests.soak.cluster import free_port
from tests.soak.comparing import last_line
from tests.soak.host_checks import host_faults
from tests.soak.remains import groups, remains
from tests.soak.scene import BOTS, LIMITS, Scene, opened, scene_at, start
from tests.soak.storm import Broken
from tests.waiting import PATIENCE

Kind = Literal["web", "queue", "worker"]
KINDS: Final[Sequence[Kind]] = ("web", "queue", "queue", "worker", "worker", "worker")
"""What is dealt like a pack, so that even few kills are of every kind."""
_HOUSE: Final = ("first", "lots")
_AUTHORS: Final = {"ada": "last", "bert": "middle", "cleo": "other_lots"}
"""And which bot each hands in, in ever new versions."""
PLAN: Final = LadderPlan(
    Terms(PRESETS["euchre"].game(), LIMITS, tables=1),
    round_duels=4,
    epoch=timedelta(seconds=40),
    interval=timedelta(seconds=1),
    catch_up=2,
)
_LONGEST: Final = 6.0
"""Seconds to wait after that, at most."""
_NOTHING_MORE: Final = 90.0
"""Seconds after which no more is waited for, on a machine that is busy."""
_AWAITED: Final = (
    select(func.count()).select_from(DUEL),
    select(func.count()).where(SUBMISSION_EVENT.c.state == "accepted"),
)
"""Counts what some kills wait for."""
_INTERRUPTED: Final = 128 + signal.SIGINT
_LOOK: Final = 0.1


class HostOutcome(NamedTuple):
    """What came of it."""

    kills: Counter[Kind]
    submissions: int
    again: int
    """How often one was given up by the host's own fault, and examined again."""
    leagues: int
    duels: int
    differences: list[str]


class HostProcess:
    """`upcard host` on a store."""

    def __init__(self, scene: Scene, log: Path, jobs: int) -> None:
        """Start it."""
        self._scene = scene
        self._log = log
        self._jobs = jobs
        self._port = free_port()
        self._process = self._started()

    @property
    def url(self) -> str:
        """Where it is reached."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """That of the process that serves the pages."""
        return self._process.pid

    def _started(self) -> subprocess.Popen[bytes]:
        words = ("host", "--port", str(self._port), "--jobs", str(self._jobs))
        return start(self._scene, *words, log=self._log)

    def kill(self, kind: Kind, choice: float) -> bool:
        """Kill one process of a kind; return whether there was any."""
        if self._process.poll() is not None:
            raise Broken(f"the host ended with {self._process.returncode}: {last_line(self._log)}")
        if kind == "web":
            self._process.kill()
            self._process.wait()
            self._process = self._started()
            return True
        among = kin.processes()
        found = kin.commands(("queue", "--db", self._scene.address), among)
        if kind == "worker":
            found = [worker for each in found for worker in kin.referees(each.pid, among)]
        if found:
            os.kill(found[int(choice * len(found))].pid, signal.SIGKILL)
        return bool(found)

    def stop(self) -> None:
        """Stop it as its organiser does."""
        self._process.terminate()
        if (code := self._process.wait(PATIENCE)) != _INTERRUPTED:
            raise Broken(f"the host ended with {code}: {last_line(self._log)}")

    def end(self) -> None:
        """Kill what is left of it."""
        self._process.kill()
        self._process.wait()


def soak(kills: int, jobs: int, seed: int, *, as_json: bool) -> int:
    """Kill a host so often, tell what came of it, and return the exit code."""
    kin.adopt_orphans()
    place, outcome = Path(mkdtemp(prefix="upcard-soak-")), None
    try:
        outcome = _hosted(place, kills, jobs, Random(seed))
    finally:
        if outcome and not outcome.differences:
            rmtree(place)
        else:
            print(f"what is left of it is in {place}", file=sys.stderr)
    _report(outcome, as_json=as_json)
    return bool(outcome.differences)


def _report(outcome: HostOutcome, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(outcome._asdict(), indent=2))
        return
    counted = {f"kills of the {kind}": times for kind, times in outcome.kills.items()}
    counted |= {"submissions": outcome.submissions, "examined again by hand": outcome.again}
    counted |= {"leagues": outcome.leagues, "duels": outcome.duels}
    print_table("host", ("", "times"), [(what, str(times)) for what, times in counted.items()])
    print("\n".join(outcome.differences) or "nothing is lost, and nothing there twice")


def _hosted(place: Path, wanted: int, jobs: int, random: Random) -> HostOutcome:
    (place / "host").mkdir()
    scene, log, before = scene_at(place / "host"), place / "log", {*groups()}
    killed: Counter[Kind] = Counter()
    wrong: list[str] = []
    authors: list[Author] = []
    pids: set[int] = set()
    with opened(scene, create=True) as store:
        ladder = set_up(store, place / "bots")
        host = HostProcess(scene, log, jobs)
        try:
            authors = _authors(store, ladder, host, place, lambda: killed.total() >= wanted)
            with _at_work(authors):
                _kill(host, killed, wanted, random, partial(_stored, store), pids)
            _finish(store, ladder)
            host.stop()
        except Broken as broken:
            wrong.append(str(broken))
        finally:
            host.end()
    _await_nobody()
    wrong += [each for author in authors for each in author.wrong]
    told = {author.account.login: author.handed_in for author in authors}
    found = host_faults(scene, told, log)
    return HostOutcome(
        killed,
        sum(map(len, told.values())),
        sum(author.again for author in authors),
        found.leagues,
        found.duels,
        [*wrong, *found.wrong, *remains(scene, pids, before)],
    )


def set_up(store: Store, place: Path, plan: LadderPlan = PLAN) -> Ladder:
    """Make a ladder with its house bots."""
    now = datetime.now(UTC)
    by = By(None, now)
    set_setting(store, "daily", 10**6, by)
    ladder = create_ladder(store, "spring", plan, by)
    written = [write_bot(place / name, BOTS[name], name=name) for name in _HOUSE]
    with candidates(written, now) as handed_in:
        for each in handed_in:
            add_bot(store, each.bot, each.entrant.bundle)
            with writing(store) as connection:
                enter_ladder(connection, ladder, each.bot, None, now)
    return ladder


def _authors(
    store: Store, ladder: Ladder, host: HostProcess, place: Path, enough: Callable[[], bool]
) -> list[Author]:
    return [
        Author(store, ladder, *sign_up(store, login, host.url), place / "bots", BOTS[bot], enough)
        for login, bot in _AUTHORS.items()
    ]


@contextmanager
def _at_work(authors: Sequence[Author]) -> Iterator[None]:
    """Run the authors meanwhile, and wait until all is examined that they handed in."""
    threads = [Thread(target=each.work, daemon=True) for each in authors]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join()


def _kill(
    host: HostProcess,
    killed: Counter[Kind],
    wanted: int,
    random: Random,
    stored: Callable[[Select[int]], int],
    pids: set[int],
) -> None:
    """Kill so often: some at any time, others after a duel, or after a submission is examined."""

    def wait(seconds: float, is_over: Callable[[], bool] = lambda: False) -> None:
        deadline = monotonic() + seconds
        while monotonic() < deadline and not is_over():
            pids.update(each.pid for each in kin.below(os.getpid(), kin.processes()))
            kin.strangers({host.pid}, kin.processes())
            sleep(_LOOK)

    kinds = _dealt(random)
    kind = next(kinds)
    while killed.total() < wanted:
        awaited = random.choice((None, *_AWAITED))
        if awaited is not None:
            before = stored(awaited)
            wait(_NOTHING_MORE, lambda: stored(awaited) > before)  # noqa: B023 (it is over by the next)
        wait(_LONGEST * random.random() ** 2)
        if host.kill(kind, random.random()):
            killed[kind] += 1
            kind = next(kinds)


def _stored(store: Store, what: Select[int]) -> int:
    with reading(store) as connection:
        return connection.scalar(what) or 0


def _dealt(random: Random) -> Iterator[Kind]:
    while True:
        yield from random.sample(KINDS, len(KINDS))


def _finish(store: Store, ladder: Ladder) -> None:
    """End the ladder, and wait until all is played."""
    set_ladder_state(store, ladder, "ended", By(None, datetime.now(UTC)))
    deadline = monotonic() + PATIENCE
    while queue(store) or not all(each.ended for each in ladder_epochs(store, ladder)):
        if monotonic() > deadline:
            raise Broken("the host does not do all that is queued")
        sleep(_LOOK)


def _await_nobody() -> None:
    deadline = monotonic() + PATIENCE
    while left := kin.strangers((), kin.processes()):
        if monotonic() > deadline:
            raise Broken(f"nobody ended {', '.join(map(str, left))}")
        sleep(_LOOK)

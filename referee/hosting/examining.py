"""Examines submissions, in the process of a worker: builds them, and checks what was built.

Each step has a time of its own. One that is not over long after that is ended by the kernel, with
its worker; so a build that hangs in any way stops nobody else.
"""

import asyncio
import json
import signal
import zlib
from collections.abc import Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from referee.arena.limits import TimeLimits
from referee.bots.archives import ArchiveLimits, only_directory, unpack
from referee.bots.build_environment import BuildFailed
from referee.bots.building import BuildLimits, make_bundle
from referee.bots.manifest import read_manifest
from referee.bots.seating import BotLauncher, SeatedBot
from referee.engine.registry import Preset
from referee.errors import ConfigError
from referee.examination.admission import Candidate, bot_of_bundle
from referee.examination.check_bundle import check_bundle
from referee.examination.examine import examine
from referee.examination.fault_bundle import to_json
from referee.examination.report_card import FAIL, Check
from referee.sandbox.launcher import Files, Sandboxes
from referee.sandbox.modes import Mode
from referee.sandbox.runtimes import find_runtimes
from referee.store.models import Bot
from referee.text import without_place

_GRACE: Final = 60
"""Seconds after which a step is ended that should have ended by itself."""
_PREPARING: Final = 1800
"""Seconds for what builds in a language need, which is made once."""
_LONGEST_LOG: Final = 256 * 1024
_MOST_FAULTS: Final = 8
_LARGEST_FAULT: Final = 1 << 20
_LONGEST_LINE: Final = 2000
Result = TypeVar("Result")


class BuildTask(NamedTuple):
    """A submission that is to be built."""

    archive: Path
    limits: ArchiveLimits
    work: Path
    """A directory of its own; what plays goes to `bundle` in it."""
    build: BuildLimits
    now: datetime


class BuildOutcome(NamedTuple):
    """What came of a build."""

    bot: Bot | None
    """None if it failed."""
    reason: str
    """Why it failed, for its author."""
    log: bytes
    """The end of what it wrote."""


class CheckTask(NamedTuple):
    """A bot that is to be checked."""

    bundle: Path
    bot: Bot
    presets: tuple[Preset, ...]
    """What it is asked to play."""
    limits: TimeLimits
    seconds: float
    """For all checks."""
    mode: Mode | None
    """How bots are isolated; none if they are not."""
    shared_files: bool


class CheckOutcome(NamedTuple):
    """What came of the checks."""

    reason: str
    """Why it did not pass, for its author; empty if it did."""
    report: bytes
    """The report card, as JSON."""
    faults: tuple[bytes, ...]
    """Fault bundles that the report card names, each compressed JSON."""


def build_submission(task: BuildTask) -> BuildOutcome:
    """Unpack a submission and make what is to play of it."""
    with _alarm(task.build.seconds + _PREPARING):
        source = task.work / "source"
        try:
            unpack(task.archive, source, task.limits)
            directory = only_directory(source)
            making = make_bundle(directory, task.work / "bundle", task.build, _quietly)
            built = asyncio.run(making)
        except BuildFailed as failed:
            return BuildOutcome(None, _told(failed, task), _end(failed.log))
        except ConfigError as error:
            return BuildOutcome(None, _told(error, task), b"")
        bot = bot_of_bundle(task.work / "bundle", built.digest, task.now)
        return BuildOutcome(bot, "", _end(built.log))


def check_submission(task: CheckTask) -> CheckOutcome:
    """Check a bot against the protocol and the rules."""
    with _alarm(task.seconds):
        card = _Card(task)
        try:
            asyncio.run(_in_time(card.examine(), task.seconds))
        except TimeoutError:
            card.note(f"the examination took longer than {task.seconds:g} s")
        return card.outcome()


async def _in_time(work: Coroutine[Any, Any, Result], seconds: float) -> Result:
    async with asyncio.timeout(seconds):
        return await work


class _Card:
    """The report card of one bot."""

    def __init__(self, task: CheckTask) -> None:
        self._task = task
        runtimes = find_runtimes()
        manifest = read_manifest(task.bundle, runtimes)
        entrant = SeatedBot(manifest, task.bundle, runtimes[manifest.runtime])
        self._candidate = Candidate(task.bot, entrant)
        self._lines: list[dict[str, object]] = []
        self._faults: list[bytes] = []
        self._reasons: list[str] = []

    async def examine(self) -> None:
        task, entrant = self._task, self._candidate.entrant
        files: Files = "shared" if task.shared_files else "private"
        async with Sandboxes.open(task.mode, unsafe=task.mode is None, files=files) as sandboxes:
            launcher = BotLauncher(sandboxes, (entrant, entrant))
            tables = entrant.manifest.tables
            await examine(launcher, task.presets, task.limits, tables, self._add)

    def _add(self, check: Check) -> None:
        line: dict[str, object] = {
            "name": check.name,
            "verdict": check.verdict,
            "says": check.says[:_LONGEST_LINE],
            "fault": None,
        }
        if check.verdict == FAIL:
            self._reasons.append(f"{check.name}: {check.says}")
            line["fault"] = self._kept(check)
        self._lines.append(line)

    def _kept(self, check: Check) -> int | None:
        """Keep the fault bundle of a check; return its number, from 1."""
        bundle = check_bundle(check, self._candidate, self._game(check.name), self._task.limits)
        if bundle is None or len(self._faults) >= _MOST_FAULTS:
            return None
        packed = zlib.compress(json.dumps(to_json(bundle)).encode())
        if len(packed) > _LARGEST_FAULT:
            return None
        self._faults.append(packed)
        return len(self._faults)

    def _game(self, name: str) -> Any:  # noqa: ANN401 (a game of any kind)
        begins, presets = name.partition(":")[0], self._task.presets
        return next((each for each in presets if each.name == begins), presets[0]).game()

    def note(self, reason: str) -> None:
        self._reasons.append(reason)
        self._lines.append({"name": "time", "verdict": FAIL, "says": reason, "fault": None})

    def outcome(self) -> CheckOutcome:
        failed = len(self._reasons)
        more = f" (and {failed - 1} more)" if failed > 1 else ""
        reason = f"{self._reasons[0][:500]}{more}" if self._reasons else ""
        report = {"passed": not failed, "lines": self._lines}
        return CheckOutcome(reason, json.dumps(report).encode(), tuple(self._faults))


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End this process if something is not over by then, however it hangs."""
    before = signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _quietly(_: str) -> AbstractContextManager[None]:
    return nullcontext()


def _end(log: bytes) -> bytes:
    if len(log) <= _LONGEST_LOG:
        return log
    return b"[the beginning is left out]\n" + log[-_LONGEST_LOG:]


def _told(error: Exception, task: BuildTask) -> str:
    """Return what was wrong, without the places of this machine."""
    return without_place(without_place(str(error), task.work / "source"), task.work)

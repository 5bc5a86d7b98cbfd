"""Examines submissions: each is built and checked by a worker, then decided."""

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar

from referee.arena.limits import TimeLimits
from referee.bots.building import BuildLimits
from referee.engine.registry import PRESETS, Preset
from referee.errors import ConfigError
from referee.files.own_directory import own_directory
from referee.hosting.examining import BuildTask, CheckTask, build_submission, check_submission
from referee.hosting.settings import HostSettings, host_settings
from referee.hosting.shared_pool import SharedPool
from referee.store import lifecycle
from referee.store.accounts import account_of_id
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.hosting_models import Job, Ladder
from referee.store.ladders import ladder
from referee.store.lifecycle import Examination
from referee.store.models import Bot
from referee.store.sources import source_file
from referee.store.submissions import submission

BUILD_LOG: Final = "build.log"
REPORT: Final = "report.json"
_WORK: Final = "upcard-examined-"
_PAUSE: Final = 0.5
"""Seconds from one look at whether the host stops to the next."""
Result = TypeVar("Result")


def fault_name(number: int) -> str:
    """Return what the fault bundle of a report card is called among a submission's files."""
    return f"fault-{number}"


@dataclass(frozen=True)
class Examinations:
    """Examines submissions."""

    store: Store
    pool: SharedPool
    temporary: Path
    """Where submissions are unpacked and built."""
    clock: Callable[[], datetime]
    stops: Callable[[], int]

    def examine(self, job: Job) -> None:
        """Examine the submission of a job.

        Raises:
            KeyboardInterrupt: the host stops.
        """
        found = _examination(self.store, job)
        settings = host_settings(self.store)
        with own_directory(self.temporary, _WORK) as work:
            lifecycle.begin(self.store, found, "building", self.clock())
            task = self._build_task(found, settings, work)
            built = self._wait(self.pool.submit("examine", build_submission, task))
            files = {BUILD_LOG: built.log} if built.log else {}
            if built.bot is None:
                lifecycle.reject(self.store, found, built.reason, self.clock(), files)
                return
            lifecycle.begin(self.store, found, "checking", self.clock())
            check = self._check_task(found, settings, work / "bundle", built.bot)
            checked = self._wait(self.pool.submit("examine", check_submission, check))
            files[REPORT] = checked.report
            files |= {fault_name(at): each for at, each in enumerate(checked.faults, start=1)}
            if checked.reason:
                lifecycle.reject(self.store, found, checked.reason, self.clock(), files)
                return
            add_bot(self.store, built.bot, work / "bundle")
            try:
                lifecycle.accept(self.store, found, built.bot, files, self.clock())
            except ConfigError as error:
                lifecycle.reject(self.store, found, str(error), self.clock(), files)

    def _build_task(self, found: Examination, settings: HostSettings, work: Path) -> BuildTask:
        limits = BuildLimits(settings.build_seconds, settings.build_network)
        archive = source_file(self.store.files, found.submission.source)
        return BuildTask(archive, settings.limits, work, limits, self.clock())

    def _check_task(
        self, found: Examination, settings: HostSettings, bundle: Path, bot: Bot
    ) -> CheckTask:
        terms, sandboxing = found.ladder.plan.terms, self.pool.sandboxing
        return CheckTask(
            bundle,
            bot,
            (preset_of(found.ladder),),
            TimeLimits(terms.limits.decision, terms.limits.ready),
            settings.check_seconds,
            sandboxing.mode,
            sandboxing.shared_files,
        )

    def _wait(self, future: Future[Result]) -> Result:
        while True:
            try:
                return future.result(timeout=_PAUSE)
            except NotYet:
                if self.stops():
                    raise KeyboardInterrupt from None


def _examination(store: Store, job: Job) -> Examination:
    found = submission(store, job.subject)
    account = account_of_id(store, found.account)
    return Examination(job, found, account, ladder(store, found.ladder))


def preset_of(found: Ladder) -> Preset:
    """Return the game of a ladder, as what a bot is checked by."""
    game = found.plan.terms.game
    chosen = game.rules._asdict()
    alike = (each for each in PRESETS.values() if each.game() == game)
    first_dealer = game.first_dealer(0)
    name = next((each.name for each in alike), game.title)
    return Preset(name, type(game), chosen, first_dealer, found.name)

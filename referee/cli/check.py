"""`upcard check`: examines one bot against the protocol and the rules."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.arena.limits import TimeLimits
from referee.bots.build_environment import BuildFailed
from referee.bots.examples import find_bot
from referee.bots.manifest import read_manifest
from referee.bots.seating import BotLauncher, Debugged, SeatedBot
from referee.cli import arguments
from referee.cli.build_options import BuildOptions
from referee.cli.check_report import CheckReport
from referee.cli.duel_options import AcceptWeak, DecisionLimit, ReadyLimit, Unsafe
from referee.cli.interrupts import run_until_stopped
from referee.cli.option_groups import with_groups
from referee.cli.progress import waiting
from referee.engine.game import Game
from referee.engine.recycle import Recycle
from referee.engine.registry import Preset
from referee.errors import ConfigError
from referee.examination.admission import Candidate, candidates
from referee.examination.check_bundle import check_bundle
from referee.examination.examine import examine
from referee.examination.guarantees import guaranteed_sandboxes
from referee.examination.report_card import FAIL, PASS, Check
from referee.game_files import examined_games, find_game, is_program
from referee.sandbox.runtimes import find_runtimes

FAILED: Final = 1
_LIMITS: Final = TimeLimits()


@with_groups
def check(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="The bot: the directory of its bot.toml, or the name of an example.",
        ),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Only this game; else all it plays.")
    ] = None,
    decision_limit: DecisionLimit = _LIMITS.decision,
    ready_limit: ReadyLimit = _LIMITS.ready,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    logs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where fault bundles go, else upcard-logs/check-NAME."),
    ] = None,
    json: arguments.AsJson = False,
    *,
    building: BuildOptions,
) -> None:
    """Build a bot and examine it in the sandbox: how it starts, answers, plays and leaves."""
    directory, sandboxed = find_bot(bot), not unsafe_no_sandbox
    report = CheckReport(bot, logs or Path("upcard-logs", f"check-{directory.name}"), quiet=json)
    try:
        manifest = read_manifest(directory, find_runtimes())
    except ConfigError as error:
        report.begin(bot, sandboxed=sandboxed)
        report.add(Check("manifest", FAIL, str(error)))
    else:
        presets = _presets(game, manifest.games)
        limits = TimeLimits(decision_limit, ready_limit)
        bundle = building.bundle(sandboxed=sandboxed)
        try:
            with candidates([directory], datetime.now(UTC), bundle) as (candidate,):
                work = _examined(
                    candidate, presets, limits, report, accept_weak or (), sandboxed=sandboxed
                )
                run_until_stopped(work)
        except BuildFailed as failed:
            report.begin(bot, sandboxed=sandboxed)
            report.add(Check("build", FAIL, str(failed)))
    report.finish()
    if report.failed:
        raise typer.Exit(FAILED)


def _presets(game: str | None, games: Sequence[str]) -> list[Preset]:
    """Choose what is played: by what games are found by, or by a kind with all its presets."""
    plays = examined_games(games)
    chosen = [preset for preset in plays if game in {None, preset.name, preset.kind.name}]
    if not chosen and game is not None and is_program(game) and Recycle.name in games:
        chosen = [find_game(game)]
    if not chosen:
        names = ", ".join(preset.name for preset in plays)
        raise ConfigError(f"the bot does not play {str(game)[:80]!r}; choose from {names}")
    return chosen


async def _examined(
    candidate: Candidate,
    presets: Sequence[Preset],
    limits: TimeLimits,
    report: CheckReport,
    accepted: Sequence[str],
    *,
    sandboxed: bool,
) -> None:
    def add(check: Check) -> None:
        failed = check.verdict == FAIL
        game = _game(check, presets)
        report.add(check, check_bundle(check, candidate, game, limits) if failed else None)

    manifest = candidate.entrant.manifest
    async with one_bot(candidate.entrant, accepted, sandboxed=sandboxed) as launcher:
        report.begin(f"{manifest.name} {manifest.version}", sandboxed=sandboxed)
        report.add(Check("manifest", PASS, f"plays {' and '.join(manifest.games)}"))
        await examine(launcher, presets, limits, manifest.tables, add)


def _game(check: Check, presets: Sequence[Preset]) -> Game:
    """Return the game of a check, which its name begins with if it depends on one."""
    begins = check.name.partition(":")[0]
    return next((each for each in presets if each.name == begins), presets[0]).game()


@asynccontextmanager
async def one_bot(
    entrant: SeatedBot,
    accepted: Sequence[str],
    *,
    sandboxed: bool,
    debugged: Debugged | None = None,
) -> AsyncIterator[BotLauncher]:
    """Open the sandboxes for one bot, if their guarantees hold; it may be one that is debugged."""
    checking = waiting("Checking the sandbox")
    async with guaranteed_sandboxes(accepted, sandboxed=sandboxed, shown=checking) as (
        sandboxes,
        _,
    ):
        yield BotLauncher(sandboxes, (entrant, entrant), debugged=debugged)

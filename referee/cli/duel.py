"""`upcard duel`: plays two bots against each other and reports who is better."""

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli.again_text import Again
from referee.cli.build_options import BuildOptions
from referee.cli.debug_options import NOT_DEBUGGED, DebugOptions, debugging_text
from referee.cli.duel_logs import FaultFile, write_logs
from referee.cli.duel_options import DuelOptions, PlayOptions
from referee.cli.duel_report import print_report
from referee.cli.duel_rows import print_rows
from referee.cli.interrupts import lent_terminal
from referee.cli.league_of_two import Contest, league_of_two
from referee.cli.league_play import play_league
from referee.cli.option_groups import with_groups
from referee.cli.output import one_format, print_json
from referee.cli.own_logs import OwnLogs
from referee.cli.played_duels import PlayedDuel
from referee.cli.terms_options import TermsOptions
from referee.league.head_to_head import NAME
from referee.league.table import LeagueTable
from referee.reports.duels import lines
from referee.reports.head_to_head import HeadToHead, head_to_head
from referee.scheduling.round_robin import LARGEST_VISIT
from referee.store.database import Store
from referee.store.duels import stored_duels
from referee.store.models import Plan

FAILED, FAULTY = 1, 3
BOT: Final = (
    "the directory of its bot.toml, an archive of that, the name of an example, or NAME@VERSION or "
    "the digest of one of the store (--db)"
)


@with_groups
def duel(
    first: Annotated[str, typer.Argument(metavar="BOT", help=f"A bot: {BOT}.")],
    second: Annotated[str, typer.Argument(metavar="OTHER", help="The other, likewise.")],
    *,
    terms: TermsOptions,
    options: DuelOptions,
    playing: PlayOptions,
    building: BuildOptions,
) -> None:
    """Play two bots against each other and report who is better.

    A duel is two matches on the same deals, one from each side of the table.
    In games of three or more sides it is as many matches as it takes.
    """
    contest = chosen_contest((first, second), terms, options, playing)
    play_duels(contest, options, playing, building)


def chosen_contest(
    bots: tuple[str, str],
    terms: TermsOptions,
    options: DuelOptions,
    playing: PlayOptions,
    debugging: DebugOptions = NOT_DEBUGGED,
) -> Contest:
    """Return what two bots play, by the options.

    Raises:
        ConfigError: they do not go together, or the duel to play again is not there.
    """
    again = options.again(playing)
    chosen = debugging.terms(terms.terms(again and again.game), options)
    duels = options.duel_count(one=debugging.debug or again is not None)
    return Contest(bots, Plan(chosen, duels, LARGEST_VISIT), again=again)


def play_duels(
    contest: Contest,
    options: DuelOptions,
    playing: PlayOptions,
    building: BuildOptions,
    debugging: DebugOptions = NOT_DEBUGGED,
) -> None:
    """Play two bots against each other, and report what came of it.

    Raises:
        Exit: a bot was at fault, or a duel could not be played.
    """
    one_format(options.json, options.csv)
    with league_of_two(contest, playing, building, debugging) as two:
        debugged = two.options.debugged
        if debugged:
            game = contest.plan.terms.game
            print(debugging_text(two.names[0], debugged, game), file=sys.stderr)
        with two.logs_if_stopped(), lent_terminal() if debugged else nullcontext():
            play_league(two.store, NAME, two.options, at_once=True)
        table = two.table()
        _report(two.store, table, two.logs, options, contest.again)
    if is_faulty(table):
        raise typer.Exit(FAULTY)
    if table.unplayed:
        raise typer.Exit(FAILED)


def _report(
    store: Store,
    table: LeagueTable,
    directory: Path,
    options: DuelOptions,
    before: PlayedDuel | None,
) -> None:
    bundles = write_logs(directory, store, table)
    if options.csv:
        print_rows(store, table)
        return
    report = head_to_head(store, table)
    again = before and _again(store, table, before, directory)
    if options.json:
        own = {"again": again and again.report} if before else {}
        print_json({**as_json(report, directory, bundles), **own})
        return
    print_report(table, report, directory, bundles)
    if again:
        print("\n".join(("", *again.lines)))


def _again(store: Store, table: LeagueTable, before: PlayedDuel, logs: Path) -> Again | None:
    """Compare the only duel with the one before it, if it was played."""
    played = next(lines(table, stored_duels(store, NAME)), None)
    return played and Again(before, played, OwnLogs(logs).of(played.rooms[0]))


def as_json(
    report: HeadToHead, directory: Path, bundles: Mapping[int, FaultFile]
) -> dict[str, object]:
    """Return a report with the files that were written."""
    return {**report, "faults": _with_bundles(report, bundles), "logs": str(directory)}


def _with_bundles(report: HeadToHead, bundles: Mapping[int, FaultFile]) -> list[dict[str, object]]:
    """Name with each fault its bundle, or the first one of the same bot and kind."""
    named: list[dict[str, object]] = []
    first: dict[tuple[str, str], str] = {}
    for fault in report["faults"]:
        alike = fault["entrant"], fault["kind"]
        own = bundles.get(fault["number"])
        file = str(own.file) if own else first.get(alike)
        if file:
            first.setdefault(alike, file)
        named.append({**fault, "bundle": file})
    return named


def is_faulty(table: LeagueTable) -> bool:
    """Return whether a bot was at fault."""
    return bool(table.suspensions) or any(any(result.faults) for result in table.results)

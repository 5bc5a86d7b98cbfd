"""`upcard duel`: plays two bots against each other and reports who is better."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.arena.limits import Terms
from referee.cli.build_options import BuildOptions
from referee.cli.duel_logs import FaultFile, write_logs
from referee.cli.duel_options import DuelOptions, PlayOptions
from referee.cli.duel_report import print_report
from referee.cli.duel_rows import print_rows
from referee.cli.league_of_two import league_of_two
from referee.cli.league_play import play_league
from referee.cli.option_groups import with_groups
from referee.cli.output import one_format, print_json
from referee.cli.terms_options import TermsOptions
from referee.league.head_to_head import NAME
from referee.league.table import LeagueTable
from referee.reports.head_to_head import HeadToHead, head_to_head
from referee.scheduling.round_robin import LARGEST_VISIT
from referee.store.database import Store
from referee.store.models import Plan

FAILED, FAULTY = 1, 3
BOT: Final = (
    "the directory of its bot.toml, an archive of that, the name of an example, or NAME@VERSION of "
    "the store (--db)"
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
    play_duels(first, second, terms.terms(), options, playing, building)


def play_duels(
    first: str,
    second: str,
    terms: Terms,
    options: DuelOptions,
    playing: PlayOptions,
    building: BuildOptions,
) -> None:
    """Play two bots against each other, and report what came of it.

    Raises:
        Exit: a bot was at fault, or a duel could not be played.
    """
    one_format(options.json, options.csv)
    plan = Plan(terms, options.duels, LARGEST_VISIT)
    with league_of_two(first, second, plan, playing, building) as two:
        with two.logs_if_stopped():
            play_league(two.store, NAME, two.options, at_once=True)
        table = two.table()
        _report(two.store, table, two.logs, options)
    if is_faulty(table):
        raise typer.Exit(FAULTY)
    if table.unplayed:
        raise typer.Exit(FAILED)


def _report(store: Store, table: LeagueTable, directory: Path, options: DuelOptions) -> None:
    bundles = write_logs(directory, store, table)
    if options.csv:
        print_rows(store, table)
        return
    report = head_to_head(store, table)
    if options.json:
        print_json(as_json(report, directory, bundles))
    else:
        print_report(table, report, directory, bundles)


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

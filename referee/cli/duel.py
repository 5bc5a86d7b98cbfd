"""`upcard duel`: plays two bots against each other and reports who is better."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.arena.limits import Terms
from referee.bots.examples import find_bot
from referee.cli.build_options import BuildOptions
from referee.cli.debug_options import NOT_DEBUGGED, DebugOptions, debugging_text
from referee.cli.duel_logs import FaultFile, log_files, prepare, write_logs
from referee.cli.duel_options import DuelOptions
from referee.cli.duel_report import print_report
from referee.cli.duel_rows import print_rows
from referee.cli.interrupts import lent_terminal
from referee.cli.kept_store import kept_store
from referee.cli.league_play import play_league
from referee.cli.option_groups import with_groups
from referee.cli.output import one_format, print_json
from referee.cli.terms_options import TermsOptions
from referee.engine.dealing import seed_from_text
from referee.examination.admission import Bundle, Candidate, candidates
from referee.league.head_to_head import NAME, names_of, start_duel
from referee.league.running import RunOptions
from referee.league.table import LeagueTable, league_table
from referee.reports.head_to_head import HeadToHead, head_to_head
from referee.store.database import Store

FAILED, FAULTY = 1, 3
BOT: Final = "the directory of its bot.toml, or the name of an example"
_LOGS: Final = "upcard-logs"


@with_groups
def duel(
    first: Annotated[str, typer.Argument(metavar="BOT", help=f"A bot: {BOT}.")],
    second: Annotated[str, typer.Argument(metavar="OTHER", help="The other, likewise.")],
    *,
    terms: TermsOptions,
    options: DuelOptions,
    building: BuildOptions,
) -> None:
    """Play two bots against each other and report who is better.

    A duel is two matches on the same deals, one from each side of the table.
    In games of three or more sides it is as many matches as it takes.
    """
    play_duels(first, second, terms.terms(), options, building)


def play_duels(
    first: str,
    second: str,
    terms: Terms,
    options: DuelOptions,
    building: BuildOptions,
    debugging: DebugOptions = NOT_DEBUGGED,
) -> None:
    """Play two bots against each other, and report what came of it.

    Raises:
        Exit: a bot was at fault, or a duel could not be played.
    """
    one_format(options.json, options.csv)
    seed = None if options.seed is None else seed_from_text(options.seed)
    terms = debugging.terms(terms, options)
    directories = [find_bot(first), find_bot(second)]
    now = datetime.now(UTC)
    with (
        candidates(directories, now, _bundle(options, building, debugging, directories[0])) as bots,
        kept_store(options.keep, "upcard-duel-") as store,
    ):
        debugged = debugging.debugged(bots[0].entrant.manifest, directories[0], terms.game)
        start_duel(store, bots, terms, options.duel_count(one=debugging.debug), now)
        logs = options.logs or Path(_LOGS, "-vs-".join(each.bot.name for each in bots))
        prepare(logs, names_of(bots), terms.game)
        run = RunOptions(
            seed=seed,
            accepted=options.accept_weak or (),
            sandboxed=not options.unsafe_no_sandbox,
            logs=log_files(logs, names_of(bots), terms.game),
            debugged=debugged,
        )
        if debugged:
            print(debugging_text(names_of(bots)[0], debugged, terms.game), file=sys.stderr)
        try:
            with lent_terminal() if debugged else nullcontext():
                play_league(store, NAME, run, at_once=True)
        except KeyboardInterrupt:
            write_logs(logs, store, _table(store, bots))
            raise
        table = _table(store, bots)
        _report(store, table, logs, options)
    _leave(table)


def _bundle(
    options: DuelOptions, building: BuildOptions, debugging: DebugOptions, first: Path
) -> Bundle:
    """Return what makes the bundles: of a bot that is debugged, all seats play its own build."""
    usual = building.bundle(sandboxed=not options.unsafe_no_sandbox)
    if not debugging.debug:
        return usual
    own = building.bundle(sandboxed=False)
    return lambda directory, copy: (own if directory == first else usual)(directory, copy)


def _table(store: Store, bots: Sequence[Candidate]) -> LeagueTable:
    return replace(league_table(store, NAME), names=dict(enumerate(names_of(bots), start=1)))


def _report(store: Store, table: LeagueTable, directory: Path, options: DuelOptions) -> None:
    bundles = write_logs(directory, store, table)
    if options.csv:
        print_rows(store, table)
        return
    report = head_to_head(store, table)
    if options.json:
        print_json({**report, "faults": _with_bundles(report, bundles), "logs": str(directory)})
    else:
        print_report(table, report, directory, bundles)


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


def _leave(table: LeagueTable) -> None:
    if table.suspensions or any(any(result.faults) for result in table.results):
        raise typer.Exit(FAULTY)
    if table.unplayed:
        raise typer.Exit(FAILED)

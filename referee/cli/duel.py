"""`upcard duel`: plays two bots against each other and reports who is better."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from referee.arena.duel import Duel
from referee.arena.limits import Terms
from referee.cli.again_text import Again
from referee.cli.bot_argument import BOT, bot_directory, is_kept
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
from referee.cli.played_duels import PlayedDuel
from referee.cli.terms_options import TermsOptions
from referee.engine.dealing import seed_from_text
from referee.errors import ConfigError
from referee.examination.admission import Bundle, Candidate, candidates
from referee.league.head_to_head import NAME, names_of, start_duel
from referee.league.running import RunOptions
from referee.league.table import LeagueTable, league_table
from referee.reports.duels import lines
from referee.reports.head_to_head import HeadToHead, head_to_head
from referee.store.database import Store
from referee.store.duels import stored_duels

FAILED, FAULTY = 1, 3
_LOGS: Final = "upcard-logs"
_AGAIN: Final = "-again"
"""How their directory ends where deals are played again: those of the first time stay."""


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
    again = options.again()
    contest = Contest((first, second), terms.terms(again and again.game), again)
    play_duels(contest, options, building)


class Contest(NamedTuple):
    """Who plays what."""

    bots: tuple[str, str]
    """As `bot_directory` takes them."""
    terms: Terms
    again: PlayedDuel | None = None
    """The duel whose deals are played again."""

    def directories(self, db: str, debugging: DebugOptions) -> list[Path]:
        """Return the directories of the bots.

        Raises:
            ConfigError: there is none, or it is not one to look into a bot in.
        """
        if debugging.debug and is_kept(self.bots[0]):
            raise ConfigError(
                "--debug runs your bot where you change its files; name its directory"
            )
        return [bot_directory(name, db) for name in self.bots]

    def names(self, bots: Sequence[Candidate]) -> tuple[str, str]:
        """Return what the two are called."""
        first, second = map(is_kept, self.bots)
        return names_of(bots, versions=(first, second))


def play_duels(
    contest: Contest,
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
    terms = debugging.terms(contest.terms, options)
    deals = contest.again and contest.again.deals
    duels = options.duel_count(one=debugging.debug or deals is not None)
    directories = contest.directories(options.db, debugging)
    now = datetime.now(UTC)
    with (
        candidates(directories, now, _bundle(options, building, debugging, directories[0])) as bots,
        kept_store(options.keep, "upcard-duel-") as store,
    ):
        names = contest.names(bots)
        debugged = debugging.debugged(bots[0].entrant.manifest, directories[0], terms.game)
        start_duel(store, bots, terms, duels, now)
        logs = options.logs or Path(_LOGS, "-vs-".join(names) + (_AGAIN if deals else ""))
        prepare(logs, names, terms.game)
        run = RunOptions(
            seed=deals.dealt.seed if deals else seed,
            accepted=options.accept_weak or (),
            sandboxed=not options.unsafe_no_sandbox,
            logs=log_files(logs, names, terms.game),
            debugged=debugged,
            again=deals,
        )
        if debugged:
            print(debugging_text(names[0], debugged, terms.game), file=sys.stderr)
        try:
            with lent_terminal() if debugged else nullcontext():
                play_league(store, NAME, run, at_once=True)
        except KeyboardInterrupt:
            write_logs(logs, store, _table(store, names, deals))
            raise
        table = _table(store, names, deals)
        _report(store, table, logs, options, contest.again)
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


def _table(store: Store, names: tuple[str, str], deals: Duel | None) -> LeagueTable:
    found = league_table(store, NAME)
    league = found.league._replace(again=deals)
    return replace(found, league=league, names=dict(enumerate(names, start=1)))


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
    again = before and _again(store, table, before)
    if options.json:
        own = {"again": again and again.report} if before else {}
        faults = _with_bundles(report, bundles)
        print_json({**report, **own, "faults": faults, "logs": str(directory)})
        return
    print_report(table, report, directory, bundles)
    if again:
        print("\n".join(("", *again.lines)))


def _again(store: Store, table: LeagueTable, before: PlayedDuel) -> Again | None:
    """Compare the only duel with the one before it, if it was played."""
    played = next(lines(table, stored_duels(store, NAME)), None)
    return played and Again(before, played)


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

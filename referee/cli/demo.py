"""`upcard demo`: plays a small league of each game and shows its table."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from math import comb
from pathlib import Path
from typing import Final

import typer

from referee.arena.limits import Terms
from referee.bots.demo_bots import choose_demo_bots, demo_bundle
from referee.bots.package_data import page
from referee.cli.build_options import BuildOptions
from referee.cli.called import as_called, command
from referee.cli.demo_hand import print_best_hand
from referee.cli.duel_options import AcceptWeak, Unsafe
from referee.cli.kept_store import Keep, kept_store
from referee.cli.league_play import play_league
from referee.cli.output import print_heading
from referee.cli.standing_table import print_ratings
from referee.engine.registry import preset
from referee.examination.admission import candidates
from referee.league.duel_names import duel_name
from referee.league.entries import start_league
from referee.league.running import RunOptions
from referee.league.table import LeagueTable, league_table
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.duels import faults
from referee.store.models import Bot, Plan
from referee.store.opening import DEFAULT
from referee.text import counted, plain

FAILED, FAULTY = 1, 3
_GAMES: Final = ("euchre", "whist")
_FEW: Final = 3
_DUELS: Final = {True: (24, 12), False: (12, 12)}
"""Of each pairing and in a session, by whether only a few bots play: two keep two cores busy."""
_MOST_FAULTS: Final = 8


def demo(
    keep: Keep = None,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
) -> None:
    """Play a small league of euchre and one of whist with the example bots, and show one hand.

    Every seat of every bot is in a sandbox of its own.
    """
    options = RunOptions(accepted=accept_weak or (), sandboxed=not unsafe_no_sandbox)
    chosen = choose_demo_bots(sandboxed=options.sandboxed)
    for why in chosen.left_out:
        print(f"left out: {as_called(why, ['check'])}")
    with kept_store(keep, "upcard-demo-") as store:
        bots = _add_bots(store, chosen.playing, sandboxed=options.sandboxed)
        tables = [
            _play(store, game, players, options)
            for game in _GAMES
            if len(players := [bot.digest for bot in bots if game in bot.games]) > 1
        ]
        for table in tables[:1]:
            print_best_hand(store, table)
        _print_faults(store, tables)
    _print_further(keep)
    _leave(tables)


def _add_bots(store: Store, directories: Sequence[Path], *, sandboxed: bool) -> list[Bot]:
    """Add the bots; they are our own, so they are not examined."""
    bundle = partial(demo_bundle, BuildOptions().bundle(sandboxed=sandboxed))
    with candidates(directories, datetime.now(UTC), bundle) as found:
        for candidate in found:
            add_bot(store, candidate.bot, candidate.entrant.bundle)
        return [candidate.bot for candidate in found]


def _play(store: Store, game: str, digests: Sequence[str], options: RunOptions) -> LeagueTable:
    pairings = counted(comb(len(digests), 2), "pairing")
    duels, block = _DUELS[len(digests) <= _FEW]
    print_heading(f"{game}: {pairings} of {duels} duels, every deal played from both sides")
    plan = Plan(Terms(preset(game).game()), duels, block)
    start_league(store, game, plan, digests, datetime.now(UTC))
    play_league(store, game, options)
    table = league_table(store, game)
    print_ratings(table)
    return table


def _print_faults(store: Store, tables: Sequence[LeagueTable]) -> None:
    for table in tables:
        for _, key, fault in faults(store, table.league.name)[:_MOST_FAULTS]:
            who, where = table.names[fault.entrant], f"{table.league.name} {duel_name(key)}"
            print(f"{who}: {fault.kind.upper()} in {where}: {plain(fault.explanation)}")


def _print_further(keep: Path | None) -> None:
    print_heading("What next")
    further = _of_kept(keep) if keep else _further()
    width = max(len(line) for line, _ in further)
    for line, meaning in further:
        print(f"{line:<{width}}  # {meaning}")


def _further() -> Sequence[tuple[str, str]]:
    return (
        (command("duel", "steady", "random"), "one pairing in full, with the bots' logs"),
        (command("try", "DIR"), f"a bot of your own; read {page('bot-authors-guide.md')}"),
        (command("demo", "--keep", "DIR"), "the same again, kept so that you can look into it"),
    )


def _of_kept(keep: Path) -> Sequence[tuple[str, str]]:
    db, game = ("--db", keep / DEFAULT), _GAMES[0]
    export = command("league", "export", game, "DIR", *db)
    return (
        (command("crosstable", game, *db), "everybody against everybody"),
        (command("replay", game, "1-2/1", *db), "a duel card by card; 'duels' lists them"),
        (export, "files that anybody can check with 'verify'"),
    )


def _leave(tables: Sequence[LeagueTable]) -> None:
    if any(table.unplayed for table in tables):
        raise typer.Exit(FAILED)
    if any(any(result.faults) for table in tables for result in table.results):
        raise typer.Exit(FAULTY)

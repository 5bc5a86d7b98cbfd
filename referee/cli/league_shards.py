"""`upcard league play`: plays a part of a league where its store is only read."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.called import command
from referee.cli.duel_options import AcceptWeak, Unsafe
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.league_play import play_part
from referee.cli.output import print_json
from referee.cli.store_options import Db
from referee.league.running import RunOptions
from referee.league.shards import ShardSummary, ShardTask
from referee.league.table import names
from referee.scheduling.shards import shard_from_text
from referee.store.leagues import league
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain

FAILED, FAULTY = 1, 3

Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1024,
        help="Sessions at the same time; one for each core, if there is the memory.",
    ),
]
StrictExit = Annotated[
    bool,
    typer.Option("--strict-exit", help="End with exit code 3 if any bot was at fault in a duel."),
]


def play(
    shard: Annotated[
        str,
        typer.Option(
            metavar="I/N",
            help="Which of N equal parts of the league, from 1/N to N/N.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="Where each duel goes; a file that is there is gone on with."
        ),
    ],
    name: LeagueName = None,
    jobs: Jobs = None,
    strict_exit: StrictExit = False,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    json: arguments.AsJson = False,
    db: Db = DEFAULT,
) -> None:
    """Play a part of a league into a file, which 'upcard league import' takes from there.

    The store is only read: a copy will do. Of a league that may stop early, what is known to be
    missing now is played. Signals and exit codes are those of 'upcard league run'; the exit code
    is 1 as well if an entrant never started.
    """
    part = shard_from_text(shard)
    options = RunOptions(jobs, None, accept_weak or (), sandboxed=not unsafe_no_sandbox)
    with open_store(db, read_only=True) as store:
        name = chosen_league(store, name)
        task = ShardTask(name, part, out)
        summary = play_part(store, task, options)
        called = names(league(store, name).entries)
    never = [plain(called[entrant]) for entrant in summary.never_started]
    if json:
        said = {"league": name, "shard": str(part), "file": str(out)}
        print_json(said | summary._asdict() | {"never_started": never})
    else:
        _print_summary(task, summary, never)
    if summary.unplayed or never:
        raise typer.Exit(FAILED)
    if strict_exit and summary.faults:
        raise typer.Exit(FAULTY)


def _print_summary(task: ShardTask, summary: ShardSummary, never: list[str]) -> None:
    played = f"{summary.played} of {counted(summary.planned, 'duel')} played"
    trouble = [
        counted(number, what)
        for number, what in ((summary.faults, "fault"), (summary.voids, "void"))
        if number
    ]
    print("; ".join((f"shard {task.shard} of {task.league}: {played}", *trouble)))
    if summary.unplayed:
        print(f"{counted(summary.unplayed, 'duel')} void too often to be tried again here")
    for bot in never:
        print(f"{bot} never started here")
    print(f"{task.path}: {counted(summary.in_file, 'duel')}; where the store is:")
    print(command("league", "import", task.path))

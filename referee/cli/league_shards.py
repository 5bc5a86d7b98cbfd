"""`upcard league play` and `import`: plays a league in parts, and brings them together."""

import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.called import command
from referee.cli.duel_options import AcceptWeak, Jobs, Unsafe
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.league_play import play_part
from referee.cli.output import print_json
from referee.cli.store_options import Db
from referee.league.duel_names import duel_name
from referee.league.importing import ImportedFile, import_files
from referee.league.running import RunOptions
from referee.league.shards import ShardSummary, ShardTask
from referee.league.table import LeagueTable, league_table, names
from referee.scheduling.shards import shard_from_text
from referee.store.leagues import league
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain

FAILED, FAULTY = 1, 3

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


def import_shards(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Files that 'upcard league play' wrote.")
    ],
    json: arguments.AsJson = False,
    db: Db = DEFAULT,
) -> None:
    """Store what was played in parts, each duel once, in the league that its file is of.

    Each duel is played again by the rules first, with the decks of the league. Of a file with a
    line that cannot be so, nothing is stored; the others are imported, and the exit code is 1.
    Import files again, or while they are being written, as often as you like.
    """
    with open_store(db) as store:
        imported = import_files(store, files, datetime.now(UTC))
        leagues = dict.fromkeys(
            file.league for file in imported if file.league and not file.refused
        )
        tables = [league_table(store, name) for name in leagues]
    called = {table.league.name: table.names for table in tables}
    for file in imported:
        if file.refused:
            print(plain(f"upcard: {_refusal(file)}"), file=sys.stderr)
    if json:
        print_json({"files": [*map(_file_form, imported)], "leagues": [*map(_league_form, tables)]})
    else:
        for file in imported:
            for line in _file_lines(file, called.get(file.league or "", {})):
                print(plain(line))
        for table in tables:
            _print_league(table)
    if any(file.refused for file in imported):
        raise typer.Exit(FAILED)


def _refusal(file: ImportedFile) -> str:
    assert file.refused
    line, field, reason = file.refused
    if line is None:
        return reason
    where = f"{file.path}, line {line}"
    return f"{': '.join(filter(None, (where, field, reason)))}; nothing of this file is imported"


def _file_lines(file: ImportedFile, called: Mapping[int, str]) -> Iterator[str]:
    if file.refused:
        return
    parts = [f"{counted(file.stored, 'duel')} imported"]
    if file.present:
        parts.append(f"{file.present} there already")
    yield f"{file.path}: {', '.join(parts)}"
    for key in sorted(file.different):
        yield f"  {duel_name(key)} went otherwise than it is stored, which stays as it is"
    if file.left_out:
        yield f"  {counted(file.left_out, 'duel')} left out, not to be played as far as is known"
    if file.voids:
        yield f"  {counted(file.voids, 'void')}, not stored: the duels are missing"
    for entrant in sorted(file.never_started):
        yield f"  {called[entrant]} never started there, and so its duels are missing"
    if file.is_torn:
        yield "  its last line is not whole, and was left out"


def _print_league(table: LeagueTable) -> None:
    name, state = table.league.name, table.league.state
    played = f"{table.played} of {counted(table.planned, 'duel')} played"
    if state == "open":
        print(f"{name}: {played}; the rest: {command('league', 'run', name)}")
    else:
        print(f"{name}: {played}; it is {state}")


def _file_form(file: ImportedFile) -> dict[str, object]:
    return {
        "file": str(file.path),
        "league": file.league,
        "duels": file.duels,
        "imported": file.stored,
        "present": file.present,
        "different": [duel_name(key) for key in sorted(file.different)],
        "left_out": file.left_out,
        "voids": file.voids,
        "never_started": sorted(file.never_started),
        "torn": file.is_torn,
        "refused": file.refused and file.refused._asdict(),
    }


def _league_form(table: LeagueTable) -> dict[str, object]:
    league = table.league
    return {
        "league": league.name,
        "state": league.state,
        "played": table.played,
        "planned": table.planned,
    }

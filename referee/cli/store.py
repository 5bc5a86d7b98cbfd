"""`upcard store`: how much space it takes, a copy while it is in use, a copy to another place."""

from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal

from referee.cli import arguments
from referee.cli.output import print_json, with_progress
from referee.cli.store_options import Db
from referee.store import backups
from referee.store.copies import copy_store
from referee.store.opening import DEFAULT, open_store
from referee.text import counted

store = typer.Typer(help="Look after the store of bots and leagues.", no_args_is_help=True)


@store.command()
def show(json: arguments.AsJson = False, db: Db = DEFAULT) -> None:
    """Show where bots and leagues are stored, and how much space they take."""
    with open_store(db) as opened:
        used = backups.usage(opened)
    if json:
        print_json({"database": opened.location, "bundles": str(opened.files), **_bytes(used)})
        return
    print(f"{decimal(used.database):>10}  {opened.location}, the database")
    print(f"{decimal(used.bundles):>10}  {opened.files}, the bots' bundles")
    print(f"{decimal(used.submissions):>10}  {opened.files}, what was handed in")


def _bytes(used: backups.StoreSize) -> dict[str, int]:
    return {f"{name}_bytes": size for name, size in used._asdict().items()}


@store.command()
def backup(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the copy goes; a new directory.")
    ],
    db: Db = DEFAULT,
) -> None:
    """Copy the store as it is at this moment, also while leagues run."""
    with open_store(db) as opened:
        copy = backups.backup(opened, directory)
    print(f"{copy}: a whole copy; use it with --db {copy}")


@store.command()
def copy(
    to: Annotated[
        str,
        typer.Option(
            metavar="STORE",
            help="A new store: a file, or the URL of an empty database.",
        ),
    ],
    json: arguments.AsJson = False,
    db: Db = DEFAULT,
) -> None:
    """Copy the store, with all its files, to another place, as from a file to a server.

    Nobody may run a league of it meanwhile. The files of a store on a server go to the directory
    that UPCARD_FILES names, else to upcard.files.
    """
    with open_store(db) as source, open_store(to, create=True) as target:
        copied = copy_store(source, target, with_progress)
    if json:
        places = {"from": source.location, "to": target.location, "bundles": str(target.files)}
        print_json({**places, **copied._asdict()})
        return
    held = f"{counted(copied.bots, 'bot')}, {counted(copied.leagues, 'league')}"
    print(f"{target.location}: a whole copy of {held} and {counted(copied.duels, 'duel')}")
    print(f"{target.files}: the bots' bundles, and what was handed in")

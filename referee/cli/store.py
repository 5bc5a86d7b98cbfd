"""`upcard store`: how much space the store takes, and a copy of it while it is in use."""

from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal

from referee.cli import arguments
from referee.cli.output import print_json
from referee.cli.store_options import Db
from referee.store import backups
from referee.store.opening import DEFAULT, open_store

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

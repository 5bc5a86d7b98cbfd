"""The option that all commands share which use the store."""

from typing import Annotated

import typer

Db = Annotated[
    str,
    typer.Option(
        "--db",
        envvar="UPCARD_DB",
        metavar="STORE",
        help="Where bots, leagues and duels are stored: a file, or the URL of a database.",
    ),
]

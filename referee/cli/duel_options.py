"""The options that all commands in which bots play share."""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from referee.cli import arguments
from referee.cli.kept_store import Keep
from referee.cli.store_options import Db
from referee.store.opening import DEFAULT

AcceptWeak = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Play although this guarantee of the sandbox is missing; may be repeated. "
        "'upcard doctor' lists them.",
    ),
]
Unsafe = Annotated[
    bool,
    typer.Option(
        "--unsafe-no-sandbox", help="Play without any sandbox; only for bots you wrote yourself."
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1024,
        help="Sessions at the same time; one for each core, if there is the memory.",
    ),
]


DecisionLimit = Annotated[
    float, typer.Option(min=0.01, max=3600, metavar="SECONDS", help="For one decision.")
]
ReadyLimit = Annotated[
    float,
    typer.Option(min=0.01, max=3600, metavar="SECONDS", help="From its start to its hello."),
]


class PlayOptions(NamedTuple):
    """How two bots play each other, and what is kept of it."""

    seed: arguments.SeedText = None
    accept_weak: AcceptWeak = None
    unsafe_no_sandbox: Unsafe = False
    logs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the logs go, else upcard-logs/ONE-vs-OTHER."),
    ] = None
    keep: Keep = None
    db: Db = DEFAULT


class DuelOptions(NamedTuple):
    """The options of `duel` and `try` beside these and the terms."""

    duels: Annotated[int, typer.Option(min=1, help="How many duels to play.")] = 20
    json: arguments.AsJson = False
    csv: arguments.AsCsv = False

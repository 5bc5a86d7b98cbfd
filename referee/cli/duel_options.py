"""The options that all commands in which bots play share."""

from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from referee.cli import arguments
from referee.cli.kept_store import Keep
from referee.cli.played_duels import PlayedDuel, duel_of_path
from referee.cli.store_options import Db
from referee.errors import ConfigError
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


_DUELS: Final = 20


class PlayOptions(NamedTuple):
    """How two bots play each other, and what is kept of it."""

    seed: arguments.SeedText = None
    accept_weak: AcceptWeak = None
    unsafe_no_sandbox: Unsafe = False
    logs: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the logs go, else upcard-logs/ONE-vs-OTHER, or ONE-vs-OTHER-again.",
        ),
    ] = None
    keep: Keep = None
    db: Db = DEFAULT


class DuelOptions(NamedTuple):
    """The options of `duel` and `try` beside these and the terms."""

    duels: Annotated[
        int | None,
        typer.Option(
            min=1, show_default=f"{_DUELS}; 1 with --debug", help="How many duels to play."
        ),
    ] = None
    deal: Annotated[
        str | None,
        typer.Option(
            metavar="DUEL",
            help="Play the deals of a duel that was played, named as LEAGUE/1-2/17 or FILE/18, and "
            "show where it parts from what was played then.",
        ),
    ] = None
    json: arguments.AsJson = False
    csv: arguments.AsCsv = False

    def again(self, playing: PlayOptions) -> PlayedDuel | None:
        """Return the duel whose deals are played again, if any are.

        Raises:
            ConfigError: it is not there, or more was asked for.
        """
        if self.deal is None:
            return None
        if self.duels or playing.seed or playing.keep:
            raise ConfigError(
                "--deal is one duel, dealt as it was; leave out --duels, --seed and --keep"
            )
        return duel_of_path(playing.db, self.deal)

    def duel_count(self, *, one: bool) -> int:
        """Return how many duels to play; if that is not said, one or as many as is usual."""
        return self.duels or (1 if one else _DUELS)

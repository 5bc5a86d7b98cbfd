"""The options that all commands share which let bots play."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from referee.arena.limits import MOST_TABLES, Policy, Terms, TimeLimits
from referee.cli import arguments
from referee.engine.registry import preset

_LIMITS = TimeLimits()

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


class DuelOptions(NamedTuple):
    """What may be chosen; each is an option of the command line."""

    duels: Annotated[int, typer.Option(min=1, help="How many duels to play.")] = 20
    game: Annotated[
        str, typer.Option(metavar="GAME", help=f"One of {arguments.GAME_MEANINGS}.")
    ] = "euchre"
    rule: arguments.RuleTexts = None
    seed: arguments.SeedText = None
    decision_limit: Annotated[
        float, typer.Option(min=0.01, max=3600, metavar="SECONDS", help="For one decision.")
    ] = _LIMITS.decision
    ready_limit: Annotated[
        float,
        typer.Option(min=0.01, max=3600, metavar="SECONDS", help="From its start to its hello."),
    ] = _LIMITS.ready
    bank: Annotated[
        float,
        typer.Option(
            min=0,
            max=86400,
            metavar="SECONDS",
            help="For all decisions of a seat in a match; 0 for no limit.",
        ),
    ] = _LIMITS.bank
    increment: Annotated[
        float,
        typer.Option(
            min=0, max=86400, metavar="SECONDS", help="Added to the bank by each decision."
        ),
    ] = _LIMITS.increment
    tables: Annotated[
        int, typer.Option(min=1, max=MOST_TABLES, help="Matches in each room at the same time.")
    ] = MOST_TABLES
    forfeit_at: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="The fault that costs the match; before it, the first legal action is played.",
        ),
    ] = Policy().forfeit_at
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Also close side channels that are slow to close: files in memory, one match at a "
            "time, whoever is not to move is frozen, turns come on a beat.",
        ),
    ] = False
    beat: Annotated[
        float,
        typer.Option(min=0.01, max=10, metavar="SECONDS", help="The beat of --strict."),
    ] = 0.05
    accept_weak: AcceptWeak = None
    unsafe_no_sandbox: Unsafe = False
    logs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the logs go, else upcard-logs/ONE-vs-OTHER."),
    ] = None
    json: arguments.AsJson = False
    csv: arguments.AsCsv = False

    def terms(self) -> Terms:
        """Give what is played on."""
        game = preset(self.game).game(arguments.rules(self.rule))
        limits = TimeLimits(self.decision_limit, self.ready_limit, self.bank, self.increment)
        beat = self.beat if self.strict else 0.0
        return Terms(game, limits, Policy(self.forfeit_at), self.tables, beat=beat)


def with_duel_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command whose last parameter is `options` each of them as one of its own."""

    @wraps(command)
    def chosen(**given: object) -> None:
        options = {name: given.pop(name) for name in DuelOptions._fields}
        command(**given, options=DuelOptions(**options))  # type: ignore[arg-type] # typer read them

    own = [
        parameter
        for parameter in inspect.signature(command).parameters.values()
        if parameter.name != "options"
    ]
    offered = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=DuelOptions._field_defaults[name],
            annotation=annotation,
        )
        for name, annotation in inspect.get_annotations(DuelOptions).items()
    ]
    own = [parameter.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for parameter in own]
    chosen.__signature__ = inspect.Signature([*own, *offered])  # type: ignore[attr-defined]
    chosen.__annotations__ = {each.name: each.annotation for each in (*own, *offered)}
    return chosen

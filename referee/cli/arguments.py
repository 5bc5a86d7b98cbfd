"""The arguments and options that several commands share, and how they are read."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from referee.engine.cards import Seat
from referee.engine.dealing import SEED_BYTES, seed_from_text
from referee.engine.game import Game
from referee.engine.options import text as option_text
from referee.engine.record import MatchRecord
from referee.engine.registry import GAMES, PRESETS
from referee.errors import ConfigError
from referee.record_file import read_records

GAMES_NAMED = (
    "; ".join(f"{preset.name} ({preset.meaning})" for preset in PRESETS.values())
    + "; an example ('upcard games list' shows them); or the file of a program in RECYCLE"
)
"""What may be given for a game, in words."""
_RULES = "; ".join(
    f"{kind.name}: "
    + ", ".join(
        f"{option.name} ({option.allowed}; else {option_text(option.default)})"
        for option in kind.options
        if not isinstance(option.default, str)
    )
    for kind in GAMES.values()
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of {GAMES_NAMED}.")]
RuleTexts = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="NAME=VALUE", help=f"Change a rule; may be repeated. {_RULES}."),
]
SeedText = Annotated[
    str | None,
    typer.Option(
        "--seed",
        metavar="HEX",
        help="64 lower-case hexadecimal digits; drawn and shown if left out.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")]


def rules(texts: list[str] | None) -> dict[str, object]:
    """Read ``name=value`` texts."""
    chosen: dict[str, object] = {}
    for rule in texts or ():
        name, equals, value = rule.partition("=")
        if not equals:
            raise ConfigError(f"a rule is given as name=value, not {rule!r}")
        if name in chosen:
            raise ConfigError(f"rule {name} is given twice")
        chosen[name] = value
    return chosen


def seed(text: str | None) -> bytes:
    """Read a seed, or draw one."""
    return secrets.token_bytes(SEED_BYTES) if text is None else seed_from_text(text)


def match_in_file(file: Path, number: int) -> MatchRecord:
    """Read one match of a file, counted from 1."""
    count = 0
    for count, record in enumerate(read_records(file), start=1):
        if count == number:
            return record
    raise ConfigError(f"{file} holds {count} matches; choose 1 to {count}")


def seat(token: str, game: Game) -> Seat:
    """Read a seat of a game."""
    if token not in game.seats:
        raise ConfigError(f"there is no seat {token!r}; choose {', '.join(game.seats)}")
    return game.seats.index(token)


def dealer(token: str, game: Game) -> Seat:
    """Read a seat that may deal."""
    found = seat(token, game)
    if found not in game.dealers:
        allowed = ", ".join(game.seats[each] for each in game.dealers)
        raise ConfigError(f"{token} never deals in this game; choose {allowed}")
    return found

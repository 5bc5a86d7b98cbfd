"""`upcard games`: lists and shows games, checks a program, and draws how its cards move."""

from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from referee.cli import arguments
from referee.cli.called import command
from referee.cli.output import one_format, print_csv, print_json, print_table, with_progress
from referee.engine.options import text
from referee.engine.recycle import Recycle
from referee.engine.registry import PRESETS, Preset
from referee.errors import ConfigError
from referee.files.writing import whole_file
from referee.game_files import all_games, find_game, program_file, program_in_file, program_text
from referee.rollouts.checking import (
    Finding,
    Level,
    Rollouts,
    findings,
    play_rollouts,
)
from referee.rollouts.drawing import draw_rollout
from referee.spread import Spread
from referee.text import counted, plain

games = typer.Typer(help="List and show games, and check one from a program.", no_args_is_help=True)

FAILED: Final = 1
_HEADER: Final = ("name", "kind", "players", "sides", "about")


class _Row(NamedTuple):
    name: str
    kind: str
    """``"built in"``, or the language of its program."""
    players: int
    sides: int
    about: str


@games.command("list")
def list_games(json: arguments.AsJson = False, csv: arguments.AsCsv = False) -> None:
    """List the games that have a name: the presets, and the examples."""
    one_format(json, csv)
    rows = [_row(preset) for preset in all_games()]
    if json:
        print_json([row._asdict() for row in rows])
    elif csv:
        print_csv(_HEADER, rows)
    else:
        print_table("", _HEADER, [tuple(map(str, row)) for row in rows])


def _row(preset: Preset) -> _Row:
    game = preset.game()
    is_program = isinstance(game, Recycle)
    name = f"{preset.name}.rcy" if is_program and preset.name in PRESETS else preset.name
    kind = "RECYCLE" if is_program else "built in"
    return _Row(name, kind, len(game.seats), len(game.side_names), preset.meaning)


@games.command()
def show(game: arguments.GameName) -> None:
    """Print the program of a game, or the rules of one that is built in."""
    if game in PRESETS:
        _show_rules(PRESETS[game])
    else:
        print(program_text(program_file(game)).removesuffix("\n"))


def _show_rules(preset: Preset) -> None:
    game = preset.game()
    print(f"{preset.name}: {preset.meaning}")
    chosen = game.rules._asdict()
    print_table(
        "",
        ("rule", "value", "allowed", "what it says"),
        (
            (option.name, text(chosen[option.name]), option.allowed, option.meaning)
            for option in game.options
        ),
    )
    print(f"docs/rules/{game.name}.md has the rules in full")


@games.command()
def check(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The program, or the name of an example."),
    ],
    rollouts: Annotated[int, typer.Option(min=1, help="How many times to play it.")] = 1000,
    first: Annotated[
        int, typer.Option(min=1, metavar="NUMBER", help="The number of the first rollout.")
    ] = 1,
    seed: arguments.SeedText = None,
    json: arguments.AsJson = False,
) -> None:
    """Read a program, play it at random, and say what of it its author hardly meant."""
    path = program_file(file)
    played = Rollouts(program_in_file(path), arguments.seed(seed))
    for _ in with_progress(play_rollouts(played, rollouts, first), rollouts, "Playing"):
        pass
    if json:
        print_json({"game": path.stem, **played.as_json()})
    else:
        _show_check(path, played)
    if any(finding.level is Level.ERROR for finding in findings(played)):
        raise typer.Exit(FAILED)


def _show_check(path: Path, played: Rollouts) -> None:
    program = played.program
    sides = f"{max(program.sides) + 1} teams" if program.teams else "each for himself"
    cards = f"{counted(len(program.cards), 'card')}, {len(program.faces)} of them different"
    print(f"{path.stem}: {counted(program.players, 'player')}, {sides}; {cards}")
    print(f"seed {played.seed.hex()}")
    print(f"{counted(played.played, 'rollout')}, of which {played.failed} failed")
    if played.decisions.count:
        print_table(
            "A rollout",
            ("", "mean", "least", "most"),
            [
                _cells("decisions", played.decisions),
                _cells("steps of the program", played.steps),
                *(
                    _cells(f"score of player {number}", spread)
                    for number, spread in enumerate(played.scores, start=program.numbering)
                ),
            ],
        )
    found = findings(played)
    for finding in found:
        print(_said(path, finding))
    for failure in played.failures.values():
        again = command(
            *("games", "check", path, "--seed", played.seed.hex()),
            *("--first", failure.number, "--rollouts", 1),
        )
        print(f"to repeat rollout {failure.number}: {again}")
    if not found:
        print("everything was reached, and nothing looks like a mistake")


def _cells(name: str, spread: Spread) -> tuple[str, ...]:
    return name, f"{spread.mean:.2f}", str(spread.least), str(spread.most)


def _said(path: Path, finding: Finding) -> str:
    at = f"{path}:{finding.line}:{finding.column}" if finding.line else str(path)
    return plain(f"{at}: {finding.level}: {finding.message}")


@games.command()
def graph(
    game: arguments.GameName,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="The picture to write, an .svg.")],
    rollout: Annotated[int, typer.Option(min=1, metavar="NUMBER", help="Which rollout.")] = 1,
    seed: arguments.SeedText = None,
) -> None:
    """Draw how the cards of a game move in one rollout, and who sees them where they lie."""
    draw_graph(find_game(game), out, arguments.seed(seed), rollout)


def draw_graph(preset: Preset, out: Path, seed: bytes, number: int = 1) -> None:
    """Write the picture of a rollout; it appears whole or not at all.

    Raises:
        ConfigError: the game is built in, the file is no SVG, or the graph is too large.
    """
    if out.suffix != ".svg":
        raise ConfigError(f"a graph is written as .svg; name such a file, not {out}")
    game = preset.game()
    if not isinstance(game, Recycle):
        raise ConfigError(
            f"{preset.name} is built in, and only programs have a graph; try {preset.name}.rcy"
        )
    picture = draw_rollout(game.program, preset.name, seed, number)
    with whole_file(out) as file:
        file.write(picture)

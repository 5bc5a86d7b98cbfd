"""`upcard simulate`: plays matches at random and prints statistics of them."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.output import one_format, print_csv, print_json, print_table, with_progress
from referee.engine.options import text
from referee.engine.record import to_json
from referee.engine.registry import preset
from referee.files.writing import whole_file
from referee.simulation import Summary
from referee.simulation import simulate as play
from referee.text import counted


def simulate(
    game: arguments.GameName,
    matches: Annotated[int, typer.Option(min=1, help="How many matches to play.")] = 1000,
    seed: arguments.SeedText = None,
    rule: arguments.RuleTexts = None,
    first_dealer: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Who deals first (N, E, S or W).")
    ] = None,
    record_out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the matches to this file.")
    ] = None,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
) -> None:
    """Play matches at random and print statistics of them."""
    one_format(json, csv)
    chosen = preset(game)
    played = chosen.game(arguments.rules(rule))
    dealer = chosen.first_dealer if first_dealer is None else arguments.dealer(first_dealer, played)
    summary = Summary(played, dealer, arguments.seed(seed))
    with ExitStack() as stack:
        out = stack.enter_context(whole_file(record_out)) if record_out else None
        for record in with_progress(play(summary, matches), matches, "Playing"):
            if out:
                print(to_json(record), file=out)
    if json:
        print_json(summary.as_json())
    elif csv:
        print_csv(("kind", "name", "count", "mean", "least", "most", "forced"), summary.as_rows())
    else:
        show(summary)


def show(summary: Summary) -> None:
    """Print a summary as tables."""
    game = summary.game
    rules = ", ".join(f"{name}={text(value)}" for name, value in game.rules._asdict().items())
    wins = ", ".join(f"{team} {won}" for team, won in sorted(summary.wins.items(), reverse=True))
    print(f"{game.name} ({rules})")
    print(f"seed {summary.seed.hex()}")
    print(f"{counted(summary.hands_a_match.count, 'match', 'es')} of random play; won by {wins}")
    print_table(
        "A match",
        ("", "mean", "least", "most"),
        (
            (name, f"{spread.mean:.2f}", str(spread.least), str(spread.most))
            for name, spread in summary.spreads.items()
        ),
    )
    print_table(
        "Hands",
        ("", "hands", "of all"),
        (
            (note.replace("_", " "), str(hands), f"{share:.1%}")
            for note, (hands, share) in summary.shares.items()
        ),
    )
    print_table(
        "Choices at each decision",
        ("", "decisions", "mean", "least", "most", "forced"),
        (
            (
                decision,
                str(spread.count),
                f"{spread.mean:.2f}",
                str(spread.least),
                str(spread.most),
                f"{spread.share(1):.1%}",
            )
            for decision, spread in summary.branching.items()
        ),
    )

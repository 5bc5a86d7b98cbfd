"""`upcard simulate`: plays matches at random and prints statistics of them."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.game_text import with_rules
from referee.cli.games import draw_graph
from referee.cli.output import one_format, print_csv, print_json, print_table, with_progress
from referee.engine.record import to_json
from referee.engine.recycle import STOPPED, Recycle
from referee.files.writing import whole_file
from referee.game_files import find_game
from referee.simulation import Summary
from referee.simulation import simulate as play
from referee.spread import Interval, Spread
from referee.text import counted

_COLUMNS: Final = (
    *("kind", "name", "count", "mean", "least", "most", "forced"),
    *("low", "high"),
)
_RANGE: Final = ("mean", "least", "most")


def simulate(
    game: arguments.GameName,
    matches: Annotated[int, typer.Option(min=1, help="How many matches to play.")] = 1000,
    seed: arguments.SeedText = None,
    rule: arguments.RuleTexts = None,
    first_dealer: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT", help="Who deals first: N, E, S or W, or the number of a player."
        ),
    ] = None,
    record_out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the matches to this file.")
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Also draw how the cards move in the first match, as an .svg."
        ),
    ] = None,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
) -> None:
    """Play matches at random and print statistics of them."""
    one_format(json, csv)
    found = find_game(game)
    chosen = found.game(arguments.rules(rule))
    dealer = found.first_dealer if first_dealer is None else arguments.dealer(first_dealer, chosen)
    summary = Summary(chosen, dealer, arguments.seed(seed))
    if graph is not None:
        draw_graph(found, graph, summary.seed)
    with ExitStack() as stack:
        out = stack.enter_context(whole_file(record_out)) if record_out else None
        for record in with_progress(play(summary, matches), matches, "Playing"):
            if out:
                print(to_json(record), file=out)
    if json:
        print_json(summary.as_json())
    elif csv:
        print_csv(_COLUMNS, summary.as_rows())
    else:
        show(summary)


def show(summary: Summary) -> None:
    """Print a summary as tables."""
    game = summary.game
    wins = [f"{side} {summary.wins[side]}" for side in game.side_names]
    if level := summary.hands_a_match.count - summary.wins.total():
        wins.append(f"nobody {level}")
    print(with_rules(game))
    if isinstance(game, Recycle) and game.program.lowest_wins:
        print("the lowest score wins, so points count negatively")
    print(f"seed {summary.seed.hex()}")
    matches = counted(summary.hands_a_match.count, "match", "es")
    print(f"{matches} of random play; won by {', '.join(wins)}")
    print_table("A match", ("", *_RANGE), ((n, *_range(s)) for n, s in summary.spreads.items()))
    if game.notes:
        print_table(
            "Hands",
            ("", "hands", "of all"),
            (
                (note.replace("_", " "), str(hands), f"{share:.1%}")
                for note, (hands, share) in summary.shares.items()
            ),
        )
    if stopped := summary.notes[STOPPED]:
        where = "'upcard games check' says why"
        print(f"hands that could not go on, scored as they stood: {stopped}; {where}")
    _show_choices("Choices at each decision", summary.branching)
    _show_choices(
        "Choices along a hand, by the number of the decision",
        {stretch.name: stretch.choices for stretch in summary.stretches},
    )
    _show_players(summary)


def _show_choices(title: str, choices: Mapping[str, Spread]) -> None:
    print_table(
        title,
        ("", "decisions", *_RANGE, "forced"),
        (
            (name, str(spread.count), *_range(spread), f"{spread.share(1):.1%}")
            for name, spread in choices.items()
        ),
    )


def _show_players(summary: Summary) -> None:
    """Print who decides how often and wins how much, by the order in a hand and by side."""
    print_table(
        "Players of a hand, from the dealer's left",
        ("", "decisions", "points", "hands won"),
        (
            (
                f"player {player.number}",
                f"{player.decisions.mean:.2f}",
                _interval(player.points.interval, "{:+.3f}"),
                _interval(player.wins.interval, "{:.1%}"),
            )
            for player in summary.players
        ),
    )
    print_table(
        f"Matches, {summary.game.seat_names[summary.first_dealer]} dealing first",
        ("", "matches won"),
        (
            (name, _interval(wins.interval, "{:.1%}"))
            for name, wins in zip(summary.game.side_names, summary.sides, strict=True)
        ),
    )
    advantage = _interval(summary.first_advantage, "{:+.1%}")
    print(f"the first player wins {advantage} more of the hands than a fair share")


def _range(spread: Spread) -> tuple[str, str, str]:
    return f"{spread.mean:.2f}", str(spread.least), str(spread.most)


def _interval(interval: Interval, form: str) -> str:
    mean, low, high = map(form.format, interval)
    return f"{mean} ({low} to {high})"

"""`upcard clones`: which entrants of a league play so alike that they may be the same bot."""

from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.league_facts import title
from referee.cli.output import one_format, print_csv, print_json, print_table
from referee.cli.store_options import Db
from referee.league.table import league_table
from referee.reports.clones import AlikeReport
from referee.reports.clones import clones as report
from referee.store.duels import stored_duels
from referee.store.opening import DEFAULT, open_store

_SUSPICIOUS: Final = 0.9
_COLUMNS: Final = ("first", "first_entrant", "second", "second_entrant", "identical", "hands")


def clones(
    league: LeagueName = None,
    share: Annotated[
        float,
        typer.Option(min=0, max=1, help="List pairs that played at least so much alike."),
    ] = _SUSPICIOUS,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
    db: Db = DEFAULT,
) -> None:
    """List pairs of entrants that played nearly all hands alike, call by call and card by card.

    Nearly 100 % means that the two are the same bot, or one with a few changes.
    """
    one_format(json, csv)
    with open_store(db) as store:
        table = league_table(store, chosen_league(store, league))
        found = report(table, stored_duels(store, table.league.name), share)
    if json:
        print_json({"league": table.league.name, "share": share, "pairs": found})
    elif csv:
        print_csv((*_COLUMNS, "share"), map(_row, found))
    elif found:
        print_table(
            title(table),
            ("entrants", "hands", "played alike", "share"),
            [
                (
                    " and ".join(pair["entrants"]),
                    str(pair["hands"]),
                    str(pair["identical"]),
                    f"{pair['share']:.1%}",
                )
                for pair in found
            ],
        )
    else:
        print(f"{title(table)}: no two entrants played {share:.0%} of their hands alike")


def _row(pair: AlikeReport) -> tuple[object, ...]:
    (first, second), (one, other) = pair["numbers"], pair["entrants"]
    return first, one, second, other, pair["identical"], pair["hands"], f"{pair['share']:.6f}"

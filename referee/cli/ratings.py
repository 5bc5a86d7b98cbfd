"""`upcard ratings`: who is how good, and how sure that is."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.league_facts import MARKS, marked
from referee.cli.output import one_format, print_csv, print_json
from referee.cli.plot import plot_ratings, refuse_unknown_picture
from referee.cli.standing_table import print_ratings
from referee.cli.store_options import Db
from referee.league.table import league_table
from referee.publication.league import public_league
from referee.publication.tables import RATINGS, rating_rows
from referee.reports.ratings import ratings as report
from referee.store.opening import DEFAULT, open_store


def ratings(
    league: LeagueName = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw them: .svg or .png."),
    ] = None,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
    db: Db = DEFAULT,
) -> None:
    """Show the table of a league: ratings, points a hand, faults, and how sure the order is.

    The rating is fitted to all duels at once, so that the order of play does not matter.
    """
    one_format(json, csv)
    if plot:
        refuse_unknown_picture(plot)
    with open_store(db) as store:
        table = league_table(store, chosen_league(store, league))
    if plot:
        plot_ratings(table, plot)
    if json:
        print_json(report(table))
    elif csv:
        rows = rating_rows(public_league(table.league, table.isolations), table.standings)
        print_csv((*RATINGS, *MARKS), marked(table, rows))
    else:
        print_ratings(table)

"""`upcard duels`: every duel of a league, and what went wrong in it."""

from collections.abc import Iterable
from datetime import datetime
from heapq import nlargest
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.duel_lines import print_duels, print_voids
from referee.cli.duel_rows import COLUMNS, duel_row, void_row
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.league_facts import MARKS, marked
from referee.cli.output import one_format, print_csv, print_json
from referee.cli.store_options import Db
from referee.errors import ConfigError
from referee.league.table import LeagueTable, entrant_called, league_table
from referee.reports.duels import duels as report
from referee.reports.duels import lines
from referee.store.duels import stored_duels
from referee.store.models import League, StoredDuel, StoredVoid
from referee.store.opening import DEFAULT, open_store


def duels(
    league: LeagueName = None,
    of: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only those of this entrant.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --of: only those of these two.")
    ] = None,
    faults: Annotated[
        bool, typer.Option("--faults", help="Only those with faults, and what these were.")
    ] = False,
    voids: Annotated[
        bool, typer.Option("--voids", help="Only what was void, and why; with --faults, both.")
    ] = False,
    last: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the N that ended last.")
    ] = None,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
    db: Db = DEFAULT,
) -> None:
    """List the duels of a league: who won, by how much, with which faults, how slowly."""
    one_format(json, csv)
    with open_store(db) as store:
        table = league_table(store, chosen_league(store, league))
        wanted = _entrants(table.league, of, against)
        found: Iterable[StoredDuel] = (
            () if voids and not faults else stored_duels(store, table.league.name)
        )
        chosen = (
            duel for duel in found if wanted <= set(duel.key[:2]) and (duel.faults or not faults)
        )
        found_lines = lines(table, _last(chosen, last))
        void = [] if faults and not voids else _voids(table, wanted, last)
        if json:
            print_json(report(table, found_lines, void))
        elif csv:
            rows = (*map(duel_row, found_lines), *(void_row(table, each) for each in void))
            print_csv((*COLUMNS, *MARKS), marked(table, rows))
        else:
            if not voids or faults:
                print_duels(table, found_lines, with_faults=faults)
            print_voids(table, void, each=voids)


def _entrants(league: League, of: str | None, against: str | None) -> set[int]:
    if against is not None and of is None:
        raise ConfigError("--against goes with --of; name both")
    return {entrant_called(league, name) for name in (of, against) if name is not None}


def _last(duels: Iterable[StoredDuel], count: int | None) -> Iterable[StoredDuel]:
    """Return those that ended last, the very last at the end."""
    if count is None:
        return duels
    return reversed(nlargest(count, duels, key=_ended))


def _ended(duel: StoredDuel) -> tuple[datetime, int, int, int]:
    first, second, number = duel.key
    return duel.finished, number, first, second


def _voids(table: LeagueTable, wanted: set[int], count: int | None) -> list[StoredVoid]:
    chosen = [void for void in table.voids if wanted <= set(void.key[:2])]
    return sorted(chosen, key=lambda void: void.at)[-(count or 0) :]

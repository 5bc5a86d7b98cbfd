"""The duels of a league as rows for programs: a column for each thing, without nesting."""

from collections.abc import Sequence
from typing import Final

from referee.cli.league_facts import MARKS, marked
from referee.cli.output import print_csv
from referee.json_forms import moment
from referee.league.duel_names import duel_name
from referee.league.table import LeagueTable
from referee.reports.duels import RESULTS, DuelLine, lines
from referee.store.database import Store
from referee.store.duels import stored_duels
from referee.store.models import StoredVoid

COLUMNS: Final = (
    "duel",
    "first",
    "second",
    "result",
    "matches_won",
    "open_north_south",
    "open_east_west",
    "closed_north_south",
    "closed_east_west",
    "margin",
    "hands",
    "faults",
    "faults_of_other",
    "slowest_seconds",
    "slowest_seconds_of_other",
    "ended",
    "reason",
)


_SCORES: Final = 4


def duel_row(line: DuelLine) -> Sequence[object]:
    """Return a duel as a row."""
    duel = line.duel
    faults = [sum(line.at_fault(fault) == name for fault in duel.faults) for name in line.names]
    slowest = [f"{timing.seconds:.6f}" if timing else "" for timing in line.slowest]
    return (
        *(duel_name(duel.key), *line.names, RESULTS[duel.wins], line.matches[0]),
        *(*_scores(line), duel.margin, duel.hands),
        *(*faults, *slowest, moment(duel.finished), ""),
    )


def _scores(line: DuelLine) -> Sequence[object]:
    """Return the scores, which have columns where there are two sides; JSON has any other's."""
    scores = [points for record in line.rooms for points in record.score]
    return scores if len(scores) == _SCORES else [""] * _SCORES


def void_row(table: LeagueTable, void: StoredVoid) -> Sequence[object]:
    """Return a void as a row."""
    key = void.key
    result = "unplayed" if key in table.unplayed else "void"
    names = table.names[key.first], table.names[key.second]
    return (duel_name(key), *names, result, *[""] * 11, moment(void.at), void.reason)


def print_rows(store: Store, table: LeagueTable) -> None:
    """Print every duel and void of a league as comma-separated values."""
    duels = map(duel_row, lines(table, stored_duels(store, table.league.name)))
    voids = (void_row(table, void) for void in table.voids)
    print_csv((*COLUMNS, *MARKS), marked(table, (*duels, *voids)))

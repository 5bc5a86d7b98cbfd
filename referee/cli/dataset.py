"""`upcard dataset`: the decisions of a league, or of a file of records, as arrays of NumPy."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.league_argument import chosen_league
from referee.cli.output import with_progress
from referee.cli.played_duels import replayed_in
from referee.cli.store_options import Db
from referee.datasets.decisions import PlayedMatch, encoding_of, write_dataset
from referee.engine.seating import rooms
from referee.errors import ConfigError
from referee.league.duel_names import duel_name
from referee.league.table import names
from referee.record_file import read_records, replayed
from referee.store.database import Store
from referee.store.duels import count_duels, stored_duels
from referee.store.leagues import league as find_league
from referee.store.models import League
from referee.store.opening import DEFAULT, open_store
from referee.store.play import unpacked
from referee.text import counted

_SUFFIX = ".npz"
_RECORDS = ".jsonl"


def dataset(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[LEAGUE|FILE]",
            help="A league, or a file of match records; the only league may be left out.",
        ),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(metavar="FILE.npz", help="What to write.")],
    db: Db = DEFAULT,
) -> None:
    """Write every decision as a row of arrays: what was seen, what was done, what came of it.

    Programs learn from it; docs/research.md lists the columns. Every match is first played again by
    the rules. The same matches make the same file.
    """
    if out.suffix != _SUFFIX:
        raise ConfigError(f"arrays are written as {_SUFFIX}; name such a file, not {out}")
    if what is not None and Path(what).exists():
        count = _write_file(Path(what), out)
    elif what is not None and what.endswith(_RECORDS):
        raise ConfigError(f"there is no file {what}")
    else:
        with open_store(db) as store:
            count = _write_league(store, find_league(store, chosen_league(store, what)), out)
    print(f"{out}: {counted(count, 'decision')}")


def _write_file(file: Path, out: Path) -> int:
    encoding = encoding_of(next(read_records(file)).game)
    matches = with_progress(_of_file(file), None, "Writing")
    return write_dataset(out, encoding, matches, [""])


def _of_file(file: Path) -> Iterator[PlayedMatch]:
    for line, record in enumerate(read_records(file), start=1):
        yield PlayedMatch(line - 1, record, replayed(file, line, record))


def _write_league(store: Store, league: League, out: Path) -> int:
    encoding = encoding_of(league.plan.terms.game)
    called = names(league.entries)
    count = count_duels(store, league.name) * len(rooms(league.plan.terms.game))
    matches = with_progress(_of_league(store, league), count, "Writing")
    entrants = ["", *(called[entry.number] for entry in league.entries)]
    return write_dataset(out, encoding, matches, entrants)


def _of_league(store: Store, league: League) -> Iterator[PlayedMatch]:
    """Yield the matches of a league in canonical order."""
    game = league.plan.terms.game
    seatings, number = rooms(game), 0
    for duel in stored_duels(store, league.name):
        key = duel.key
        records = unpacked(duel.play, league.dealt(key), game)
        for room, (record, seating) in enumerate(zip(records, seatings, strict=True)):
            hands = replayed_in(league, duel_name(key), record)
            north_south, east_west = ((key.first, key.second)[who] for who in seating)
            entrants = north_south, east_west
            yield PlayedMatch(number, record, hands, key.number + 1, room, entrants)
            number += 1

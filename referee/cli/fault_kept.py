"""The faults of a league: a list of them, and the bundle of one, for its author."""

import zlib
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.called import command
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.output import one_format, print_csv, print_json, print_table
from referee.cli.store_options import Db
from referee.errors import ConfigError, FileError
from referee.examination.fault_reading import LARGEST
from referee.files.writing import whole_file
from referee.league.table import entrant_called, names
from referee.reports.faults import numbered_faults
from referee.store.database import Store
from referee.store.duels import fault_bundle
from referee.store.leagues import league as find_league
from referee.store.leagues import suspension_bundle
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain

_HEADER = ("fault", "entrant", "kind", "duel", "room", "hand", "seat", "explanation")
_MOST = 2**31 - 1
"""More faults than any league has."""
_DIGITS = 20


def list_faults(
    league: LeagueName = None,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
    db: Db = DEFAULT,
) -> None:
    """List the faults of a league, in the order in which they happened."""
    one_format(json, csv)
    with open_store(db) as store:
        name = chosen_league(store, league)
        kept = find_league(store, name)
        found = [*numbered_faults(store, kept, names(kept.entries))]
    rows = [
        (
            str(fault["number"]),
            fault["entrant"],
            fault["kind"],
            fault["duel"],
            fault["room"],
            str(fault["hand"]),
            fault["seat"],
            plain(fault["explanation"]),
        )
        for fault in found
    ]
    if json:
        print_json(found)
    elif csv:
        print_csv(_HEADER, rows)
    elif not rows:
        print(f"no bot of {name} was ever at fault")
    else:
        heading = f"{name}: {counted(len(rows), 'fault')}"
        print_table(heading, _HEADER, ([*map(plain, row)] for row in rows))
        print(f"What happened, for its author: {command('fault', 'save')} FAULT FILE")


def save_fault(
    fault: Annotated[
        str,
        typer.Argument(
            metavar="FAULT",
            help="Its number, as 'upcard fault list' has it; or the name of an entrant that is "
            "suspended since it never started.",
        ),
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the bundle goes.")],
    league: Annotated[
        str | None, typer.Option(metavar="LEAGUE", help="Needed only if there are several.")
    ] = None,
    db: Db = DEFAULT,
) -> None:
    """Write the bundle of a fault in a league to a file, for 'upcard fault show'."""
    if file.exists():
        raise ConfigError(f"{file} exists already; name another file")
    with open_store(db) as store:
        packed = _packed(store, chosen_league(store, league), fault)
        try:
            bundle = _unpacked(packed)
        except (ValueError, zlib.error):
            raise FileError(
                f"the bundle of fault {fault[:80]} in {store.location} is damaged; "
                "go back to a backup"
            ) from None
    with whole_file(file) as out:
        out.write(bundle)
    print(plain(f"{file}; look at it: {command('fault', 'show', file)}"))


def _packed(store: Store, league: str, fault: str) -> bytes:
    if fault.isdecimal() and fault.isascii():
        return fault_bundle(store, league, min(int(fault[:_DIGITS]), _MOST))
    entrant = entrant_called(find_league(store, league), fault)
    return suspension_bundle(store, league, entrant)


def _unpacked(packed: bytes) -> str:
    expand = zlib.decompressobj()
    data = expand.decompress(packed, LARGEST)
    if not expand.eof:
        raise ValueError(len(data))
    return data.decode()

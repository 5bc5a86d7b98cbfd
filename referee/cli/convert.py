"""`upcard convert`: matches from a file, in a notation that other programs read."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.output import with_progress
from referee.engine.record import MatchRecord
from referee.errors import ConfigError
from referee.files.writing import whole_file
from referee.record_file import read_records, replayed


def convert(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of match records.")],
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="What to write: .egn for Euchre, .pbn for Whist.")
    ],
    match: Annotated[
        int | None, typer.Option(min=1, help="Only this match of the file, from 1.")
    ] = None,
) -> None:
    """Write matches in Euchre Game Notation or Portable Bridge Notation."""
    checked = _checked(file, match)
    first = next(checked)
    write = first.game.notations.get(out.suffix)
    if not first.game.notations:
        raise ConfigError(f"{first.game.title} is written in no notation but that of records")
    if write is None:
        suffixes = ", ".join(first.game.notations)
        raise ConfigError(
            f"{first.game.name} is written as {suffixes}; name such a file, not {out}"
        )
    with whole_file(out) as opened:
        opened.writelines(write(chain([first], checked)))


def _checked(file: Path, match: int | None) -> Iterator[MatchRecord]:
    """Yield matches that were played again by the rules; all are of one game."""
    records = read_records(file) if match is None else iter([arguments.match_in_file(file, match)])
    games = set()
    for line, record in enumerate(with_progress(records, None, "Checking"), start=match or 1):
        replayed(file, line, record)
        games.add(record.game.name)
        if len(games) > 1:
            raise ConfigError(
                f"{file} holds {' and '.join(sorted(games))}; choose a match with --match"
            )
        yield record

"""`upcard convert`: matches from a file, in a notation that other programs read."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.output import with_progress
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
    records = list(read_records(file)) if match is None else [arguments.match_in_file(file, match)]
    checked = with_progress(iter(records), len(records), "Checking")
    for line, record in enumerate(checked, start=match or 1):
        replayed(file, line, record)
    games = {record.game.name for record in records}
    if len(games) > 1:
        raise ConfigError(
            f"{file} holds {' and '.join(sorted(games))}; choose a match with --match"
        )
    notations = records[0].game.notations
    write = notations.get(out.suffix)
    if write is None:
        (game,) = games
        raise ConfigError(
            f"{game} is written as {', '.join(notations)}; name such a file, not {out}"
        )
    with whole_file(out) as opened:
        opened.write(write(records))

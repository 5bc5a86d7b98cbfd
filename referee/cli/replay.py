"""`upcard replay`: matches from a file, told so that a card player can follow them."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.output import counted, print_heading, with_progress
from referee.cli.telling import tell_hand
from referee.engine.cards import SEAT_NAMES
from referee.errors import ConfigError
from referee.record_file import read_records, replayed


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of match records.")],
    match: Annotated[
        int | None, typer.Option(min=1, help="Which match of the file, from 1; else the first.")
    ] = None,
    hand: Annotated[
        int | None, typer.Option(min=1, help="Which hand of the match, from 1; else all of them.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Show only what this seat (N, E, S or W) could see."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only check every match of the file.")
    ] = False,
) -> None:
    """Tell a match, or one hand of it, from a file of records.

    It is played again by the rules first; what does not follow from them is refused.
    """
    if check:
        if match is not None or hand is not None or seat is not None:
            raise ConfigError("--check looks at every match; leave out --match, --hand and --seat")
        _check(file)
        return
    match = match or 1
    seen_by = None if seat is None else arguments.seat(seat)
    record = arguments.chosen_match(file, match)
    hands = replayed(file, match, record)
    if hand is not None and hand > len(hands):
        raise ConfigError(f"match {match} has {len(hands)} hands; choose 1 to {len(hands)}")
    if not hands:
        print(f"Match {match} was forfeited before a hand was finished")
    first = 1 if hand is None else hand
    for number, played in enumerate(islice(hands, first - 1, hand), start=first):
        print_heading(f"Match {match}, hand {number} of {len(hands)}")
        tell_hand(played, seen_by)
    if record.forfeit and hand in {None, len(hands)}:
        print(f"{SEAT_NAMES[record.forfeit.seat]} forfeits the match by a fault")


def _check(file: Path) -> None:
    matches = hands = 0
    for record in with_progress(read_records(file), None, "Checking"):
        matches += 1
        hands += len(replayed(file, matches, record))
    checked = f"{counted(matches, 'match', 'es')}, {counted(hands, 'hand')}"
    print(f"{file}: {checked}; every one follows from the rules")

"""`upcard assignments`: what a course asks for."""

from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.organiser import by_command
from referee.cli.output import print_rows
from referee.cli.store_options import Db
from referee.hosting.assignments import WrittenAssignment, assign
from referee.store.assignments import assignment, remove_assignment
from referee.store.assignments import assignments as all_assignments
from referee.store.hosting_models import Assignment, Threshold
from referee.store.opening import DEFAULT, open_store

assignments = typer.Typer(help="Say what a course asks for.", no_args_is_help=True)

_HEADER: Final = ("assignment", "ladder", "group", "due", "grace", "counts", "thresholds")


@assignments.command()
def add(
    name: Annotated[str, typer.Argument(metavar="ASSIGNMENT", help="What it is called.")],
    ladder: Annotated[str, typer.Option(metavar="LADDER", help="What is handed in to.")],
    due: Annotated[
        str,
        typer.Option(metavar="DATE", help="Until when, in UTC: 2026-05-04, or 2026-05-04T18:00."),
    ],
    beat: Annotated[
        list[str],
        typer.Option(
            metavar="BOT=POINTS",
            help="So many points are for who beats this house bot; may be repeated, and the most "
            "counts. With BOT=POINTS@0.9 by that chance, else 0.95.",
        ),
    ],
    grace: Annotated[
        str, typer.Option(metavar="TIME", help="How long after that it still counts, as 2h or 1d.")
    ] = "0s",
    counts: Annotated[
        str, typer.Option(help="Which submission counts of those in time: last or best.")
    ] = "last",
    group: Annotated[
        str | None, typer.Option(help="Only for authors of this group; else for everybody.")
    ] = None,
    db: Db = DEFAULT,
) -> None:
    """Add an assignment to a ladder."""
    written = WrittenAssignment(name, ladder, due, beat, grace, counts, group)
    with open_store(db) as store:
        new = assign(store, written, by_command())
    print(f"{new.name}: due {new.due:%Y-%m-%d %H:%M} UTC")


@assignments.command("list")
def list_assignments(json: arguments.AsJson = False, db: Db = DEFAULT) -> None:
    """List the assignments."""
    with open_store(db) as store:
        rows = [_row(each) for each in all_assignments(store)]
    print_rows("assignment", _HEADER, rows, json=json)


@assignments.command()
def remove(
    name: Annotated[str, typer.Argument(metavar="ASSIGNMENT", help="Its name.")], db: Db = DEFAULT
) -> None:
    """Remove an assignment; what was handed in stays."""
    with open_store(db) as store:
        remove_assignment(store, assignment(store, name), by_command())
    print(f"{name} is removed")


def _row(found: Assignment) -> tuple[str, ...]:
    return (
        found.name,
        found.ladder,
        found.group or "",
        found.due.strftime("%Y-%m-%d %H:%M"),
        str(found.grace),
        found.counts,
        " ".join(map(_threshold, found.thresholds)),
    )


def _threshold(each: Threshold) -> str:
    return f"{each.bot}={each.points:g}@{each.confidence:g}"

"""`upcard assignments`: what a course asks for."""

from datetime import UTC, datetime
from typing import Annotated, Final, get_args

import typer

from referee.cli import arguments
from referee.cli.output import print_rows
from referee.cli.store_options import Db
from referee.errors import ConfigError
from referee.hosting.grades import due_of, threshold_of
from referee.store.assignments import add_assignment, assignment, remove_assignment
from referee.store.assignments import assignments as all_assignments
from referee.store.hosting_models import Assignment, By, Counts, NewAssignment, Threshold
from referee.store.ladders import ladder as find_ladder
from referee.store.ladders import ladder_entrants
from referee.store.opening import DEFAULT, open_store
from referee.timespan import timespan

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
    lasts = timespan(grace)
    if lasts is None:
        raise ConfigError(f"--grace takes a time, as 90s, 2h or 1d; not {grace[:40]!r}")
    if counts not in get_args(Counts):
        raise ConfigError(f"--counts is last or best, not {counts[:40]!r}")
    thresholds = tuple(threshold_of(each) for each in beat)
    with open_store(db) as store:
        on = find_ladder(store, ladder)
        house = {each.bot.name for each in ladder_entrants(store, on) if each.account is None}
        for each in thresholds:
            if each.bot not in house:
                names = ", ".join(sorted(house)) or "there is none"
                raise ConfigError(f"{each.bot} is no house bot of {ladder}; they are: {names}")
        new = NewAssignment(name, group, due_of(due), lasts, _counts(counts), thresholds)
        add_assignment(store, new, on, _by())
    print(f"{name}: due {new.due:%Y-%m-%d %H:%M} UTC")


def _counts(text: str) -> Counts:
    return "last" if text == "last" else "best"


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
        remove_assignment(store, assignment(store, name), _by())
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


def _by() -> By:
    return By(None, datetime.now(UTC))

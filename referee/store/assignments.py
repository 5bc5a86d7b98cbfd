"""The assignments of a course."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from referee import json_fields
from referee.errors import ConfigError
from referee.store.audit import append_audit
from referee.store.database import Store, reading, writing
from referee.store.exact import exact
from referee.store.hosting_models import Assignment, By, Ladder, NewAssignment, Threshold
from referee.store.hosting_rows import ASSIGNMENT, LADDER

_ASSIGNMENT: Final = (
    *(ASSIGNMENT.c.id, ASSIGNMENT.c.name, LADDER.c.name.label("ladder"), ASSIGNMENT.c.group),
    *(ASSIGNMENT.c.due, ASSIGNMENT.c.grace, ASSIGNMENT.c.counts, ASSIGNMENT.c.thresholds),
)


def add_assignment(store: Store, new: NewAssignment, ladder: Ladder, by: By) -> None:
    """Add an assignment.

    Raises:
        ConfigError: there is one of that name.
    """
    row = {
        **new._asdict(),
        "ladder": ladder.id,
        "grace": int(new.grace.total_seconds()),
        "thresholds": [each._asdict() for each in new.thresholds],
    }
    try:
        with writing(store) as connection:
            connection.execute(insert(ASSIGNMENT), row)
            append_audit(connection, by, "add assignment", new.name)
    except IntegrityError:
        raise ConfigError(
            f"there is an assignment {new.name} already; choose another name"
        ) from None


def remove_assignment(store: Store, found: Assignment, by: By) -> None:
    """Remove an assignment; what was handed in stays."""
    with writing(store) as connection:
        connection.execute(delete(ASSIGNMENT).where(ASSIGNMENT.c.id == found.id))
        append_audit(connection, by, "remove assignment", found.name)


def assignments(store: Store) -> list[Assignment]:
    """Return all assignments, the first that is due first."""
    asked = (
        select(*_ASSIGNMENT)
        .join_from(ASSIGNMENT, LADDER, LADDER.c.id == ASSIGNMENT.c.ladder)
        .order_by(ASSIGNMENT.c.due, ASSIGNMENT.c.id)
    )
    with reading(store) as connection:
        return [_assignment(row) for row in connection.execute(asked)]


def assignment(store: Store, name: str) -> Assignment:
    """Return an assignment by its name.

    Raises:
        ConfigError: there is none.
    """
    every = assignments(store)
    found = [each for each in every if each.name == name]
    if not found:
        names = " or ".join(each.name for each in every)
        advice = f"choose {names}" if names else "add one: upcard assignments add NAME"
        raise ConfigError(f"there is no assignment {name[:80]!r}; {advice}")
    return found[0]


def _assignment(row: Sequence[Any]) -> Assignment:
    *fields, grace, counts, thresholds = row
    lasts = timedelta(seconds=grace)
    return exact(Assignment, (*fields, lasts, counts, _thresholds(thresholds)))


def _thresholds(read: object) -> tuple[Threshold, ...]:
    return tuple(_threshold(each, field) for field, each in json_fields.items(read, "thresholds"))


def _threshold(read: object, field: str) -> Threshold:
    found = json_fields.fields(read, field, Threshold._fields)
    return Threshold(
        json_fields.number(found["points"], f"{field}.points"),
        json_fields.printable(found["bot"], f"{field}.bot"),
        json_fields.number(found["confidence"], f"{field}.confidence", 0, 1),
    )

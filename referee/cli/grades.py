"""`upcard grades`: what the authors of a course have reached."""

from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.output import one_format, print_csv, print_json, print_table
from referee.cli.store_options import Db
from referee.hosting.grades import Grade, grade_row, grades_header, grades_of
from referee.store.assignments import assignment as find_assignment
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain


def grades(
    assignment: Annotated[str, typer.Argument(metavar="ASSIGNMENT", help="Which assignment.")],
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
    db: Db = DEFAULT,
) -> None:
    """Show what each author has reached in an assignment, by login."""
    one_format(json, csv)
    with open_store(db) as store:
        found = find_assignment(store, assignment)
        reached = grades_of(store, found)
    header, rows = grades_header(found), [grade_row(each) for each in reached]
    if json:
        print_json([dict(zip(header, row, strict=True)) for row in rows])
    elif csv:
        print_csv(header, rows)
    else:
        shown = [
            [each.account.login, each.account.name, f"{each.points:g}", *_chances(each)]
            for each in reached
        ]
        safe = ([plain(cell) for cell in row] for row in shown)
        columns = ("login", "name", "points", *(f"beats {each.bot}" for each in found.thresholds))
        print_table(f"{found.name}: {counted(len(rows), 'author')}", columns, safe)


def _chances(grade: Grade) -> list[str]:
    return ["" if each is None else f"{100 * each:.1f}%" for each in grade.chances]

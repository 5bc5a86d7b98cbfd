"""The assignments of a course, and what each author has reached."""

from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response

from referee.errors import NotFoundError
from referee.hosting.assignments import WrittenAssignment, assign
from referee.hosting.grades import grade_row, grades_header, grades_of
from referee.spreadsheet import as_csv
from referee.store.assignments import assignments, remove_assignment
from referee.store.hosting_models import Assignment
from referee.store.ladders import ladder_entrants, ladders
from referee.web.host.asking import Asked
from referee.web.host.routes import Route

if TYPE_CHECKING:
    from referee.web.host.hosting import Host


def assignments_page(host: "Host", asked: Asked) -> Response:
    """List the assignments, and show the form for another one."""
    house = {
        each.name: [
            entrant.bot.name
            for entrant in ladder_entrants(host.store, each)
            if entrant.account is None
        ]
        for each in ladders(host.store)
    }
    return host.page(asked, "assignments", assignments=assignments(host.store), house=house)


def add(host: "Host", asked: Asked) -> Response:
    """Add an assignment."""
    form = asked.form
    written = WrittenAssignment(
        form.get("name", ""),
        form.get("ladder", ""),
        form.get("due", "").strip(),
        form.get("beat", "").split(),
        form.get("grace", "0s").strip(),
        form.get("counts", "last"),
        form.get("group", "").strip() or None,
    )
    assign(host.store, written, asked.by)
    return RedirectResponse("/organiser/assignments", 303)


def remove(host: "Host", asked: Asked) -> Response:
    """Remove an assignment."""
    remove_assignment(host.store, _assignment(host, asked), asked.by)
    return RedirectResponse("/organiser/assignments", 303)


def grades_page(host: "Host", asked: Asked) -> Response:
    """Show what each author has reached."""
    found = _assignment(host, asked)
    return host.page(asked, "grades", assignment=found, grades=grades_of(host.store, found))


def grades_file(host: "Host", asked: Asked) -> Response:
    """Return the same as a CSV file."""
    found = _assignment(host, asked)
    rows = [grade_row(each) for each in grades_of(host.store, found)]
    headers = {"Content-Disposition": "attachment; filename=grades.csv"}
    text = as_csv(grades_header(found), rows)
    return Response(text, headers=headers, media_type="text/csv; charset=utf-8")


def _assignment(host: "Host", asked: Asked) -> Assignment:
    found = [each for each in assignments(host.store) if each.id == asked.number("number")]
    if not found:
        raise NotFoundError(f"there is no assignment {asked.number('number')}")
    return found[0]


_ASSIGNMENT: Final = "/organiser/assignments/{number:number}"
ROUTES: Final = (
    Route("GET", "/organiser/assignments", assignments_page, "organiser"),
    Route("POST", "/organiser/assignments", add, "organiser", body="form"),
    Route("POST", f"{_ASSIGNMENT}/remove", remove, "organiser", body="form"),
    Route("GET", _ASSIGNMENT, grades_page, "organiser"),
    Route("GET", f"{_ASSIGNMENT}/grades.csv", grades_file, "organiser", "organise"),
)

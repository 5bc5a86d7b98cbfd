"""What became of a submission, and what its author may do with it."""

import json
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import JSONResponse, RedirectResponse, Response

from referee.errors import ConfigError, NotFoundError
from referee.hosting.examinations import BUILD_LOG, REPORT, fault_name
from referee.hosting.quotas import refuse_more_active
from referee.hosting.receiving import chosen_ladder, receive
from referee.hosting.roles import may
from referee.store import lifecycle
from referee.store.bots import find_bot
from referee.store.hosting_models import Submission
from referee.store.jobs import places
from referee.store.ladders import ladder
from referee.store.lifecycle import Examination
from referee.store.submissions import events, file, file_names, submission
from referee.web.host.asking import Asked
from referee.web.host.routes import Route

if TYPE_CHECKING:
    from referee.web.host.hosting import Host


def seen(host: "Host", asked: Asked) -> Submission:
    """Return the submission that is asked about, if it is hers who asks, or she is an organiser.

    Raises:
        NotFoundError: there is none that she may see.
    """
    number = asked.number("number")
    try:
        found = submission(host.store, number)
    except ConfigError:
        found = None
    if found is None or not (found.account == asked.account.id or may(asked.account, "organiser")):
        raise NotFoundError(f"there is no submission {number} of yours")
    return found


def owned(host: "Host", asked: Asked) -> Submission:
    """Return the submission that is asked about, if it is hers who asks.

    Raises:
        NotFoundError: there is none of hers.
    """
    found = seen(host, asked)
    if found.account != asked.account.id:
        raise NotFoundError(f"there is no submission {found.id} of yours")
    return found


def upload(host: "Host", asked: Asked) -> Response:
    """Hand a bot in by a form."""
    found, _ = handed_in(host, asked, asked.form.get("ladder"))
    return RedirectResponse(f"/submissions/{found.id}", 303)


def handed_in(host: "Host", asked: Asked, name: str | None) -> tuple[Submission, bool]:
    """Hand in what came with a request; return the submission, and whether it is a new one."""
    assert asked.upload
    on, settings = chosen_ladder(host.store, name), host.settings()
    return receive(host.store, asked.upload, on, asked.account, settings=settings, now=asked.now)


def submission_page(host: "Host", asked: Asked) -> Response:
    """Show what became of a submission."""
    found = seen(host, asked)
    files = file_names(host.store, found.id)
    return host.page(
        asked,
        "submission",
        found=found,
        events=events(host.store, found.id),
        place=places(host.store, "examine", [found.id]).get(found.id),
        report=report(host, found),
        has_log=BUILD_LOG in files,
        is_mine=found.account == asked.account.id,
    )


def report(host: "Host", found: Submission) -> dict[str, Any] | None:
    """Return the report card of a submission, once it was checked."""
    content = file(host.store, found.id, REPORT)
    return None if content is None else json.loads(content)


def log(host: "Host", asked: Asked) -> Response:
    """Return what the build of a submission wrote."""
    found = seen(host, asked)
    content = file(host.store, found.id, BUILD_LOG)
    if content is None:
        raise NotFoundError(f"submission {found.id} has no log of a build")
    text = content.decode(errors="replace")
    headers = {"Content-Disposition": "inline; filename=build.log"}
    return Response(text, headers=headers, media_type="text/plain; charset=utf-8")


def report_file(host: "Host", asked: Asked) -> Response:
    """Return the report card of a submission."""
    found = seen(host, asked)
    card = report(host, found)
    if card is None:
        raise NotFoundError(f"submission {found.id} has no report card yet")
    return JSONResponse(card)


def fault(host: "Host", asked: Asked) -> Response:
    """Return a fault bundle, which is for the owner alone."""
    found, number = owned(host, asked), asked.number("fault")
    content = file(host.store, found.id, fault_name(number))
    if content is None:
        raise NotFoundError(f"submission {found.id} has no fault {number}")
    name = f"submission-{found.id}-fault-{number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(zlib.decompress(content), headers=headers, media_type="application/json")


def rest(host: "Host", asked: Asked) -> Response:
    """Take a bot out of play."""
    found = owned(host, asked)
    lifecycle.rest(host.store, found, asked.by)
    return _back(host, asked, found)


def choose(host: "Host", asked: Asked) -> Response:
    """Choose an earlier version to play in place of the one that does."""
    found = owned(host, asked)
    if found.bot is None:
        raise ConfigError(f"submission {found.id} was never accepted")
    on = ladder(host.store, found.ladder)
    lifecycle.choose_version(
        host.store,
        Examination(None, found, asked.account, on),
        find_bot(host.store, found.bot),
        partial(refuse_more_active, host.settings().quota),
        asked.by,
    )
    return _back(host, asked, found)


def _back(host: "Host", asked: Asked, found: Submission) -> Response:
    """Return to the page of a submission; to a program, what it is now."""
    if asked.who.scopes is not None:
        return JSONResponse(as_json(submission(host.store, found.id)))
    return RedirectResponse(f"/submissions/{found.id}", 303)


def as_json(found: Submission) -> dict[str, object]:
    """Return a submission as programs get it."""
    return {
        "id": found.id,
        "ladder": found.ladder,
        "name": found.name,
        "version": found.version,
        "language": found.language,
        "state": found.state,
        "reason": found.reason,
        "since": found.since.isoformat(timespec="seconds"),
        "received": found.received.isoformat(timespec="seconds"),
        "source": found.source,
        "bot": found.bot,
    }


_PAGE: Final = "/submissions/{number:number}"
ROUTES: Final = (
    Route("POST", "/submissions", upload, "author", body="file in a form"),
    Route("GET", _PAGE, submission_page, "author"),
    Route("GET", f"{_PAGE}/build.log", log, "author", "read"),
    Route("GET", f"{_PAGE}/report.json", report_file, "author", "read"),
    Route("GET", f"{_PAGE}/faults/{{fault:number}}.json", fault, "author", "read"),
    Route("POST", f"{_PAGE}/rest", rest, "author", "submit", body="form"),
    Route("POST", f"{_PAGE}/choose", choose, "author", "submit", body="form"),
)

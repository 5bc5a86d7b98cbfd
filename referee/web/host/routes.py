"""The table of all routes of a host, and who may use each; what is not in it does not exist."""

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from referee.errors import ConfigError, NotFoundError
from referee.hosting.roles import Scope
from referee.hosting.settings import host_settings
from referee.hosting.signing_in import SignInError, TooManyTriesError
from referee.store.hosting_models import Role
from referee.store.sources import receiving
from referee.web.host import forms, uploads
from referee.web.host.asking import Asked, Who, find_who

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from referee.web.host.hosting import Host

API: Final = "/api/v1/"
SIGN_IN: Final = "/sign-in"
Body = Literal["nothing", "form", "file", "file in a form"]
"""What comes with a request."""


class Route(NamedTuple):
    """What may be asked at an address, and by whom."""

    method: Literal["GET", "POST"]
    path: str
    handler: Callable[["Host", Asked], Response]
    role: Role | None
    """Who may use it, at least; everybody if this is None."""
    scope: Scope | None = None
    """What a token has to be for; None where no program may use it."""
    body: Body = "nothing"


def add_routes(app: FastAPI, host: "Host", routes: Sequence[Route]) -> None:
    """Add the routes of a table to an application."""
    for route in routes:
        methods = ["GET", "HEAD"] if route.method == "GET" else ["POST"]
        app.add_route(route.path, _endpoint(host, route), methods=methods)


def _endpoint(host: "Host", route: Route) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        now = host.clock()
        who = await to_thread(_who, host, request, now)
        refusal = _refusal(request, who, route)
        if refusal:
            return refusal
        with ExitStack() as closing:
            try:
                if route.method == "POST" and who.account:
                    host.throttle.count_change(who.account.id)
                asked = await _read(host, route, Asked(request, who, now), closing)
                answer = await to_thread(route.handler, host, asked)
            except NotFoundError:
                raise
            except SignInError as error:
                answer = host.refused(request, who, status_of(error), str(error))
            except ConfigError as error:
                answer = host.refused(request, who, 422, str(error))
        # What is somebody's own is for nobody's cache.
        is_own = route.role or who.account
        answer.headers.setdefault("Cache-Control", "no-store" if is_own else "no-cache")
        return answer

    endpoint.__name__ = route.handler.__name__
    return endpoint


def _who(host: "Host", request: Request, now: "datetime") -> Who:
    return find_who(host.store, request, now, now + host.settings().session)


def status_of(error: SignInError) -> int:
    """Return the status of the answer to somebody who cannot be signed in."""
    return 429 if isinstance(error, TooManyTriesError) else 403


def _refusal(request: Request, who: Who, route: Route) -> Response | None:
    """Return the answer to somebody who may not use a route."""
    if who.may(route.role, route.scope):
        return None
    is_program = request.url.path.startswith(API) or who.scopes is not None
    if who.account is None and not is_program and route.method == "GET":
        return RedirectResponse(f"{SIGN_IN}?to={request.url.path}", 303)
    if who.account is None:
        message = "Sign in first: a program by its token, upcard login HOST"
        return _error(401, message) if is_program else _forbidden(message)
    message = "Your token is not for that" if who.scopes is not None else "You may not do that"
    return _error(403, message) if is_program else _forbidden(message)


def _error(status: int, message: str) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse({"error": message}, status, headers)


def _forbidden(message: str) -> Response:
    raise HTTPException(403, message)


async def _read(host: "Host", route: Route, asked: Asked, closing: ExitStack) -> Asked:
    """Read what comes with a request; a form has to come from a page of ours."""
    if route.method == "GET":
        return asked
    form: dict[str, str] = {}
    upload: Path | None = None
    request = asked.request
    # Nothing but a cookie lets another site act for somebody.
    is_by_cookie = asked.who.scopes is None and not (
        request.url.path.startswith(API) and asked.who.account is None
    )
    if route.body in {"file", "file in a form"}:
        closing.enter_context(host.uploads.one_of(asked.account.id))
        settings = await to_thread(host_settings, host.store)
        directory = await to_thread(closing.enter_context, receiving(host.store.files))
        upload = directory / "archive"
        most = settings.limits.packed
        if route.body == "file":
            await uploads.receive_file(request, upload, most)
        else:
            form = await uploads.receive_form(request, upload, most)
    elif route.body == "form":
        form = await forms.read_form(request)
    if is_by_cookie and not forms.is_own(host.signer, request, form):
        message = "This form is too old, or from another page: load the page again"
        raise HTTPException(403, message)
    return Asked(request, asked.who, asked.now, form, upload)

"""The web application: routes, middleware and error pages."""

from asyncio import Event
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from importlib.metadata import version
from logging import getLogger
from pathlib import Path
from typing import Final, Protocol

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from referee.errors import FileError, NotFoundError, UpcardError
from referee.reports import (
    crosstable,
    deals,
    duels,
    entrants,
    facts,
    faults,
    points,
    positions,
    ratings,
    replays,
)
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.text import plain
from referee.web import api, live
from referee.web.formatting import short_name
from referee.web.league_cache import LeagueCache
from referee.web.middleware import HEADERS, AnswerMiddleware, HeadMiddleware
from referee.web.monitoring import Metrics, health_handler
from referee.web.openapi import openapi_generator
from referee.web.pages import OwnLogs, Pages

STATIC: Final = Path(__file__).with_name("static")
_API: Final = "/api/v1"
_LOG: Final = getLogger("uvicorn.error")
"""The log that the organiser reads."""
_REPORTS: Final = (
    *(crosstable, deals, duels, entrants, facts, faults),
    *(points, positions, ratings, replays),
)
"""The modules that define the answers of the API."""
_LARGE: Final = 2000
"""Answers of at least so many bytes are compressed."""

_METHODS: Final = ("GET", "HEAD")

Handler = Callable[[Request], Response | Awaitable[Response]]
Render = Callable[[Request], str]


class Hosting(Protocol):
    """What people may do on a host, beside what spectators read."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Those of every answer."""

    def hidden_leagues(self) -> Collection[str]:
        """Return the leagues that no list shows."""

    def join(self, app: FastAPI, pages: Pages) -> None:
        """Add its routes to the application."""


class _NumberConvertor(Convertor[int]):
    """A number in an address: of a page, an entrant or a duel."""

    regex = "[1-9][0-9]{0,8}"

    def convert(self, value: str) -> int:
        """Return the number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return the part of the address."""
        return str(value)


register_url_convertor("number", _NumberConvertor())


def create_app(  # noqa: PLR0913 (all that an application is made of)
    store: Store,
    hosts: Sequence[str] = ("*",),
    stopping: Event | None = None,
    proxies: Sequence[str] = (),
    *,
    show_hosts: bool = False,
    host: Hosting | None = None,
    logged: OwnLogs | None = None,
) -> FastAPI:
    """Return the application for a store, which stays open as long as it serves.

    Args:
        store: where the leagues are; nothing is written to it.
        hosts: the host names that requests may have.
        stopping: is set when the server is about to stop.
        proxies: addresses that speak for many readers.
        show_hosts: whether the metrics name the machines that run leagues.
        host: what people may do here besides, if they may do anything.
        logged: what bots logged in a duel, for a reader who is their author.
    """
    cache = LeagueCache(store, hidden=host.hidden_leagues if host else frozenset)
    app = FastAPI(
        title="Upcard",
        version=version("upcard-referee"),
        description="The content of the pages as JSON, for programs. It is read-only.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        openapi_url=f"{_API}/openapi.json",
    )
    app.state.cache = cache
    app.include_router(api.router, prefix=_API)
    pages = Pages(cache, hosted=host is not None, logged=logged)
    metrics = Metrics(cache, show_hosts=show_hosts)
    for kind, (paths, render) in _page_routes(app, pages).items():
        for path in paths:
            app.add_route(path, _page_handler(kind, render), methods=[*_METHODS])
    for path, handler in (
        ("game.rcy", _file_handler(pages.program, "text/plain; charset=utf-8")),
        ("game.svg", _file_handler(pages.graph, "image/svg+xml")),
    ):
        app.add_route(f"/leagues/{{name}}/{path}", handler, methods=[*_METHODS])
    app.add_route("/leagues/{name}", _to_league, methods=[*_METHODS])
    app.add_route("/api", _to_api, methods=[*_METHODS])
    app.add_route("/healthz", health_handler(cache), methods=[*_METHODS])
    app.add_route("/metrics", metrics.metrics, methods=[*_METHODS])
    streams = live.EventStreams(cache, stopping or Event(), proxies)
    app.add_route("/leagues/{name}/live", live.handler(streams), methods=[*_METHODS])
    app.mount("/static", StaticFiles(directory=STATIC))
    if host:
        host.join(app, pages)
    app.openapi = openapi_generator(app, (*_REPORTS, api))  # type: ignore[method-assign]
    _add_error_pages(app, pages)
    app.add_middleware(GZipMiddleware, minimum_size=_LARGE, compresslevel=5)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*hosts], www_redirect=False)
    headers = host.headers if host else HEADERS
    app.add_middleware(AnswerMiddleware, metrics=metrics, headers=headers)
    app.add_middleware(HeadMiddleware, prefix=f"{_API}/")
    return app


def _page_routes(app: FastAPI, pages: Pages) -> dict[str, tuple[Sequence[str], Render]]:
    """Return the paths of each kind of page, and the function that renders it."""
    league = "/leagues/{name}"
    return {
        "home": (("/", "/index.html"), lambda _: pages.home()),
        "league": (
            (f"{league}/", f"{league}/index.html"),
            lambda request: pages.league(_name(request)),
        ),
        "fairness": (
            (f"{league}/fairness.html",),
            lambda request: pages.fairness(_name(request)),
        ),
        "game": ((f"{league}/game.html",), lambda request: pages.game(_name(request))),
        "crosstable": (
            (f"{league}/pairings/", f"{league}/pairings/index.html"),
            lambda request: pages.crosstable(_name(request)),
        ),
        "pairing": (
            (f"{league}/pairings/{{one:number}}-{{other:number}}.html",),
            lambda request: pages.pairing(_name(request), *_numbers(request, "one", "other")),
        ),
        "pairing_page": (
            (f"{league}/pairings/{{one:number}}-{{other:number}}-page-{{page:number}}.html",),
            lambda request: pages.pairing(
                _name(request), *_numbers(request, "one", "other", "page")
            ),
        ),
        "entrant": (
            (f"{league}/entrants/{{number:number}}.html",),
            lambda request: pages.entrant(_name(request), *_numbers(request, "number")),
        ),
        "duel": (
            (f"{league}/duels/{{first:number}}-{{second:number}}-{{number:number}}.html",),
            lambda request: pages.duel(_name(request), _key(request)),
        ),
        "api": (("/api/", "/api/index.html"), lambda _: pages.api(app.openapi())),
    }


def _page_handler(kind: str, render: Render) -> Handler:
    def handle(request: Request) -> Response:
        return HTMLResponse(render(request), headers={"Cache-Control": "no-cache"})

    handle.__name__ = kind
    return handle


def _file_handler(render: Callable[[str], str], media: str) -> Handler:
    def game_file(request: Request) -> Response:
        # A drawing brings its own style.
        policy = "default-src 'none'; style-src 'unsafe-inline'"
        headers = {"Cache-Control": "no-cache", "Content-Security-Policy": policy}
        return Response(render(_name(request)), headers=headers, media_type=media)

    return game_file


def _to_league(request: Request) -> Response:
    return RedirectResponse(f"./{_name(request)}/")


def _to_api(request: Request) -> Response:
    del request
    return RedirectResponse("./api/")


def _name(request: Request) -> str:
    return str(request.path_params["name"])


def _numbers(request: Request, *names: str) -> list[int]:
    return [int(request.path_params[name]) for name in names]


def _key(request: Request) -> DuelKey:
    first, second, number = _numbers(request, "first", "second", "number")
    return DuelKey(first, second, number - 1)


# Errors


def _add_error_pages(app: FastAPI, pages: Pages) -> None:
    def answer(
        request: Request,
        status: int,
        heading: str,
        message: str,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        path = request.url.path
        if path.startswith(_API):
            return JSONResponse({"error": message}, status, headers)
        page = pages.error(_as_deep(path), status, heading, message)
        return HTMLResponse(page, status, headers)

    def not_found(request: Request, error: Exception) -> Response:
        message = plain(str(error))
        return answer(request, 404, "Page not found", f"{message[0].upper()}{message[1:]}.")

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            path = short_name(request.url.path)
            return answer(request, 404, "Page not found", f"There is no page {path}.")
        message = f"{error.detail}."
        return answer(request, error.status_code, "Not possible", message, error.headers)

    def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        message = "; ".join(
            f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors()[:5]
        )
        return answer(request, 422, "Not a valid address", message[:500])

    def unreadable(request: Request, error: Exception) -> Response:
        # The message names files, so only the organiser sees it.
        _LOG.warning("%s", error)
        message = "The store cannot be read at the moment; try again soon."
        return answer(request, 503, "Not available at the moment", message, {"Retry-After": "5"})

    def failed(request: Request, error: Exception) -> Response:
        if isinstance(error, UpcardError):
            _LOG.error("%s: %s", request.url.path, error)
        message = "This is not your fault. Tell the organiser: the server's log says more."
        return answer(request, 500, "Something went wrong", message, HEADERS)

    app.add_exception_handler(NotFoundError, not_found)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(FileError, unreadable)
    app.add_exception_handler(UpcardError, failed)
    app.add_exception_handler(Exception, failed)


def _as_deep(path: str) -> str:
    """Return an address as deep as this one, so that relative links from the page are right."""
    return "/".join("x" * path.count("/"))

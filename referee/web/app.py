"""The web application: what answers which address, and what is said when nothing does."""

from asyncio import Event
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.metadata import version
from logging import getLogger
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from referee.errors import FileError, UpcardError
from referee.reports import (
    crosstable,
    deals,
    duels,
    entrants,
    facts,
    faults,
    points,
    ratings,
    replays,
)
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.web import api, health, live
from referee.web.league_cache import LeagueCache
from referee.web.metrics import Metrics
from referee.web.middleware import HEADERS, AnswerMiddleware
from referee.web.missing import Missing
from referee.web.names import shown
from referee.web.openapi import describing
from referee.web.pages import Pages

STATIC: Final = Path(__file__).with_name("static")
_API: Final = "/api/v1"
_LOG: Final = getLogger("uvicorn.error")
"""Where the organiser reads what her server says."""
_REPORTS: Final = (
    *(crosstable, deals, duels, entrants, facts, faults),
    *(points, ratings, replays),
)
"""Where the answers to programs are defined."""
_LARGE: Final = 2000
"""Bytes of an answer that is worth compressing."""

_READING: Final = ("GET", "HEAD")

Handler = Callable[[Request], Response | Awaitable[Response]]
Write = Callable[[Request], str]


class _Number(Convertor[int]):
    """A number in an address: of a page, an entrant or a duel, so no longer than those can be."""

    regex = "[1-9][0-9]{0,8}"

    def convert(self, value: str) -> int:
        """Read it."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Write it."""
        return str(value)


register_url_convertor("number", _Number())


def made(store: Store, hosts: Sequence[str] = ("*",), over: Event | None = None) -> FastAPI:
    """Make the application for a store, which stays open as long as it serves.

    Args:
        store: where leagues are kept; nothing is written to it.
        hosts: the names it may be asked by.
        over: is set when it is about to stop.
    """
    almanac = LeagueCache(store)
    app = FastAPI(
        title="Upcard",
        version=version("upcard-referee"),
        description="What the pages of Upcard tell, for programs. Nothing can be changed by it.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        openapi_url=f"{_API}/openapi.json",
    )
    app.include_router(api.made(almanac), prefix=_API)
    pages = Pages(almanac)
    metrics = Metrics(almanac)
    for kind, (paths, write) in _pages(app, pages).items():
        for path in paths:
            app.add_route(path, _answering(kind, write), methods=[*_READING])
    app.add_route("/leagues/{name}", _to_league, methods=[*_READING])
    app.add_route("/api", _to_api, methods=[*_READING])
    app.add_route("/healthz", health.handler(almanac), methods=[*_READING])
    app.add_route("/metrics", metrics.metrics, methods=[*_READING])
    app.add_route("/leagues/{name}/live", live.handler(almanac, over or Event()), methods=["GET"])
    app.mount("/static", StaticFiles(directory=STATIC))
    app.openapi = describing(app, (*_REPORTS, api))  # type: ignore[method-assign]
    _handle_trouble(app, pages)
    app.add_middleware(GZipMiddleware, minimum_size=_LARGE, compresslevel=5)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*hosts], www_redirect=False)
    app.add_middleware(AnswerMiddleware, metrics=metrics)
    return app


def _pages(app: FastAPI, pages: Pages) -> dict[str, tuple[Sequence[str], Write]]:
    """Return where each kind of page is, and what writes it."""
    league = "/leagues/{name}"
    return {
        "home": (("/", "/index.html"), lambda _: pages.home()),
        "league": (
            (f"{league}/", f"{league}/index.html"),
            lambda asked: pages.league(_name(asked)),
        ),
        "fairness": (
            (f"{league}/fairness.html",),
            lambda asked: pages.fairness(_name(asked)),
        ),
        "crosstable": (
            (f"{league}/pairings/", f"{league}/pairings/index.html"),
            lambda asked: pages.crosstable(_name(asked)),
        ),
        "pairing": (
            (f"{league}/pairings/{{one:number}}-{{other:number}}.html",),
            lambda asked: pages.pairing(_name(asked), *_numbers(asked, "one", "other")),
        ),
        "pairing_page": (
            (f"{league}/pairings/{{one:number}}-{{other:number}}-page-{{page:number}}.html",),
            lambda asked: pages.pairing(_name(asked), *_numbers(asked, "one", "other", "page")),
        ),
        "entrant": (
            (f"{league}/entrants/{{number:number}}.html",),
            lambda asked: pages.entrant(_name(asked), *_numbers(asked, "number")),
        ),
        "duel": (
            (f"{league}/duels/{{first:number}}-{{second:number}}-{{number:number}}.html",),
            lambda asked: pages.duel(_name(asked), _key(asked)),
        ),
        "api": (("/api/", "/api/index.html"), lambda _: pages.api(app.openapi())),
    }


def _answering(kind: str, write: Write) -> Handler:
    def answered(request: Request) -> Response:
        return HTMLResponse(write(request), headers={"Cache-Control": "no-cache"})

    answered.__name__ = kind
    return answered


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


# What is answered when there is no answer


def _handle_trouble(app: FastAPI, pages: Pages) -> None:
    def told(
        request: Request,
        status: int,
        heading: str,
        words: str,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        path = request.url.path
        if path.startswith(_API):
            return JSONResponse({"error": words}, status, headers)
        return HTMLResponse(pages.trouble(_as_deep(path), status, heading, words), status, headers)

    def missing(request: Request, error: Exception) -> Response:
        words = str(error)
        return told(request, 404, "There is no such page", f"{words[0].upper()}{words[1:]}.")

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            path = shown(request.url.path)
            return told(request, 404, "There is no such page", f"Nothing is at {path}.")
        words = f"{error.detail}."
        return told(request, error.status_code, "That is not possible", words, error.headers)

    def asked_wrongly(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        wrong = "; ".join(
            f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors()[:5]
        )
        return told(request, 422, "That cannot be asked", wrong[:500])

    def unreadable(request: Request, error: Exception) -> Response:
        # The words name files of the organiser's, so they are for her alone.
        _LOG.warning("%s", error)
        words = "The store cannot be read at the moment; try again soon."
        return told(request, 503, "Not at the moment", words, {"Retry-After": "5"})

    def broken(request: Request, error: Exception) -> Response:
        if isinstance(error, UpcardError):
            _LOG.error("%s: %s", request.url.path, error)
        words = "It is not your fault; tell the organiser, who has more in her log."
        return told(request, 500, "Something is wrong here", words, HEADERS)

    app.add_exception_handler(Missing, missing)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, asked_wrongly)
    app.add_exception_handler(FileError, unreadable)
    app.add_exception_handler(UpcardError, broken)
    app.add_exception_handler(Exception, broken)


def _as_deep(path: str) -> str:
    """Return an address from which links lead as from this one, whatever stands in it."""
    return "/".join("x" * path.count("/"))

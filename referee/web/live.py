"""Tells open pages that a league has changed, by server-sent events, until it is over.

An event carries nothing of the league: the page fetches itself again, so that there is one way to
make it. A reader is told when a page would show something new, and not when something happens, so
that the last news is not lost to a page that was still good.
"""

from asyncio import Event, timeout, to_thread
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from referee.errors import FileError
from referee.store.stamps import Stamp
from referee.web.league_cache import LeagueCache
from referee.web.missing import Missing

_MOST: Final = 512
"""Readers at the same time; whoever comes later reads the page as it stands."""
_LOOK: Final = 1.0
"""Seconds from one look at the league to the next."""
_SIGN_OF_LIFE: Final = 15
"""So many looks without a change, and a reader is told that nothing happened."""
_RETRY: Final = 3000
"""Milliseconds after which a browser comes back that was cut off."""
_EVENTS: Final = "text/event-stream"
_NOT_KEPT: Final = {"Cache-Control": "no-store"}
_CHANGED: Final = "event: changed\ndata:\n\n"
_OVER: Final = "event: over\ndata:\n\n"
_NOTHING: Final = ":\n\n"


def handler(almanac: LeagueCache, over: Event) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers a reader who wants to be told, until this server is over."""
    readers: set[object] = set()

    async def live(request: Request) -> Response:
        name = request.path_params["name"]
        await to_thread(almanac.stamp, name)
        if request.method == "HEAD":
            return Response(media_type=_EVENTS, headers=_NOT_KEPT)
        if len(readers) >= _MOST:
            return Response(status_code=503, headers={"Retry-After": "60"})

        async def told() -> AsyncIterator[str]:
            reader = object()
            readers.add(reader)
            try:
                async for event in _events(almanac, name, over):
                    yield event
            finally:
                readers.discard(reader)

        return StreamingResponse(told(), media_type=_EVENTS, headers=_NOT_KEPT)

    return live


async def _events(almanac: LeagueCache, name: str, over: Event) -> AsyncIterator[str]:
    # What happened since the page was made may be missing in it, so it is fetched once at least.
    seen, quiet = None, 0
    yield f"retry: {_RETRY}\n\n"
    while not over.is_set():
        try:
            now = await to_thread(_shown, almanac, name)
        except (FileError, Missing):
            return  # the browser comes back
        quiet = 0 if now != seen else quiet + 1
        if now != seen:
            yield _CHANGED
        elif quiet % _SIGN_OF_LIFE == 0:
            yield _NOTHING
        if now.stamp.state != "open":
            yield _OVER
            return
        seen = now
        await pause(over)


async def pause(over: Event) -> None:
    """Wait for the next look, and no longer than this server serves."""
    with suppress(TimeoutError):
        async with timeout(_LOOK):
            await over.wait()


class _Shown(NamedTuple):
    """What a page shows differs if this does."""

    stamp: Stamp
    running: bool


def _shown(almanac: LeagueCache, name: str) -> _Shown:
    return _Shown(almanac.edition(name).stamp, almanac.running(name))

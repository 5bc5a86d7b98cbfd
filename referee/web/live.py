"""Sends server-sent events to open pages when a league has changed, until it is over.

An event carries no data: the page requests itself again, so there is one way to render it. An event
is sent when a page would show something new, which may be later than the change itself: a page may
be rendered from an edition that is still good.

All streams of a league share one look at the store per second. The next look is scheduled by the
first stream that wants one, so there are none once the last stream has ended.
"""

from asyncio import Event, Task, create_task, shield, timeout, to_thread
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from referee.errors import FileError, NotFoundError
from referee.store.stamps import Stamp
from referee.web.connections import network_of
from referee.web.league_cache import LeagueCache

_MAX_STREAMS: Final = 512
"""Streams at the same time; a later reader gets the page without updates."""
_MAX_STREAMS_OF_ADDRESS: Final = 128
_INTERVAL: Final = 1.0
"""Seconds from one look at a league to the next."""
_HEARTBEAT: Final = 15
"""After this many looks without a change a stream sends a comment, so that nobody closes it."""
_RETRY: Final = 3000
"""Milliseconds after which a browser connects again."""
_EVENTS: Final = "text/event-stream"
_NOT_CACHED: Final = {"Cache-Control": "no-store"}
_CHANGED: Final = "event: changed\ndata:\n\n"
_OVER: Final = "event: over\ndata:\n\n"
_COMMENT: Final = ":\n\n"


def handler(streams: "EventStreams") -> Callable[[Request], Awaitable[Response]]:
    """Return the handler of event streams."""

    async def live(request: Request) -> Response:
        name = request.path_params["name"]
        await to_thread(streams.cache.stamp, name)
        if request.method == "HEAD":
            return Response(media_type=_EVENTS, headers=_NOT_CACHED)
        host = request.client.host if request.client else ""
        # Nothing is awaited from here until the place is taken.
        if not streams.take_place(host):
            return Response(status_code=503, headers={"Retry-After": "60"})
        return _EventResponse(streams, name, host)

    return live


class EventStreams:
    """The open event streams of all leagues."""

    def __init__(self, cache: LeagueCache, stopping: Event, proxies: Collection[str] = ()) -> None:
        """Start without any stream.

        Args:
            cache: what pages are rendered from.
            stopping: once it is set, all streams end.
            proxies: addresses that may have as many streams as there may be.
        """
        self.cache = cache
        self._stopping = stopping
        self._proxies = proxies
        self._watchers: dict[str, _Watcher] = {}
        self._places: Counter[str] = Counter()
        """The streams of each network, from before the answer begins to its end."""

    @property
    def count(self) -> int:
        """How many streams are open."""
        return sum(watcher.streams for watcher in self._watchers.values())

    def take_place(self, host: str) -> bool:
        """Take a place for a stream, if there is one; it is given back by `leave_place`."""
        network = network_of(host)
        too_many = host not in self._proxies and self._places[network] >= _MAX_STREAMS_OF_ADDRESS
        if too_many or self._places.total() >= _MAX_STREAMS:
            return False
        self._places[network] += 1
        return True

    def leave_place(self, host: str) -> None:
        """Release a place."""
        network = network_of(host)
        self._places[network] -= 1
        if not self._places[network]:
            del self._places[network]

    async def open(self, name: str) -> AsyncGenerator[str]:
        """Yield the events of a league until it is over or cannot be read."""
        if name not in self._watchers:
            self._watchers[name] = _Watcher(self.cache, name, self._stopping)
        watcher = self._watchers[name]
        watcher.streams += 1
        try:
            async for event in _events(watcher):
                yield event
        finally:
            watcher.streams -= 1
            if not watcher.streams:
                watcher.stop()
                del self._watchers[name]


class _EventResponse(StreamingResponse):
    """A stream that gives its place back, however it ends."""

    def __init__(self, streams: EventStreams, name: str, host: str) -> None:
        super().__init__(streams.open(name), media_type=_EVENTS, headers=_NOT_CACHED)
        self._streams = streams
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.leave_place(self._host)


class _State(NamedTuple):
    """What a page shows differs if this does."""

    stamp: Stamp
    running: bool


class _Watcher:
    """Looks at a league for all streams of it."""

    def __init__(self, cache: LeagueCache, name: str, stopping: Event) -> None:
        self._cache = cache
        self._name = name
        self._stopping = stopping
        self._look: Task[_State | None] | None = None
        self.streams = 0
        self.state: _State | None = None
        """As of the last look; None before the first, and when the last one failed."""

    async def next_state(self) -> _State | None:
        """Return what the next look finds; None if the store cannot be read, or on stopping.

        The very first look is at once.
        """
        if self._look is None or self._look.done():
            self._look = create_task(self._read())
        # A stream that is closed while it waits must not cancel the look of the others.
        return await shield(self._look)

    async def _read(self) -> _State | None:
        if self.state is not None:
            await pause(self._stopping)
        self.state = None if self._stopping.is_set() else await to_thread(self._find)
        return self.state

    def _find(self) -> _State | None:
        with suppress(FileError, NotFoundError):
            return _State(self._cache.edition(self._name).stamp, self._cache.running(self._name))
        return None

    def stop(self) -> None:
        """Cancel the look that is scheduled, as nobody waits for it any more."""
        if self._look is not None:
            self._look.cancel()


async def _events(watcher: _Watcher) -> AsyncGenerator[str]:
    yield f"retry: {_RETRY}\n\n"
    # What happened since the page was rendered may be missing in it, so the first event is that
    # it has changed.
    seen, quiet = None, 0
    state = watcher.state or await watcher.next_state()
    while state is not None:  # else the browser connects again
        quiet = 0 if state != seen else quiet + 1
        if state != seen:
            yield _CHANGED
        elif quiet % _HEARTBEAT == 0:
            yield _COMMENT
        if state.stamp.state != "open":
            yield _OVER
            return
        seen = state
        state = await watcher.next_state()


async def pause(stopping: Event) -> None:
    """Wait until the next look is due, or the server stops."""
    with suppress(TimeoutError):
        async with timeout(_INTERVAL):
            await stopping.wait()

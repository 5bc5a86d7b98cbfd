"""Connections of the web server: how many there may be, and how long each may say nothing.

uvicorn limits how long a connection is kept between requests, but not how long one takes to send
the first, nor how slowly one reads. Here each has a deadline wherever nothing is being answered,
whatever it sends. Where there are too many, of one address or of all, the one that is idle for
longest makes room; if each is being answered, the new one is refused.
"""

import asyncio
from collections.abc import Collection
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST: Final = 1024
MOST_OF_ADDRESS: Final = 256
LOOPBACK: Final = ("127.0.0.1", "::1")
"""A web server on this machine, which speaks for all of its readers."""
_REQUEST_SECONDS = 10.0
"""For a whole request, from the start of the connection or the end of the answer before."""
_STALLED_SECONDS = 30.0
"""For reading what one may buffer (64 kB)."""
_REFUSAL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n"
    b"Connection: close\r\n\r\n"
)


def network_of(host: str) -> str:
    """Return what counts as one address: of IPv6 the part that a network has."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


class Connections:
    """The open connections of a server."""

    def __init__(self, most: int, proxies: Collection[str]) -> None:
        """Start without any.

        Args:
            most: how many there may be.
            proxies: addresses that may have as many as there may be of all.
        """
        self._most = most
        self._proxies = proxies
        self._idle: dict[ReaderConnection, None] = {}
        """Those that nothing is answered to, the longest idle first."""
        self._networks: dict[ReaderConnection, str] = {}

    def protocol(self, **settings: Any) -> "ReaderConnection":  # noqa: ANN401 (what uvicorn gives)
        """Return the protocol of a new connection, as uvicorn makes one."""
        return ReaderConnection(self, **settings)

    def add(self, connection: "ReaderConnection", host: str) -> bool:
        """Add a connection, if there is room or can be made; return whether it was added."""
        network = network_of(host)
        of_network = [each for each, other in self._networks.items() if other == network]
        if host not in self._proxies and len(of_network) >= MOST_OF_ADDRESS:
            room = self._evict(of_network)
        else:
            room = len(self._networks) < self._most or self._evict(self._networks)
        if room:
            self._networks[connection] = network
        return room

    def _evict(self, some: Collection["ReaderConnection"]) -> bool:
        for connection in self._idle:
            if connection in some:
                self.remove(connection)
                connection.transport.abort()
                return True
        return False

    def set_idle(self, connection: "ReaderConnection", *, idle: bool) -> None:
        """Note whether something is being answered to a connection."""
        self._idle.pop(connection, None)
        if idle and connection in self._networks:
            self._idle[connection] = None

    def remove(self, connection: "ReaderConnection") -> None:
        """Forget a connection that has ended."""
        self._idle.pop(connection, None)
        self._networks.pop(connection, None)


class ReaderConnection(H11Protocol):
    """One connection."""

    def __init__(self, connections: Connections, **settings: Any) -> None:  # noqa: ANN401 (uvicorn's)
        """Start before anything was received."""
        super().__init__(**settings)
        self._connections = connections
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Begin to wait for a request, or refuse the connection."""
        super().connection_made(transport)
        if self._connections.add(self, self.client[0] if self.client else ""):
            self._update()
        else:
            transport.write(_REFUSAL)
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Receive a part of a request."""
        if not self.transport.is_closing():
            super().data_received(data)
            if self._is_answering():
                self._update()

    def on_response_complete(self) -> None:
        """Wait for the next request, or answer it if it is there."""
        super().on_response_complete()
        self._update()

    def pause_writing(self) -> None:
        """Wait until the reader has read on."""
        super().pause_writing()
        self._stalled = self.loop.call_later(_STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        super().resume_writing()
        _cancel(self._stalled)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        _cancel(self._deadline)
        _cancel(self._stalled)
        self._connections.remove(self)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _update(self) -> None:
        idle = not self._is_answering()
        _cancel(self._deadline)
        self._connections.set_idle(self, idle=idle)
        if idle:
            self._deadline = self.loop.call_later(_REQUEST_SECONDS, self._expire)

    def _expire(self) -> None:
        """Close the connection; what was written before may still be on its way."""
        self.transport.close()
        self._deadline = self.loop.call_later(_STALLED_SECONDS, self.transport.abort)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()

"""A Unix socket that a bot dials, and the bounds on what it may do there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import Final

import grpc

from referee.files.own_directory import own_directory
from referee.rpc.relay import Relay, no_socket

Stream = grpc.aio.ServicerContext[bytes, bytes]
"""Messages as they are on the wire; `codec` reads them."""
Play = Callable[[AsyncIterator[bytes], Stream], Awaitable[None]]
Close = Callable[[], Awaitable[None]]
"""Ends every stream of a socket without a word."""

SEATS: Final = "upcard-seats-"
"""How the names of directories with sockets begin."""
_LONGEST_RECEIVED: Final = 1 << 20
"""In bytes. What is longer than the protocol allows, and not than this, is refused in words."""
_MOST_PINGS: Final = 128
"""Pings in a row without a frame in between: each process that a bot forks may send one."""
_OPTIONS: Final = (
    ("grpc.max_allowed_incoming_connections", 8),
    ("grpc.server_handshake_timeout_ms", 2000),
    ("grpc.max_concurrent_streams", 8),
    ("grpc.max_receive_message_length", _LONGEST_RECEIVED),
    ("grpc.max_metadata_size", 8192),
    ("grpc.http2.max_ping_strikes", _MOST_PINGS),
    ("grpc.so_reuseport", 0),
)
_MOST_STREAMS: Final = 8
_STOPPING: Final = 5.0
"""Seconds for closing a socket; what hangs then goes with the process."""
_SERVICE: Final = "upcard.v1.RefereeService"


def socket_directory() -> AbstractContextManager[Path]:
    """Make a private directory for the sockets of bots, removed at the end."""
    return own_directory(Path(gettempdir()), SEATS)


@asynccontextmanager
async def serve_seat(play: Play, socket: Path, relay: Relay) -> AsyncIterator[Close]:
    """Serve a new socket as `serve_socket` does; what a bot sends there goes through a relay.

    Raises:
        FileError: there cannot be one.
    """
    relayed = socket.with_name(f"{socket.name}.grpc")
    async with serve_socket(play, relayed) as close:
        with relay.listening(socket, relayed):
            yield close


@asynccontextmanager
async def serve_socket(play: Play, socket: Path) -> AsyncIterator[Close]:
    """Serve each stream that is opened on a new socket with `play`, until the socket is closed.

    Raises:
        FileError: there cannot be one.
    """
    server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=_MOST_STREAMS)
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    service = grpc.method_handlers_generic_handler(_SERVICE, {"Play": handler})
    server.add_generic_rpc_handlers((service,))
    try:
        server.add_insecure_port(f"unix:{socket}")
    except RuntimeError:
        raise no_socket(socket) from None
    await server.start()

    async def close() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOPPING):
                await server.stop(None)

    try:
        yield close
    finally:
        await close()

"""Serves the pages until somebody stops it."""

import asyncio
import gc
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from ipaddress import ip_address
from typing import Final

import uvicorn

from referee.errors import FileError
from referee.store.database import Store
from referee.web.app import made

_LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
_CONNECTIONS: Final = 1024
_GOODBYE: Final = 3
"""Seconds that whoever reads at the end has to come to the end."""


async def serve(
    store: Store,
    host: str,
    port: int,
    names: Sequence[str],
    ready: Callable[[str], None],
) -> None:
    """Serve a store's pages until this is cancelled.

    Args:
        store: where leagues are kept.
        host: the address to listen at.
        port: the port; any that is free, if it is 0.
        names: what else it may be asked by, such as a proxy's name.
        ready: is told the address at which it listens.

    Raises:
        FileError: it cannot listen there.
    """
    over = asyncio.Event()
    with closing(_listening(host, port)) as listening:
        config = uvicorn.Config(
            made(store, _hosts(host, names), over),
            limit_concurrency=_CONNECTIONS,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=_GOODBYE,
            ws="none",
        )
        server = _Server(config)
        settle()
        ready(f"http://{_bracketed(host)}:{listening.getsockname()[1]}/")
        serving = asyncio.ensure_future(server.serve(sockets=[listening]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            over.set()
            server.should_exit = True
            await serving
            raise


def settle() -> None:
    """Have the garbage collector leave alone what is there, all of which stays to the end.

    To go through it took 50 to 100 ms each time, and somebody waited for a page.
    """
    gc.collect()
    gc.freeze()


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs this."""
        yield


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
    except socket.gaierror as error:
        raise FileError(f"{host[:200]!r} is no address: {error.strerror}; see --host") from None
    except UnicodeError:
        raise FileError(f"{host[:200]!r} is no address; see --host") from None
    except OSError as error:
        # What Python adds to the system's words says it all twice.
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise FileError(
            f"cannot listen at {host} port {port}: {reason}; choose others by --host and --port"
        ) from None


def _hosts(host: str, names: Sequence[str]) -> list[str]:
    """Return the names it may be asked by.

    Who listens only to her own machine is asked by no other name, so that no page of a stranger's
    can have her browser read this one.
    """
    return [*_LOOPBACK, _bracketed(host), *names] if names or _is_own(host) else ["*"]


def _is_own(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host

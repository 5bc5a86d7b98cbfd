"""Runs the web server until it is stopped."""

import asyncio
import gc
import logging
import os
import resource
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from ipaddress import ip_address
from time import monotonic
from typing import Any, Final, NamedTuple

import uvicorn

from referee.errors import FileError
from referee.store.database import Store
from referee.web.app import Hosting, create_app
from referee.web.connections import LOOPBACK, MOST, Connections
from referee.web.pages import OwnLogs

_LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
_OTHER_FILES: Final = 128
"""Open files beside the connections."""
_SHUTDOWN: Final = 3
"""Seconds that open requests have to finish in on shutdown."""


class ServerOptions(NamedTuple):
    """Where a server listens, and whom it believes."""

    host: str
    """The address to listen on."""
    port: int
    """0 is any that is free."""
    names: Sequence[str] = ()
    """Further host names that requests may have, such as a proxy's."""
    proxies: Sequence[str] = ()
    """Addresses of proxies whose X-Forwarded-For is believed, besides those on this machine."""
    show_hosts: bool = False
    """Whether the metrics name the machines that run leagues."""
    hosting: Hosting | None = None
    """What people may do besides, if they may do anything."""
    logged: OwnLogs | None = None
    """What bots logged in a duel, for a reader who is their author."""


def is_own(address: str) -> bool:
    """Return whether only this machine reaches an address."""
    return address in _LOOPBACK or address == "::1"


async def serve(store: Store, options: ServerOptions, ready: Callable[[str], None]) -> None:
    """Serve the pages of a store until this is cancelled.

    Args:
        store: where the leagues are.
        options: where it listens.
        ready: is called with the URL once the server listens.

    Raises:
        FileError: it cannot listen there.
    """
    address, port, names, proxies, show_hosts, hosting, logged = options
    stopping = asyncio.Event()
    with closing(_open_socket(address, port)) as listener, _without_repetitions():
        trusted = [*LOOPBACK, *proxies]
        config = uvicorn.Config(
            create_app(
                store,
                _allowed_hosts(address, names),
                stopping,
                trusted,
                show_hosts=show_hosts,
                host=hosting,
                logged=logged,
            ),
            http=Connections(_most_connections(), trusted).protocol,  # type: ignore[arg-type] # called like a class
            forwarded_allow_ips=trusted,
            log_config=None,  # the program that runs it decides how messages look
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=_SHUTDOWN,
            ws="none",
        )
        server = _Server(config)
        freeze_garbage()
        ready(f"http://{_bracketed(address)}:{listener.getsockname()[1]}/")
        serving = asyncio.ensure_future(server.serve(sockets=[listener]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            stopping.set()
            server.should_exit = True
            await serving
            raise


def freeze_garbage() -> None:
    """Exclude all objects so far, which stay to the end, from garbage collection.

    Scanning them takes 50 to 100 ms each time, and delays some reader's page.
    """
    gc.collect()
    gc.freeze()


@contextmanager
def _without_repetitions() -> Iterator[None]:
    log, repetitions = logging.getLogger("uvicorn.error"), RepetitionFilter()
    log.addFilter(repetitions)
    try:
        yield
    finally:
        log.removeFilter(repetitions)


def _most_connections() -> int:
    """Return how many connections there may be, each an open file; the limit is raised first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + _OTHER_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(MOST, soft - _OTHER_FILES))


class RepetitionFilter(logging.Filter):
    """Passes each kind of message once a second: readers cause them, and could fill the disk."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Start without any message."""
        super().__init__()
        self._clock = clock
        self._last: dict[Any, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a message is logged."""
        now = self._clock()
        if now - self._last.get(record.msg, -1) < 1:
            return False
        self._last[record.msg] = now
        return True


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the caller."""
        yield


def _open_socket(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
    except socket.gaierror as error:
        raise FileError(f"{host[:200]!r} is not an address: {error.strerror}; see --host") from None
    except UnicodeError:
        raise FileError(f"{host[:200]!r} is not an address; see --host") from None
    except OSError as error:
        # Python's message repeats the reason and the address.
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise FileError(
            f"cannot listen on {host} port {port}: {reason}; choose others with --host and --port"
        ) from None


def _allowed_hosts(host: str, names: Sequence[str]) -> list[str]:
    """Return the host names that a request may have.

    A server that only this machine can reach refuses all other names, so that a stranger's page
    cannot make the reader's browser read this one (DNS rebinding).
    """
    return [*_LOOPBACK, _bracketed(host), *names] if names or _is_loopback(host) else ["*"]


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host

"""Silent, slow and many connections keep no reader out, and write little to the log."""

import asyncio
import logging
import resource
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.store.opening import open_store
from referee.web import connections, serving
from referee.web.connections import MOST, MOST_OF_ADDRESS, network_of
from referee.web.serving import ServerOptions
from tests.cli.leagues import write_league
from tests.waiting import PATIENCE

STRANGER = "127.0.0.2"
"""An address of this machine that is no proxy's."""
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
STREAM = b"GET /leagues/club/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
Address = tuple[str, int]


@pytest.fixture(scope="module", autouse=True)
def _many_files() -> Iterator[None]:
    """Both ends of each connection are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module", autouse=True)
def _same_log() -> Iterator[None]:
    """Leave the log as it was: uvicorn takes it over."""
    loggers = [logging.getLogger(name) for name in ("uvicorn", "uvicorn.error", "uvicorn.access")]
    before = [(log, log.propagate, log.handlers[:], log.level) for log in loggers]
    yield
    for log, propagate, handlers, level in before:
        log.propagate, log.handlers = propagate, handlers
        log.setLevel(level)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("connections") / "upcard.db"
    write_league(place, duels=1)
    return place


@pytest.fixture
def serve(place: Path) -> Callable[[Callable[[Address], Coroutine[None, None, None]]], None]:
    """Return what serves the store while it is asked."""

    @asynccontextmanager
    async def server() -> AsyncIterator[Address]:
        with open_store(str(place)) as store:
            ready = asyncio.get_running_loop().create_future()
            running = asyncio.create_task(
                serving.serve(store, ServerOptions("127.0.0.1", 0), ready.set_result)
            )
            at = urlsplit(await ready)
            yield at.hostname or "", at.port or 0
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    def run(ask: Callable[[Address], Coroutine[None, None, None]]) -> None:
        async def main() -> None:
            async with server() as address, asyncio.timeout(PATIENCE):
                await ask(address)

        asyncio.run(main())

    return run


Serve = Callable[[Callable[[Address], Coroutine[None, None, None]]], None]


@asynccontextmanager
async def connected(
    address: Address, begin: bytes, source: str = "127.0.0.1"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Connect and send something."""
    reader, writer = await asyncio.open_connection(*address, local_addr=(source, 0))
    try:
        writer.write(begin)
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def status(address: Address, source: str = "127.0.0.1", request: bytes = REQUEST) -> int:
    """Ask for a page and return the status of the answer."""
    async with connected(address, request, source) as (reader, _):
        return int((await reader.read()).split()[1])


async def read_to_the_end(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        await reader.read()


async def silent(closing: ExitStack, address: Address, source: str) -> socket.socket:
    """Open a connection and say nothing."""
    one = closing.enter_context(socket.socket())
    one.setblocking(False)
    one.bind((source, 0))
    await asyncio.get_running_loop().sock_connect(one, address)
    return one


async def ended(one: socket.socket) -> bool:
    """Wait until the other end has closed a connection."""
    try:
        return await asyncio.get_running_loop().sock_recv(one, 1) == b""
    except ConnectionError:
        return True


@pytest.mark.slow
@pytest.mark.parametrize("source", ["127.0.0.1", STRANGER])
def test_silent_connections_keep_no_reader_out(serve: Serve, source: str) -> None:
    async def ask(address: Address) -> None:
        with ExitStack() as closing:
            for _ in range(MOST + 76):
                await silent(closing, address, source)
            assert await status(address) == 200

    serve(ask)


@pytest.mark.slow
def test_the_longest_silent_connection_of_an_address_makes_room(serve: Serve) -> None:
    async def ask(address: Address) -> None:
        with ExitStack() as closing:
            first = await silent(closing, address, STRANGER)
            for _ in range(MOST_OF_ADDRESS - 1):
                await silent(closing, address, STRANGER)
            assert await status(address, STRANGER) == 200
            assert await ended(first)

    serve(ask)


def test_an_address_whose_places_are_all_answered_is_refused(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_OF_ADDRESS", 1)

    async def ask(address: Address) -> None:
        async with connected(address, STREAM, STRANGER) as (reader, _):
            assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
            async with connected(address, REQUEST, STRANGER) as (refused, _):
                status_line, *headers = (await refused.read()).split(b"\r\n")
            assert status_line == b"HTTP/1.1 503 Service Unavailable"
            assert b"Connection: close" in headers
            assert await status(address, "127.0.0.3") == 200

    serve(ask)


@pytest.mark.slow
@pytest.mark.parametrize(
    "begin",
    [b"", REQUEST[:-2], b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", REQUEST[:9]],
    ids=["nothing", "headers", "after an answer", "a line"],
)
def test_a_request_that_never_ends_is_cut(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, begin: bytes
) -> None:
    monkeypatch.setattr(connections, "_REQUEST_SECONDS", 0.2)

    async def trickle(writer: asyncio.StreamWriter) -> None:
        while begin:  # a header that becomes longer and longer
            writer.write(b"a")
            await asyncio.sleep(0.05)

    async def ask(address: Address) -> None:
        async with connected(address, begin) as (reader, writer):
            trickling = asyncio.create_task(trickle(writer))
            await read_to_the_end(reader)
            trickling.cancel()

    serve(ask)


@pytest.mark.slow
def test_a_reader_that_reads_nothing_is_cut(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[connections.ReaderConnection] = []
    made_by = connections.ReaderConnection.connection_made

    def note(self: connections.ReaderConnection, transport: asyncio.Transport) -> None:
        made.append(self)
        made_by(self, transport)

    monkeypatch.setattr(connections.ReaderConnection, "connection_made", note)
    monkeypatch.setattr(connections, "_STALLED_SECONDS", 0.1)

    async def ask(address: Address) -> None:
        async with connected(address, STREAM) as (reader, _):
            await reader.readline()
            made[0].pause_writing()  # as its transport does when nothing is read
            await read_to_the_end(reader)

    serve(ask)


def test_malformed_requests_write_a_line_a_second(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    async def ask(address: Address) -> None:
        clock = asyncio.get_running_loop().time
        began = clock()
        for _ in range(200):
            assert await status(address, request=b"\x00\r\n\r\n") == 400
        found = [each for each in caplog.records if "Invalid HTTP" in each.getMessage()]
        assert 1 <= len(found) <= clock() - began + 2

    serve(ask)


def test_each_kind_of_message_is_logged_once_a_second() -> None:
    now = 0.0
    passes = serving.RepetitionFilter(lambda: now).filter
    records = [
        logging.LogRecord("a", logging.WARNING, "", 1, text, (word,), None)
        for text, word in (("bad %s", "one"), ("bad %s", "two"), ("other %s", "one"))
    ]
    assert [passes(each) for each in records] == [True, False, True]
    now = 1.0
    assert [passes(each) for each in records] == [True, False, True]


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_what_counts_as_one_address(host: str, network: str) -> None:
    assert network_of(host) == network

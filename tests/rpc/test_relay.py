"""The relay between bots and gRPC's server, with a server that only looks on."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from referee.errors import FileError
from referee.rpc import traffic
from referee.rpc.relay import Relay
from referee.rpc.traffic import PREFACE

SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
LARGE = bytes(range(256)) * 2048
"""More than sockets take at once."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Scene(NamedTuple):
    """A relay, its socket, and what has come of it."""

    relay: Relay
    path: Path
    served: "asyncio.Queue[Streams]"
    reports: list[str]
    closing: ExitStack

    async def connect(self) -> Streams:
        """Connect a bot."""
        bot = await asyncio.open_unix_connection(self.path)
        self.closing.callback(bot[1].close)
        return bot

    async def dial(self) -> tuple[Streams, Streams]:
        """Connect a bot; return its end and the server's."""
        bot = await self.connect()
        return bot, await self.served.get()


def play(act: Callable[[Scene], Awaitable[None]]) -> None:
    async def scene() -> None:
        with ExitStack() as closing:
            directory = closing.enter_context(TemporaryDirectory())
            served: asyncio.Queue[Streams] = asyncio.Queue()
            server = Path(directory, "server")

            def serve(reads: asyncio.StreamReader, writes: asyncio.StreamWriter) -> None:
                closing.callback(writes.close)
                served.put_nowait((reads, writes))

            serving = await asyncio.start_unix_server(serve, server)
            with relaying(Path(directory, "seat"), server) as (relay, reports):
                await act(Scene(relay, Path(directory, "seat"), served, reports, closing))
            serving.close()
        await asyncio.sleep(0)  # in which what is closed goes

    asyncio.run(scene())


@contextmanager
def relaying(path: Path, server: Path) -> Iterator[tuple[Relay, list[str]]]:
    relay, reports = Relay(), list[str]()
    with relay.listening(path, server):
        relay.expect(reports.append)
        yield relay, reports


def test_what_each_says_reaches_the_other_whole_though_it_reads_late() -> None:
    async def act(scene: Scene) -> None:
        (bot_reads, bot), (server_reads, server) = await scene.dial()
        bot.write(PREFACE + LARGE)
        server.write(LARGE)
        await asyncio.sleep(0)
        assert await server_reads.readexactly(len(PREFACE + LARGE)) == PREFACE + LARGE
        assert await bot_reads.readexactly(len(LARGE)) == LARGE

    play(act)


def test_who_has_said_all_may_still_listen() -> None:
    async def act(scene: Scene) -> None:
        (bot_reads, bot), (server_reads, server) = await scene.dial()
        bot.write(PREFACE)
        bot.write_eof()
        assert await server_reads.read() == PREFACE
        server.write(b"the last word")
        server.close()
        assert await bot_reads.read() == b"the last word"

    play(act)


def test_of_a_flood_the_server_gets_no_more_than_there_may_be() -> None:
    async def act(scene: Scene) -> None:
        (_, bot), (server_reads, _) = await scene.dial()
        bot.write(PREFACE)
        for _ in range(100):
            bot.write(SETTINGS * 1000)
        passed = await server_reads.read()
        assert len(passed) <= len(PREFACE) + len(SETTINGS) * traffic.MOST_FRAMES
        assert ["SETTINGS" in report for report in scene.reports] == [True]

    play(act)


def test_a_flood_ends_all_connections_of_its_process() -> None:
    async def act(scene: Scene) -> None:
        _, (reads, _) = await scene.dial()
        (_, flooder), _ = await scene.dial()
        flooder.write(PREFACE + SETTINGS * (traffic.MOST_FRAMES + 1))
        assert await reads.read() == b""

    play(act)


def test_a_process_that_was_cut_reaches_the_server_no_more() -> None:
    async def act(scene: Scene) -> None:
        (bot_reads, bot), _ = await scene.dial()
        bot.write(PREFACE + SETTINGS * (traffic.MOST_FRAMES + 1))
        await bot_reads.read()
        with socket.socket(socket.AF_UNIX) as another:
            another.connect(str(scene.path))
            for _ in range(100):
                await asyncio.sleep(0)
            assert scene.served.empty()

    play(act)


def test_the_next_process_begins_anew() -> None:
    async def act(scene: Scene) -> None:
        (bot_reads, bot), _ = await scene.dial()
        bot.write(PREFACE + SETTINGS * (traffic.MOST_FRAMES + 1))
        await bot_reads.read()
        scene.relay.expect(scene.reports.append)
        (_, bot), (server_reads, _) = await scene.dial()
        bot.write(PREFACE)
        assert await server_reads.readexactly(len(PREFACE)) == PREFACE

    play(act)


def test_a_message_of_the_referee_may_be_answered() -> None:
    async def act(scene: Scene) -> None:
        (_, bot), (server_reads, _) = await scene.dial()
        bot.write(PREFACE)
        await server_reads.readexactly(len(PREFACE))
        for _ in range(2 * traffic.MOST_FRAMES):
            scene.relay.sends(100)
            bot.write(SETTINGS)
            assert await server_reads.readexactly(len(SETTINGS)) == SETTINGS

    play(act)


def test_what_is_not_http2_ends_its_connection_and_nothing_else() -> None:
    async def act(scene: Scene) -> None:
        (bot_reads, bot), _ = await scene.dial()
        bot.write(b"GET / HTTP/1.1\r\n")
        assert await bot_reads.read() == b""
        (_, bot), (server_reads, _) = await scene.dial()
        bot.write(PREFACE)
        assert await server_reads.readexactly(len(PREFACE)) == PREFACE
        assert scene.reports == []

    play(act)


def test_so_many_connections_are_passed_on_at_a_time() -> None:
    async def act(scene: Scene) -> None:
        for _ in range(8):
            await scene.dial()
        reads, _ = await scene.connect()
        assert await reads.read() == b""

    play(act)


def test_connection_after_connection_is_a_flood() -> None:
    async def act(scene: Scene) -> None:
        for _ in range(traffic.MOST_CONNECTIONS):
            _, bot = await scene.connect()
            bot.close()
        assert scene.reports == []
        reads, _ = await scene.connect()
        await reads.read()
        assert scene.reports == [f"opened more than {traffic.MOST_CONNECTIONS} connections"]

    play(act)


def test_a_bot_is_hung_up_on_where_there_is_no_server(tmp_path: Path) -> None:
    async def act() -> None:
        with relaying(tmp_path / "seat", tmp_path / "server") as (_, reports):
            reads, bot = await asyncio.open_unix_connection(tmp_path / "seat")
            assert await reads.read() == b""
            assert reports == []
            bot.close()
        await asyncio.sleep(0)

    asyncio.run(act())


def test_a_socket_that_cannot_be_made_is_an_error_in_words(tmp_path: Path) -> None:
    async def act() -> None:
        with relaying(tmp_path / "no" / "seat", tmp_path / "server"):
            pass

    with pytest.raises(FileError, match="cannot make the socket"):
        asyncio.run(act())

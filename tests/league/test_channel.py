"""What workers send is received whole, though they or the coordinator are stopped or killed."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from referee.league.channel import ResultChannel, Sent, VisitId, connect
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredVoid

NOW = datetime(2026, 1, 2, tzinfo=UTC)
VISIT = VisitId("run", 7)
WORKER = """
import asyncio, os, signal, sys
from datetime import UTC, datetime
from referee.league.channel import VisitId, connect
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredVoid

async def work():
    async with connect(sys.argv[1], VisitId("run", 0)) as (send, wind_up):
        for number in range(3):
            send(StoredVoid(DuelKey(1, 2, number), "x" * 1000, datetime(2026, 1, 2, tzinfo=UTC)))
        print("sent", flush=True)
        sys.stdin.read()

asyncio.run(work())
"""
STOPPED = """
import os, pickle, signal, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    connection.send(bytes([0, 0, 9, 0]) + b"half a message")
    print("sent", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""


def void(number: int, reason: str = "why") -> StoredVoid:
    return StoredVoid(DuelKey(1, 2, number), reason, NOW)


def send(address: str, *outcomes: StoredVoid) -> None:
    """Send outcomes as a worker does, and hang up."""

    async def sending() -> None:
        async with connect(address, VISIT) as (send, _):
            for outcome in outcomes:
                send(outcome)

    asyncio.run(sending())


@contextmanager
def worker(program: str, address: str) -> Iterator[subprocess.Popen[str]]:
    """Start a process that has sent something when the context is entered."""
    with subprocess.Popen(
        [sys.executable, "-c", program, address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as started:
        try:
            assert started.stdout
            assert started.stdout.readline() == "sent\n"
            yield started
        finally:
            started.kill()


def test_what_is_sent_is_received(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel:
        send(channel.address, void(7))
        assert list(channel.receive_all()) == [Sent(VISIT, void(7))]


def test_what_was_sent_by_one_that_was_killed_is_received(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel, worker(WORKER, channel.address) as started:
        started.send_signal(signal.SIGKILL)
        started.wait()
        sent = [news for _, news in channel.receive_all() if isinstance(news, StoredVoid)]
        assert [void.key.number for void in sent] == [0, 1, 2]


def test_half_a_message_is_received_by_nobody(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel:
        send(channel.address, void(1))
        with worker(STOPPED, channel.address) as started:
            started.kill()
            started.wait()
        assert list(channel.receive_all()) == [Sent(VISIT, void(1))]


def test_a_worker_that_is_stopped_in_mid_message_holds_up_nobody(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel, worker(STOPPED, channel.address) as started:
        os.waitid(os.P_PID, started.pid, os.WSTOPPED)
        send(channel.address, void(1))
        assert list(channel.receive_all()) == [Sent(VISIT, void(1))]
        channel.wind_up("run")
        assert list(channel.receive_all()) == []


def test_a_message_that_comes_in_pieces_is_received_whole(tmp_path: Path) -> None:
    long = void(1, "x" * 1_000_000)
    with ResultChannel(tmp_path) as channel:

        async def sending() -> None:
            async with connect(channel.address, VISIT) as (send, _):
                send(long)
                received.extend(await asyncio.to_thread(lambda: [*receive_until(channel, 1)]))

        received: list[object] = []
        asyncio.run(sending())
        assert received == [long]


def receive_until(channel: ResultChannel, count: int) -> Iterator[object]:
    while count:
        for _, outcome in channel.receive(600):
            count -= 1
            yield outcome


def test_a_worker_is_not_held_up_by_a_coordinator_that_does_not_read(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel:

        async def sending() -> None:
            async with connect(channel.address, VISIT) as (send, _):
                for number in range(20):
                    send(void(number, "x" * 1_000_000))
                # Here the event loop is free, though nothing was read yet.
                received.extend(await asyncio.to_thread(lambda: [*receive_until(channel, 20)]))

        received: list[object] = []
        asyncio.run(sending())
        assert len(received) == 20


async def asked_to_wind_up(channel: ResultChannel, *, before: bool) -> None:
    """Wait, as a worker, to be asked to wind up, by a coordinator that is there before or after."""
    if before:
        channel.wind_up("run")
    async with connect(channel.address, VISIT) as (send, wind_up):
        send(void(1))
        await asyncio.to_thread(lambda: [*receive_until(channel, 1)])
        assert wind_up.is_set() is False or before
        channel.wind_up("run")
        await wind_up.wait()


def test_workers_are_asked_to_wind_up(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel:
        asyncio.run(asked_to_wind_up(channel, before=False))


def test_a_worker_that_connects_later_is_asked_to_wind_up_too(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel:
        asyncio.run(asked_to_wind_up(channel, before=True))


def test_workers_of_another_run_are_not_asked_to_wind_up(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel:

        async def waiting() -> bool:
            async with connect(channel.address, VISIT) as (send, wind_up):
                channel.wind_up("other")
                send(void(1))
                await asyncio.to_thread(lambda: [*receive_until(channel, 1)])
                return wind_up.is_set()

        assert not asyncio.run(waiting())


def test_a_worker_winds_up_when_its_coordinator_is_gone(tmp_path: Path) -> None:
    channel = ResultChannel(tmp_path)

    async def waiting() -> None:
        async with connect(channel.address, VISIT) as (_, wind_up):
            with channel:
                list(channel.receive(0))
            await wind_up.wait()

    asyncio.run(waiting())


def test_who_receives_is_woken(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel:
        channel.wake()
        assert [*channel.receive(600)] == []


def test_to_wake_nobody_is_no_error(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as channel:
        pass
    channel.wake()


def test_what_comes_in_together_is_received_together(tmp_path: Path) -> None:
    sent = [void(number, "late") for number in range(3)]
    with ResultChannel(tmp_path) as channel:
        send(channel.address, *sent)
        received = [*channel.receive(600)]
        assert [news for _, news in [*received, *channel.receive(600)]] == sent

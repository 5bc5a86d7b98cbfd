"""The link to one bot: what it bounds, with a stream and a process that are made of nothing."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from referee.arena import fault
from referee.arena.fault import Violation
from referee.errors import UpcardError
from referee.rpc import codec, link
from referee.rpc.link import Link
from referee.rpc.relay import Relay
from referee.rpc.transcript import TAIL
from tests.rpc.bot_tasks import BotTask
from upcard.v1.referee_pb2 import Answers, Hello, PlayRequest


class Listener:
    """Keeps what it is notified of."""

    def __init__(self) -> None:
        self.violations: list[Violation] = []
        self.answers: list[codec.Answers] = []

    def joined(self, hello: codec.Hello) -> None:
        pass

    def answered(self, answers: codec.Answers) -> None:
        self.answers.append(answers)

    def failed(self, violation: Violation) -> None:
        self.violations.append(violation)

    def leaves(self) -> None:
        pass

    def lost(self, reason: str) -> None:
        pass


class Stream:
    """A stream with some messages of a bot, which takes none of the referee."""

    def __init__(self, *messages: bytes) -> None:
        self._messages = list(messages)

    async def read(self) -> bytes | None:
        return self._messages.pop(0) if self._messages else await asyncio.Future()

    async def write(self, _: bytes) -> None:
        await asyncio.Future()


def answers(size: int) -> bytes:
    """Return a message with no answer that is so long."""
    return (
        PlayRequest(answers=Answers()).SerializeToString()
        + b"\x9a\x06"
        + _varint(size)
        + bytes(size)
    )


def _varint(number: int) -> bytes:
    return bytes((number & 127 | 128, number >> 7 & 127 | 128, number >> 14))


async def served(bot: Link, listener: Listener, *messages: bytes) -> None:
    """Serve a stream until all its messages are judged."""
    hello = PlayRequest(hello=Hello(token=bot.token, protocol_revision=1)).SerializeToString()
    serving = asyncio.ensure_future(bot.serve(Stream(hello, *messages)))  # type: ignore[arg-type]
    while len(listener.answers) < len(messages) or not bot.hello:  # noqa: ASYNC110 (nothing tells)
        await asyncio.sleep(0)
    bot.send(codec.GOODBYE)
    await asyncio.sleep(0)
    serving.cancel()


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


def test_a_bot_that_does_not_read_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        listener = Listener()
        bot = Link(listener, Relay())
        await served(bot, listener)
        bot.tick()
        assert listener.violations == []
        monkeypatch.setattr(link, "WRITING", -1.0)
        bot.tick()
        assert [violation.kind for violation in listener.violations] == [fault.DISCONNECTED]

    run(test())


def test_evidence_is_whole_once_and_then_a_tail() -> None:
    async def test() -> None:
        listener = Listener()
        bot = Link(listener, Relay())
        await served(bot, listener, *[answers(4000)] * 20)
        whole, later = bot.evidence(), bot.evidence()
        assert len(whole.messages) == 22
        assert sum(len(message.data) for message in later.messages[2:]) <= TAIL
        assert later.messages[-1] == whole.messages[-1]

    run(test())


class Flooded(Relay):
    """A relay whose process floods the server as soon as it is expected."""

    def expect(self, report: Callable[[str], None]) -> None:
        report("sent too much")


class Starts:
    """Starts a process that does nothing, for ever."""

    async def start(self, *_: object) -> BotTask:
        return BotTask()


def test_a_flood_is_a_fault_of_its_bot() -> None:
    async def test() -> None:
        listener = Listener()
        await Link(listener, Flooded()).start(Starts(), 0, 0, Path("seat"))
        assert listener.violations == [Violation(fault.PROTOCOL_ERROR, "sent too much")]

    run(test())


def test_what_goes_wrong_with_us_in_a_flood_is_raised_where_the_end_is_awaited() -> None:
    class FullDisk(Listener):
        def failed(self, violation: Violation) -> None:
            raise UpcardError(violation.explanation)

    async def test() -> None:
        bot = Link(FullDisk(), Flooded())
        await bot.start(Starts(), 0, 0, Path("seat"))
        with pytest.raises(UpcardError, match="sent too much"):
            await bot.watch()

    run(test())


def test_of_faults_of_one_kind_only_the_first_have_evidence() -> None:
    async def test() -> None:
        bot = Link(Listener(), Relay())
        taken = [bot.evidence_of(fault.ILLEGAL_ACTION) for _ in range(1000)]
        kept = [each for each in taken if each]
        assert kept == taken[: len(kept)]
        assert 0 < len(kept) < 20
        assert bot.evidence_of(fault.CRASHED)

    run(test())


def test_what_a_bot_leaves_unread_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        listener = Listener()
        bot = Link(listener, Relay())
        await served(bot, listener)
        bot.send(bytes(1000))
        bot.tick()
        assert listener.violations == []
        monkeypatch.setattr(link, "MOST_UNREAD", 999)
        bot.tick()
        assert [violation.explanation for violation in listener.violations] == [
            "left more than 999 bytes unread"
        ]

    run(test())


def test_of_each_message_only_so_much_is_recorded_as_an_honest_one_has() -> None:
    async def test() -> None:
        listener = Listener()
        bot = Link(listener, Relay())
        await served(bot, listener, answers(60000))
        message = bot.evidence().messages[1]
        assert (len(message.data), message.left_out > 55000) == (4096, True)

    run(test())


class SlowToMeasure(BotTask):
    """Costs the referee processor time whenever it is looked at."""

    def cpu_seconds(self) -> float:
        until = thread_time() + 0.02
        while thread_time() < until:
            pass
        return 0.0

    def watching_seconds(self) -> float:
        return 1.5


class SlowLauncher:
    async def start(self, *_: object) -> SlowToMeasure:
        return SlowToMeasure()


def test_the_referees_work_for_a_bot_is_its_messages_its_measures_and_its_limits() -> None:
    async def test() -> None:
        listener = Listener()
        bot = Link(listener, Relay())
        assert bot.referee_seconds() == 0.0
        await served(bot, listener, answers(60000))
        judged = bot.referee_seconds()
        assert judged > 0.0
        await bot.start(SlowLauncher(), 0, 0, Path())
        bot.cpu_seconds()
        assert bot.referee_seconds() >= judged + 0.02 + 1.5

    run(test())

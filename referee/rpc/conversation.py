"""One bot spoken to by itself: started, asked and heard, outside of any match."""

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import Final, NamedTuple

import grpc

from referee.arena import fault
from referee.arena.limits import GRACE, IDLE_SECONDS, IDLE_SHARE, STARVED, TimeLimits
from referee.engine.cards import Seat
from referee.files.own_directory import own_directory
from referee.rpc.judging import Violation, blame, understood, wrong
from referee.rpc.launcher import Ending, Launcher, Process
from referee.rpc.refusal import refuse
from referee.rpc.server import Stream, serve_socket
from referee.rpc.transcript import FROM_BOT, TO_BOT, Message, Transcript, TranscriptEvidence

_LAST_WORDS: Final = 1.0
"""Seconds for which the end of a stream waits for the process's, and the other way about."""
_SUSPICIOUS: Final = 0.05
"""The share of the processor with which a resting bot is watched for longer."""
_LONGER: Final = 5
"""So many times."""
_MOST_UNHEARD: Final = 1024
_SPARE: Final = 8
"""Messages a bot may send for a frame beyond one a turn."""


class Answered(NamedTuple):
    """What it answered to a frame."""

    choices: Mapping[int, int]
    """By turn."""
    seconds: Mapping[int, float]
    """What each turn would be charged."""
    pieces: int


class Conversation:
    """A bot in one seat, and what is said to it and by it."""

    def __init__(self, limits: TimeLimits) -> None:
        """Take how long the bot may take."""
        self.token = secrets.token_hex(16)
        self.slowest = 0.0
        """Seconds for its slowest decision so far."""
        self._waiting: dict[int, int] = {}
        self._choices: dict[int, int] = {}
        self._seconds: dict[int, float] = {}
        self._first = 1
        self._since = 0.0
        self._limits = limits
        self._clock = asyncio.get_running_loop().time
        self._started = self._clock()
        self._transcript = Transcript()
        self._unheard: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._stream: Stream | None = None
        self._hung_up = asyncio.Event()
        self._process: Process | None = None
        self._server: grpc.aio.Server | None = None
        self._ended: asyncio.Future[Ending] | None = None

    # The two ends of the line

    async def play(self, _: AsyncIterator[bytes], stream: Stream) -> None:
        """Serve the one stream of the bot."""
        if self._stream:
            await refuse(stream, "SECOND_STREAM")
        self._stream = stream
        try:
            while len(self._unheard) < _MOST_UNHEARD:
                data = await stream.read()
                if not isinstance(data, bytes):
                    return
                self._note(FROM_BOT, data)
                self._unheard.append(data)
                self._news.set()
        finally:
            self._hung_up.set()
            self._news.set()

    def attend(self, process: Process, server: grpc.aio.Server) -> None:
        """Take the process that was started, and hear of its end."""
        self._process = process
        self._server = server
        self._ended = asyncio.ensure_future(_end_of(process))
        self._ended.add_done_callback(lambda _: self._news.set())

    def evidence(self) -> TranscriptEvidence:
        """Return all that was said and written so far."""
        process, ended = self._process, self._ended
        ending = ended.result().detail if ended and ended.done() else ""
        return TranscriptEvidence(
            self._transcript.messages, process.output() if process else b"", ending
        )

    def _note(self, way: str, data: bytes) -> None:
        self._transcript.note(Message(self._clock() - self._started, way, data))

    # Speaking and hearing

    async def say(self, data: bytes) -> None:
        """Send a message; that nobody is there to get it is found out by listening."""
        self._note(TO_BOT, data)
        if self._stream and not self._hung_up.is_set():
            with suppress(grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
                await self._stream.write(data)

    async def hear(self, seconds: float, late: Violation) -> bytes | Violation:
        """Wait for the next message; what else happens is a misdeed, such as being late.

        Time in which the bot could have run and got no processor is given back.
        """
        assert self._process
        end, least = self._clock() + seconds, self._process.waited_seconds()
        latest = end + STARVED * seconds
        while not self._unheard:
            if self._gone:
                return await self._last_words()
            if self._clock() >= end:
                waited = self._process.waited_seconds()
                if waited <= least or end >= latest:
                    return late
                end, least = min(latest, end + waited - least), waited
            self._news.clear()
            await self._hear_news(end - self._clock())
        return self._unheard.popleft()

    @property
    def _gone(self) -> bool:
        return self._hung_up.is_set() or bool(self._ended and self._ended.done())

    async def _hear_news(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0, seconds)):
                await self._news.wait()

    async def _last_words(self) -> bytes | Violation:
        """Learn how the bot left: a process's end and its stream's come together."""
        await self._until_gone(_LAST_WORDS)
        if self._unheard:
            return self._unheard.popleft()
        assert self._ended
        return blame(self._ended.result() if self._ended.done() else None)

    async def _until_gone(self, seconds: float) -> bool:
        """Wait for the end of both the process and its stream, if it has one."""
        assert self._ended
        hung_up = asyncio.ensure_future(self._hung_up.wait())
        both = (self._ended, hung_up) if self._stream else (self._ended,)
        _, missing = await asyncio.wait(both, timeout=seconds)
        hung_up.cancel()
        return not missing

    # The conversation

    async def hello(self) -> bytes | Violation:
        """Wait for the first message."""
        limit = self._limits.ready
        late = Violation(fault.NEVER_READY, fault.no_hello_within(limit))
        return await self.hear(limit, late)

    async def ask(
        self, frame: bytes, turns: Mapping[int, int], needed: Collection[int] | None = None
    ) -> Answered | Violation:
        """Send a frame, and wait until its turns are answered.

        Args:
            frame: the message.
            turns: how many legal actions each of its turns has.
            needed: the turns to wait for; all of them if left out.
        """
        while self._unheard:
            if misdeed := self._take(self._unheard.popleft()):
                return misdeed
        self._waiting, self._first = dict(turns), min(turns)
        left = set(turns if needed is None else needed)
        limit = self._limits.decision + (GRACE if len(turns) > 1 else 0)
        late = Violation(fault.DECISION_TIMEOUT, fault.no_decision_within(self._limits.decision))
        self._choices, self._seconds = {}, {}
        pieces = 0
        await self.say(frame)
        self._since = self._clock()
        while not left <= self._choices.keys():
            data = await self.hear(limit, late)
            if isinstance(data, Violation):
                return data
            if misdeed := self._take(data):
                return misdeed
            pieces += 1
            if pieces > len(turns) + _SPARE:
                return Violation(fault.PROTOCOL_ERROR, fault.MORE_THAN_TURNS)
        return Answered(self._choices, self._seconds, pieces)

    def _take(self, data: bytes) -> Violation | None:
        """Write an answer down, unless it is wrong."""
        said = understood(data)
        if isinstance(said, Violation):
            return said
        if misdeed := wrong(said, self._waiting, self._first):
            return misdeed
        now = self._clock()
        for turn, choice in zip(said.turn_ids, said.choices, strict=True):
            if self._waiting.pop(turn, None) is not None:
                self._choices[turn] = choice
                self._seconds[turn] = (now - self._since) / len(said.turn_ids)
        self.slowest = max((self.slowest, *self._seconds.values()))
        self._since = now
        return None

    async def rest(self, seconds: float) -> float | Violation:
        """Ask nothing for a while; give the processor time the bot used meanwhile.

        Who computes is watched for longer: on a busy machine it takes a while to show how much.
        """
        assert self._process
        cpu, began, used = self._process.cpu_seconds(), self._clock(), 0.0
        end = began + seconds
        while self._unheard or self._gone or self._clock() < end:
            if self._unheard or self._gone:
                said = await self.hear(0, Violation(fault.DISCONNECTED, "fell silent"))
                if misdeed := said if isinstance(said, Violation) else self._take(said):
                    return misdeed
            self._news.clear()
            await self._hear_news(end - self._clock())
            used = self._process.cpu_seconds() - cpu
            if used > IDLE_SECONDS + IDLE_SHARE * (self._clock() - began):
                return Violation(fault.CPU_LIMIT, fault.COMPUTED_UNASKED)
            if used > _SUSPICIOUS * seconds:
                end = began + _LONGER * seconds
        return used

    async def hang_up(self) -> None:
        """End the stream without a word."""
        assert self._server
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                await self._server.stop(None)

    async def left_within(self, seconds: float) -> Ending | None:
        """Wait for the bot to close its side and end; None if it does not."""
        assert self._ended
        return self._ended.result() if await self._until_gone(seconds) else None


@asynccontextmanager
async def conversation(
    launcher: Launcher, limits: TimeLimits, seat: Seat
) -> AsyncIterator[Conversation]:
    """Start the bot in a seat, and listen to it; in the end it is stopped."""
    with own_directory(Path(gettempdir()), "upcard-seats-") as directory:
        socket = directory / "seat"
        talk = Conversation(limits)
        async with serve_socket(talk.play, socket) as server:
            process = await launcher.start(0, seat, socket, talk.token)
            try:
                talk.attend(process, server)
                yield talk
            finally:
                await process.stop()


async def _end_of(process: Process) -> Ending:
    return await process.ended

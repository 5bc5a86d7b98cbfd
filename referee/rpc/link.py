"""The link to one process of a bot: its start, its one stream, its transcript and its end.

A session and an examination both speak to bots through links, so that what a bot says and how it
leaves is judged in one place. Each message is judged as it arrives, and none is stored but for the
transcript; so whatever a bot sends, it fills no queue.
"""

import asyncio
import secrets
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import thread_time
from typing import Final, NoReturn, Protocol

import grpc

from referee.arena import fault
from referee.arena.fault import FaultKind, Violation
from referee.engine.cards import Seat
from referee.rpc import codec
from referee.rpc.judging import blame, judge_hello, judge_message
from referee.rpc.launcher import Ending, Launcher, Process
from referee.rpc.refusal import refuse
from referee.rpc.relay import Relay
from referee.rpc.server import Stream
from referee.rpc.transcript import (
    FROM_BOT,
    TO_BOT,
    Message,
    Transcript,
    TranscriptEvidence,
    bounded_evidence,
)

_STARTING: Final = 60.0
"""Seconds the machine has to start a process."""
_LAST_WORDS: Final = 1.0
"""Seconds for which the end of a stream waits for the process's, and the other way about."""
_FAREWELL: Final = 1.0
"""Seconds a bot has to leave after the goodbye."""
WRITING: Final = 30.0
"""Seconds a bot may leave unread what it is sent."""
_MOST_REFUSED: Final = 8
"""Streams beside its own that a bot may try."""
MOST_UNREAD: Final = 32 << 20
"""Bytes a bot may leave unread: twice the largest message that an SDK takes. A frame of 256 turns
of euchre has a thousandth of it."""
_MOST_EVIDENCE: Final = 8
"""Faults of a kind of which evidence is taken; one a session is made a bundle of."""
_RECORDED: Final = 4096
"""Bytes of each message of a bot in its transcript; one with 256 answers is shorter."""


class Listener(Protocol):
    """Who is notified of what a bot does."""

    def joined(self, hello: codec.Hello) -> None:
        """Handle the hello of a bot that is ready."""

    def answered(self, answers: codec.Answers) -> None:
        """Handle a message with answers."""

    def failed(self, violation: Violation) -> None:
        """Handle a bot that broke a rule, and cannot go on."""

    def leaves(self) -> None:
        """Note that the bot is gone; how, and so whose fault it is, follows in a moment."""

    def lost(self, reason: str) -> None:
        """Handle a bot that is gone through nobody's fault."""


class Link:
    """One process of a bot, from its start to its end, and the one stream it opens."""

    def __init__(self, listener: Listener, relay: Relay) -> None:
        """Begin without a process; it will dial the relay's socket."""
        self.token = secrets.token_hex(16)
        self.process: Process | None = None
        self.hello = b""
        """The first message, whatever it is."""
        self.hello_seconds = 0.0
        """When it came, since the process was started."""
        self.abandoned = asyncio.Event()
        """Set once nothing this bot does counts any more."""
        self.hung_up = asyncio.Event()
        """Set once its stream has ended."""
        self._listener = listener
        self._relay = relay
        self._clock = asyncio.get_running_loop().time
        self._started = self._clock()
        self._transcript = Transcript()
        self._ending = ""
        self._evidence_taken = False
        self._faults: Counter[FaultKind] = Counter()
        self._stream: Stream | None = None
        self._refused: Violation | None = None
        """Why its stream was refused."""
        self._refused_streams = 0
        self._spent = 0.0
        self._outbox: deque[bytes] = deque()
        self._unread = 0
        """Bytes of the outbox."""
        self._writer: asyncio.Task[None] | None = None
        self._writing_since = 0.0
        self._trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """What went wrong on our own side."""

    # The process

    async def start(self, launcher: Launcher, entrant: int, seat: Seat, socket: Path) -> None:
        """Start the bot of an entrant for a seat."""
        self._relay.expect(self._flooded)
        async with asyncio.timeout(_STARTING):
            self.process = await launcher.start(entrant, seat, socket, self.token)

    async def watch(self) -> None:
        """Wait until the bot is gone or abandoned, and report how it left.

        Raises:
            Exception: what went wrong on our own side.
        """
        leaving = asyncio.ensure_future(self._report_end())
        abandoned = asyncio.ensure_future(self.abandoned.wait())
        try:
            done, _ = await asyncio.wait(
                (leaving, abandoned, self._trouble), return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                task.result()
        finally:
            abandoned.cancel()
            leaving.cancel()

    async def left(self, seconds: float | None = None) -> Ending | None:
        """Wait for the end of both process and stream; return how it ended, None if it has not."""
        ended, hung_up = self._ends()
        both = (ended, hung_up) if self._stream else (ended,)
        try:
            _, missing = await asyncio.wait(both, timeout=seconds)
            return None if missing else ended.result()
        finally:
            ended.cancel()
            hung_up.cancel()

    async def stop(self) -> None:
        """Stop the process to its end, though the caller is cancelled meanwhile."""
        if self.process is None:
            return
        stopping = asyncio.ensure_future(self.process.stop())
        try:
            await asyncio.shield(stopping)
        except asyncio.CancelledError:
            await stopping
            raise

    def _ends(self) -> tuple[asyncio.Future[Ending], asyncio.Future[bool]]:
        assert self.process
        return (
            asyncio.ensure_future(_end_of(self.process)),
            asyncio.ensure_future(self.hung_up.wait()),
        )

    async def _report_end(self) -> None:
        """Report how the bot left: a process's end and its stream's come together."""
        ended, hung_up = self._ends()
        try:
            await asyncio.wait((ended, hung_up), return_when=asyncio.FIRST_COMPLETED)
            if not self.abandoned.is_set():
                self._listener.leaves()
            both = (ended, hung_up) if self._stream else (ended,)
            await asyncio.wait(both, timeout=_LAST_WORDS)
            if not self.abandoned.is_set():
                self._judge_end(ended.result() if ended.done() else None)
        finally:
            ended.cancel()
            hung_up.cancel()

    def _judge_end(self, ending: Ending | None) -> None:
        if ending:
            self._ending = ending.detail
        if ending and ending.how == "vanished":
            self._listener.lost(ending.detail)
        else:
            self._listener.failed(self._refused or blame(ending))

    def freeze(self) -> None:
        """Stop the process from running until it is thawed."""
        if self.process:
            self.process.freeze()

    def thaw(self) -> None:
        """Resume the process."""
        if self.process:
            self.process.thaw()

    def cpu_seconds(self) -> float:
        """Return the processor time the process has used."""
        with self._spending():
            return self.process.cpu_seconds() if self.process else 0.0

    def waited_seconds(self) -> float:
        """Return the time the process could have run and got no processor."""
        with self._spending():
            return self.process.waited_seconds() if self.process else 0.0

    def referee_seconds(self) -> float:
        """Return the processor time that reading and watching the bot took the referee."""
        return self._spent + (self.process.watching_seconds() if self.process else 0.0)

    @contextmanager
    def _spending(self) -> Iterator[None]:
        """Count the processor time of what is done as work for this bot."""
        began = thread_time()
        try:
            yield
        finally:
            self._spent += thread_time() - began

    def cores(self) -> int:
        """Return on how many processors the process may run at once."""
        return self.process.cores() if self.process else 1

    def created_since(self, moment: float) -> int:
        """Return how many processes the process has created since a moment."""
        return self.process.created_since(moment) if self.process else 0

    # The stream

    async def serve(self, stream: Stream) -> None:
        """Serve a stream that the bot opened: the first one to its end, any other is refused."""
        if self._stream:
            await self._refuse_another(stream)
        self._stream = stream
        try:
            if await self._greet(stream):
                await self._listen(stream)
        except (asyncio.CancelledError, asyncio.InvalidStateError):
            pass  # the bot is gone, which `watch` reports, and is no trouble of gRPC's
        except grpc.aio.BaseError:
            raise
        except Exception as error:  # noqa: BLE001 (what is wrong with us is not to be blamed on a bot)
            self._note_trouble(error)
        finally:
            self.hung_up.set()

    def send(self, data: bytes) -> None:
        """Send a message; one that nobody is there to get is dropped."""
        if self._stream is None or self.hung_up.is_set():
            return
        self._transcript.note(Message(self._clock() - self._started, TO_BOT, data))
        self._relay.sends(len(data))
        self._outbox.append(data)
        self._unread += len(data)
        if self._writer is None:
            self._writing_since = self._clock()
            self._writer = asyncio.ensure_future(self._write(self._stream))

    def tick(self) -> None:
        """Report a bot that does not read what it is sent; to be called now and then."""
        if self._writer and self._clock() - self._writing_since > WRITING:
            self._stop_writing(self._writer, f"read nothing for {WRITING:g} s")
        elif self._writer and self._unread > MOST_UNREAD:
            self._stop_writing(self._writer, f"left more than {MOST_UNREAD} bytes unread")

    def _stop_writing(self, writer: asyncio.Task[None], why: str) -> None:
        writer.cancel()
        self._drop_unread()
        self._fail(Violation(fault.DISCONNECTED, why))

    def _drop_unread(self) -> None:
        self._outbox.clear()
        self._unread = 0

    async def say_goodbye(self) -> None:
        """Say goodbye, and wait a moment for the bot to close the stream."""
        self.thaw()
        self.send(codec.GOODBYE)
        if self._stream:
            with suppress(TimeoutError):
                async with asyncio.timeout(_FAREWELL):
                    await self.hung_up.wait()

    async def _refuse_another(self, stream: Stream) -> NoReturn:
        self._refused_streams += 1
        if self._refused_streams > _MOST_REFUSED:
            self._fail(Violation(fault.PROTOCOL_ERROR, "opened stream after stream"))
        await refuse(stream, "SECOND_STREAM")

    async def _greet(self, stream: Stream) -> bool:
        data = await self._read(stream)
        if data is None:
            return False
        self.hello, self.hello_seconds = data, self._clock() - self._started
        hello = judge_hello(data, self.token)
        if isinstance(hello, Violation):
            # Reported once the bot has left: who is stopped before does not read why.
            self._refused = hello
            await refuse(stream, hello.refusal)
        elif not self.abandoned.is_set():
            self._listener.joined(hello)
        return True

    async def _listen(self, stream: Stream) -> None:
        while (data := await self._read(stream)) is not None:
            if self.abandoned.is_set():
                return
            with self._spending():
                said = judge_message(data)
            if isinstance(said, Violation):
                self._listener.failed(said)
            else:
                self._listener.answered(said)

    async def _read(self, stream: Stream) -> bytes | None:
        data = await stream.read()
        if not isinstance(data, bytes):
            return None
        seconds, left_out = self._clock() - self._started, max(0, len(data) - _RECORDED)
        self._transcript.note(Message(seconds, FROM_BOT, data[:_RECORDED], left_out))
        return data

    async def _write(self, stream: Stream) -> None:
        try:
            while self._outbox:
                self._writing_since = self._clock()
                message = self._outbox.popleft()
                self._unread -= len(message)
                await stream.write(message)
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            self._drop_unread()  # the bot has gone, which its reader finds out
        finally:
            self._writer = None

    def _flooded(self, what: str) -> None:
        """Report a flood; what goes wrong with us meanwhile is raised where the end is awaited."""
        try:
            self._fail(Violation(fault.PROTOCOL_ERROR, what))
        except Exception as error:  # noqa: BLE001 (the event loop, which calls this, would drop it)
            self._note_trouble(error)

    def _note_trouble(self, error: Exception) -> None:
        if not self._trouble.done():
            self._trouble.set_exception(error)

    def _fail(self, violation: Violation) -> None:
        if not self.abandoned.is_set():
            self._listener.failed(violation)

    # What is known of it

    def evidence(self) -> TranscriptEvidence:
        """Return what is known of the process: everything the first time, later the end of it."""
        output = self.process.output() if self.process else b""
        evidence = bounded_evidence(self._transcript.messages, output, self._ending)
        if self._evidence_taken:
            return evidence.tail()
        self._evidence_taken = True
        return evidence

    def evidence_of(self, kind: FaultKind) -> TranscriptEvidence | None:
        """Return what is known of the process, for the first faults of a kind only.

        A bot that goes on after a fault may commit many thousands; so what is kept of them is
        bounded for the process, not only for each fault.
        """
        self._faults[kind] += 1
        return self.evidence() if self._faults[kind] <= _MOST_EVIDENCE else None


async def _end_of(process: Process) -> Ending:
    return await asyncio.shield(process.ended)

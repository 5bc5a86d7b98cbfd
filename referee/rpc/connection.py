"""One place's line to its bot: the process, the stream, and what was said on it."""

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

import grpc

from referee.arena import fault
from referee.arena.fault import FaultKind
from referee.arena.limits import Terms
from referee.arena.place import Place
from referee.arena.player import Closed, Opened, Turn
from referee.arena.session import Session
from referee.errors import ConfigError, UpcardError
from referee.rpc import codec
from referee.rpc.judging import Violation, blame, received, understood
from referee.rpc.launcher import Ending, Launcher, Process
from referee.rpc.refusal import refuse
from referee.rpc.server import Stream
from referee.rpc.transcript import FROM_BOT, TO_BOT, Message, Transcript, TranscriptEvidence

_LAST_WORDS: Final = 1.0
"""Seconds for which the end of a stream waits for the process's, and the other way about."""
_STARTING: Final = 60.0
"""Seconds the machine has to start a process."""
_MOST_REFUSED: Final = 8
"""Streams beside its own that a bot may try."""
_KEPT: Final = 4096
"""Bytes of each message of a bot; one with 256 answers is shorter."""
_FAREWELL: Final = 1.0
"""Seconds a bot has to leave after the goodbye."""


class _Life:
    """One process of a place, from its start to its end."""

    def __init__(self, now: float) -> None:
        self.started = now
        self.token = secrets.token_hex(16)
        self.process: Process | None = None
        self.stream: Stream | None = None
        self.refused_streams = 0
        self.trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """What went wrong on our own side."""
        self.hung_up = asyncio.Event()
        self.replaced = asyncio.Event()
        self.ending = ""
        self.transcript = Transcript()
        self.outbox: deque[bytes] = deque()
        self.writer: asyncio.Task[None] | None = None


class SessionContext(NamedTuple):
    """What all lines of a session share."""

    session: Session
    terms: Terms
    launcher: Launcher
    deal_out: Callable[[], None]
    """To be called when there may be something to hand out."""


class Connection:
    """The arena's player over gRPC."""

    def __init__(self, shared: SessionContext, place: Place, socket: Path) -> None:
        """Take the place it serves, and where its bot will dial."""
        self.socket = socket
        self._shared = shared
        self._session = shared.session
        self._place = place
        self._clock = asyncio.get_running_loop().time
        self._life = _Life(self._clock())

    # What the session asks

    def send(
        self, opened: Sequence[Opened], turns: Sequence[Turn], closed: Sequence[Closed]
    ) -> None:
        """Hand a frame to the bot."""
        encode = codec.encode_turn
        self._write(codec.encode_frame(opened, [encode(*turn) for turn in turns], closed))

    def tell_fault(self, kind: str, table: int, turn: int, explanation: str) -> None:
        """Let the author know what her bot did wrong."""
        self._write(codec.encode_fault(kind, table, turn, explanation))

    def restart(self) -> None:
        """Give the process up; another is started."""
        self._life.replaced.set()

    def freeze(self) -> None:
        """Let the process not run until it is thawed."""
        if self._life.process:
            self._life.process.freeze()

    def thaw(self) -> None:
        """Let the process run again."""
        if self._life.process:
            self._life.process.thaw()

    def cpu_seconds(self) -> float:
        """Return the processor time the process has used."""
        process = self._life.process
        return process.cpu_seconds() if process else 0.0

    def waited_seconds(self) -> float:
        """Return the time the process could have run and got no processor."""
        process = self._life.process
        return process.waited_seconds() if process else 0.0

    def evidence(self) -> TranscriptEvidence:
        """Return what was kept of the process."""
        life = self._life
        output = life.process.output() if life.process else b""
        return TranscriptEvidence(life.transcript.messages, output, life.ending)

    # The process

    async def live(self) -> None:
        """Start the bot, and start it again as long as the session gives it up."""
        life = self._life
        while True:
            try:
                await self._spend(life)
            finally:
                if life.process:
                    await _stopped(life.process)
            await life.replaced.wait()
            life = self._life = _Life(self._clock())

    async def _spend(self, life: _Life) -> None:
        try:
            life.process = await self._start(life)
        except ConfigError:
            raise
        except (UpcardError, OSError, TimeoutError) as error:
            self._session.lost(self._place, f"its sandbox could not be started: {error}")
            return
        self._session.started(self._place)
        gone = asyncio.ensure_future(self._gone(life, life.process))
        replaced = asyncio.ensure_future(life.replaced.wait())
        try:
            done, _ = await asyncio.wait(
                (gone, replaced, life.trouble), return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                task.result()
        finally:
            replaced.cancel()
            gone.cancel()

    async def _start(self, life: _Life) -> Process:
        place = self._place
        async with asyncio.timeout(_STARTING):
            return await self._shared.launcher.start(
                place.entrant, place.seat, self.socket, life.token
            )

    async def _gone(self, life: _Life, process: Process) -> None:
        """Tell the session how the bot left: a process's end and its stream's come together."""
        ended = asyncio.ensure_future(_end_of(process))
        hung_up = asyncio.ensure_future(life.hung_up.wait())
        try:
            await asyncio.wait((ended, hung_up), return_when=asyncio.FIRST_COMPLETED)
            if self._is_heard(life):
                self._session.leaves(self._place)
            both = (ended, hung_up) if life.stream else (ended,)
            await asyncio.wait(both, timeout=_LAST_WORDS)
            if not self._is_heard(life):
                return
            self._report(life, ended.result() if ended.done() else None)
            self._shared.deal_out()
        finally:
            ended.cancel()
            hung_up.cancel()

    def _report(self, life: _Life, ending: Ending | None) -> None:
        if ending:
            life.ending = ending.detail
        if ending and ending.how == "vanished":
            self._session.lost(self._place, ending.detail)
            return
        misdeed = blame(ending)
        self._session.failed(self._place, misdeed.kind, misdeed.explanation)

    # The stream

    async def play(self, _: AsyncIterator[bytes], stream: Stream) -> None:
        """Serve the one stream of a bot."""
        life = self._life
        if life.stream:
            await self._refuse_another(life, stream)
        life.stream = stream
        try:
            await self._greet(life, stream)
            await self._listen(life, stream)
        except (asyncio.CancelledError, asyncio.InvalidStateError):
            pass  # the bot is gone, which is told below and is no trouble of gRPC's
        except grpc.aio.BaseError:
            raise
        except Exception as error:  # noqa: BLE001 (what is wrong with us is not to be blamed on a bot)
            life.trouble.set_exception(error)
        finally:
            life.hung_up.set()

    async def _refuse_another(self, life: _Life, stream: Stream) -> NoReturn:
        life.refused_streams += 1
        if life.refused_streams > _MOST_REFUSED:
            self._failed(life, fault.PROTOCOL_ERROR, "opened stream after stream")
        await refuse(stream, "SECOND_STREAM")

    def _is_heard(self, life: _Life) -> bool:
        """Return whether what a life says still counts."""
        return life is self._life and not life.replaced.is_set()

    async def _greet(self, life: _Life, stream: Stream) -> None:
        data = await self._read(life, stream)
        if data is None:
            return
        hello = received(data, life.token)
        if isinstance(hello, Violation):
            self._failed(life, hello.kind, hello.explanation)
            await refuse(stream, hello.refusal)
        elif self._is_heard(life):
            tables = min(hello.tables or 1, self._shared.terms.tables)
            welcome = codec.encode_welcome(self._shared.terms, self._place.seat, tables)
            self._write(welcome)
            self._session.joined(self._place, tables)
            self._shared.deal_out()

    async def _listen(self, life: _Life, stream: Stream) -> None:
        session, place = self._session, self._place
        while (data := await self._read(life, stream)) is not None:
            if not self._is_heard(life):
                return
            said = understood(data)
            if isinstance(said, Violation):
                session.failed(place, said.kind, said.explanation)
            else:
                session.answered(place, said.turn_ids, said.choices)
            self._shared.deal_out()

    async def _read(self, life: _Life, stream: Stream) -> bytes | None:
        data = await stream.read()
        if not isinstance(data, bytes):
            return None
        seconds, left_out = self._clock() - life.started, max(0, len(data) - _KEPT)
        life.transcript.note(Message(seconds, FROM_BOT, data[:_KEPT], left_out))
        return data

    def _failed(self, life: _Life, kind: FaultKind, why: str) -> None:
        if self._is_heard(life):
            self._session.failed(self._place, kind, why)
            self._shared.deal_out()

    def _write(self, data: bytes) -> None:
        life = self._life
        if life.stream is None or life.hung_up.is_set():
            return
        life.transcript.note(Message(self._clock() - life.started, TO_BOT, data))
        life.outbox.append(data)
        if life.writer is None:
            life.writer = asyncio.ensure_future(_drain(life, life.stream))

    async def say_goodbye(self) -> None:
        """End the stream in good order; whoever does not leave is killed."""
        life = self._life
        self.thaw()
        self._write(codec.GOODBYE)
        if life.stream:
            with suppress(TimeoutError):
                async with asyncio.timeout(_FAREWELL):
                    await life.hung_up.wait()


async def _drain(life: _Life, stream: Stream) -> None:
    try:
        while life.outbox:
            await stream.write(life.outbox.popleft())
    except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
        life.outbox.clear()  # it has gone, which its reader finds out
    finally:
        life.writer = None


async def _end_of(process: Process) -> Ending:
    return await asyncio.shield(process.ended)


async def _stopped(process: Process) -> None:
    """Stop a process to its end, though the session ends meanwhile."""
    stopping = asyncio.ensure_future(process.stop())
    try:
        await asyncio.shield(stopping)
    except asyncio.CancelledError:
        await stopping
        raise

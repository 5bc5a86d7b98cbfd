"""One bot that is asked outside of any match, over the link and by the clock of a session."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from referee.arena import fault
from referee.arena.clock import TICK, Bank, Blameless, Clock, Ticks, Untimed, caused
from referee.arena.fault import Violation, judge_choice
from referee.arena.limits import MOST_VOIDS, TimeLimits
from referee.arena.open_turns import OpenTurns
from referee.engine.cards import Seat
from referee.errors import VoidError
from referee.rpc import codec
from referee.rpc.launcher import Ending, Launcher
from referee.rpc.link import Link
from referee.rpc.relay import Relay
from referee.rpc.server import Close, Stream, serve_seat, socket_directory

_Result = TypeVar("_Result")

_RESTING: Final = 0.01
"""The share of the processor that a bot at rest uses at most."""
_LONGEST: Final = 20
"""How many times as long a bot may be watched as it would be if it rested."""


class AskedDecision(NamedTuple):
    """What a turn is about, as far as its answer is judged by it."""

    legal: int
    """How many legal actions there are."""
    bank: Bank | None = None
    """The bank of the match, if there is one."""


class FrameAnswer(NamedTuple):
    """What a bot answered to a frame."""

    choices: Mapping[int, int]
    """By turn."""
    pieces: int


class ExaminedBot:
    """A bot in one seat, which is sent frames and judged as in a session."""

    close: Close
    """Ends the stream without a word."""

    def __init__(self, limits: TimeLimits, *, timed: bool) -> None:
        """Prepare to judge a bot by time limits, if its time counts."""
        self.relay = Relay()
        self.link = Link(self, self.relay)
        self.slowest = 0.0
        """Seconds for its slowest decision so far."""
        self._now = asyncio.get_running_loop().time
        self._clock = (Clock if timed else Untimed)(self.link, limits)
        self._ticks = Ticks(self._now())
        self._limits = limits
        self._work = 0.0
        self._turns: OpenTurns[AskedDecision] = OpenTurns()
        self._choices: dict[int, int] = {}
        self._pieces = 0
        self._leaving = False
        self._violation: Violation | None = None
        self._trouble: BaseException | None = None
        """Why it cannot be examined, through no fault of its own."""
        self._news = asyncio.Event()

    # What the bot does

    def joined(self, _: codec.Hello) -> None:
        """Note that the bot is ready."""
        self._clock.ready()
        self._news.set()

    def answered(self, answers: codec.Answers) -> None:
        """Judge a message with answers."""
        if self._ticks.is_overdue(self._now()):
            self._tick()
        now = self._now()
        answered, violation = self._turns.answer(answers.turn_ids, answers.choices)
        if answered:
            self._pieces += 1
            seconds = self._clock.piece(now) / len(answered)
            self.slowest = max(self.slowest, seconds)
            for turn, asked, choice in answered:
                self._choices[turn] = choice
                if wrong := _judge(asked, choice, seconds):
                    self.failed(wrong)
        if violation:
            self.failed(violation)
        elif not self._turns.open:
            self._clock.settle(now)
        self._news.set()

    def failed(self, violation: Violation) -> None:
        """Record a violation; only the first one counts."""
        self._violation = self._violation or violation
        self._news.set()

    def leaves(self) -> None:
        """Stop the clock: the bot is gone."""
        self._leaving = True

    def lost(self, reason: str) -> None:
        """Record that the bot is gone through nobody's fault."""
        self._fail_ourselves(VoidError(f"{reason}; run again"))

    def _tick(self) -> None:
        now = self._now()
        late = self._ticks.tick(now)
        self.link.tick()
        before, self._work = self._work, self.link.referee_seconds()
        if self._leaving or self._violation:
            return
        by_itself = caused(late, self._work - before, 0.0)
        if by_itself and late > self._limits.late:
            self.failed(Violation(fault.CPU_LIMIT, fault.kept_busy(late)))
            return
        verdict = self._clock.tick(now, 0.0 if by_itself else late)
        if isinstance(verdict, Violation):
            self.failed(verdict)
        elif isinstance(verdict, Blameless):
            self.lost(verdict.reason)

    def _fail_ourselves(self, trouble: BaseException) -> None:
        self._trouble = self._trouble or trouble
        self._news.set()

    # What it is asked

    async def hello(self) -> bytes | Violation:
        """Wait for the first message, whatever it is."""
        await self._until(lambda: bool(self.link.hello))
        if self.link.hello:
            return self.link.hello
        assert self._violation
        return self._violation

    async def ready(self) -> Violation | None:
        """Wait for the hello; return what is wrong with it, if anything is."""
        await self.hello()
        return self._violation

    async def ask(
        self,
        frame: bytes,
        turns: Mapping[int, AskedDecision],
        needed: Collection[int] | None = None,
    ) -> FrameAnswer | Violation:
        """Send a frame, and wait until its turns are answered.

        Args:
            frame: the message.
            turns: what each of its turns is about.
            needed: the turns to wait for; all of them if left out.
        """
        if self._violation:
            return self._violation
        self._choices, self._pieces = {}, 0
        self._turns.ask_numbered(turns)
        self._clock.ask(self._now(), len(turns))
        self.link.send(frame)
        left = set(turns if needed is None else needed)
        await self._until(lambda: left <= self._choices.keys())
        return self._violation or FrameAnswer(self._choices, self._pieces)

    async def rest(self, seconds: float) -> float | Violation:
        """Ask nothing for a while; return the processor time the bot used meanwhile.

        Who goes on computing is watched for longer: on a busy machine it takes a while to show.
        """
        cpu, used = self.link.cpu_seconds(), 0.0
        for times in range(1, _LONGEST + 1):
            await self._until(lambda: False, seconds)
            used = self.link.cpu_seconds() - cpu
            if self._violation or used <= _RESTING * times * seconds:
                break
        return self._violation or used

    async def left_within(self, seconds: float) -> Ending | None:
        """Wait for the bot to close its side and end; return None if it does not."""
        ending = await self.link.left(seconds)
        if ending and ending.how == "vanished":
            raise VoidError(f"{ending.detail}; run again")
        return ending

    async def _until(self, done: Callable[[], bool], seconds: float | None = None) -> None:
        """Wait until something is so, or the bot broke a rule, or the time is over.

        Raises:
            VoidError: the bot cannot be examined, through no fault of its own.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (done() or self._violation or self._trouble):
                    self._news.clear()
                    await self._news.wait()
        if self._trouble:
            raise self._trouble

    # Its life

    async def play(self, _: AsyncIterator[bytes], stream: Stream) -> None:
        """Serve a stream."""
        await self.link.serve(stream)

    async def start(self, launcher: Launcher, seat: Seat, socket: Path) -> None:
        """Start the bot, which dials the socket."""
        try:
            await self.link.start(launcher, 0, seat, socket)
        except TimeoutError:
            raise VoidError("its sandbox could not be started in time; run again") from None
        self._clock.start(self._now())

    async def watch(self) -> None:
        """Read the clock and await the end of the bot, until cancelled."""
        end = asyncio.ensure_future(self.link.watch())
        try:
            while True:
                await asyncio.sleep(TICK)
                self._tick()
                if end.done():
                    end.result()
        except Exception as error:  # noqa: BLE001 (`_until` raises it)
            self._fail_ourselves(error)
        finally:
            end.cancel()


async def repeat_void(attempt: Callable[[], Awaitable[_Result]]) -> _Result:
    """Return the result of an attempt, which is repeated if it failed through nobody's fault."""
    for _ in range(MOST_VOIDS - 1):
        with suppress(VoidError):
            return await attempt()
    return await attempt()


def _judge(asked: AskedDecision, choice: int, seconds: float) -> Violation | None:
    wrong = judge_choice(choice, asked.legal)
    return asked.bank.charge(seconds) if asked.bank and not wrong else wrong


@asynccontextmanager
async def examined_bot(
    launcher: Launcher, limits: TimeLimits, seat: Seat, *, timed: bool = True
) -> AsyncIterator[ExaminedBot]:
    """Start a bot in a seat; in the end it is stopped. Its time counts unless it is not `timed`."""
    with socket_directory() as directory:
        socket, bot = directory / "seat", ExaminedBot(limits, timed=timed)
        async with serve_seat(bot.play, socket, bot.relay) as bot.close:
            try:
                await bot.start(launcher, seat, socket)
                watching = asyncio.ensure_future(bot.watch())
                try:
                    yield bot
                finally:
                    watching.cancel()
            finally:
                await bot.link.stop()

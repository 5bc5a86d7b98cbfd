"""The lines of a report card, and the examiner that starts a bot for each of them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import NamedTuple

from referee.arena import fault
from referee.arena.fault import Violation
from referee.arena.limits import Terms, TimeLimits
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.examination.examined_bot import ExaminedBot, examined_bot, repeat_void
from referee.rpc import codec
from referee.rpc.launcher import Launcher
from referee.rpc.transcript import TranscriptEvidence

PASS, FAIL, WARN, SKIP = "pass", "fail", "warn", "skip"

CheckOutcome = str | Violation
"""What the card says of a check that passed, or the rule that was broken."""
Scenario = Callable[[ExaminedBot], Awaitable[CheckOutcome]]


class Check(NamedTuple):
    """A line of the card: one thing that was tried."""

    name: str
    verdict: str
    says: str
    evidence: TranscriptEvidence | None = None
    """What was said, where something was wrong."""


class Examiner:
    """Starts one bot anew for each scenario, and records what comes of it."""

    def __init__(self, launcher: Launcher, limits: TimeLimits, tables: int) -> None:
        """Examine a bot that a launcher starts, under time limits, at so many tables at most."""
        self.launcher = launcher
        self.limits = limits
        self.tables = tables
        self.slowest = 0.0
        """Seconds for its slowest decision."""
        self.too_slow: Check | None = None
        """The first time that it took too long."""

    async def check(self, name: str, game: Game, seat: Seat, scenario: Scenario) -> Check:
        """Play a scenario with one bot; return the line for it."""

        async def attempt() -> Check:
            async with self.start(seat) as bot:
                outcome = await self.greet(bot, game, seat) or await scenario(bot)
                return self.record(name, outcome, bot)

        return await repeat_void(attempt)

    def start(self, seat: Seat) -> AbstractAsyncContextManager[ExaminedBot]:
        """Start the bot in a seat."""
        return examined_bot(self.launcher, self.limits, seat)

    @asynccontextmanager
    async def start_all(self, game: Game) -> AsyncIterator[list[ExaminedBot]]:
        """Start the bot in every seat of a game."""
        async with AsyncExitStack() as stack:
            seats = range(len(game.seats))
            yield [await stack.enter_async_context(self.start(seat)) for seat in seats]

    async def greet(self, bot: ExaminedBot, game: Game, seat: Seat) -> Violation | None:
        """Wait for its hello, and welcome it; return what is wrong, if anything is."""
        if violation := await bot.ready():
            return violation
        terms = Terms(game, self.limits, tables=self.tables)
        bot.link.send(codec.encode_welcome(terms, seat, self.tables))
        return None

    def record(self, name: str, outcome: CheckOutcome, bot: ExaminedBot) -> Check:
        """Return the line for an outcome, and note how slow the bot was."""
        self.slowest = max(self.slowest, bot.slowest)
        if isinstance(outcome, str):
            return Check(name, PASS, outcome)
        check = Check(name, FAIL, violation_text(outcome), bot.link.evidence())
        if outcome.kind == fault.DECISION_TIMEOUT:
            self.too_slow = self.too_slow or check
        return check


def violation_text(violation: Violation) -> str:
    """Return what was wrong, in words."""
    return f"{violation.kind}: {violation.explanation}"

"""The lines of a report card, and the examiner that starts bots for them."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import NamedTuple

from referee.arena import fault
from referee.arena.fault import Violation
from referee.arena.limits import Terms, TimeLimits
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.examination.asking import Asker
from referee.examination.examined_bot import ExaminedBot, examined_bot, repeat_void
from referee.rpc import codec
from referee.rpc.launcher import Launcher
from referee.rpc.transcript import TranscriptEvidence

PASS, FAIL, WARN, SKIP = "pass", "fail", "warn", "skip"


class NotTried(NamedTuple):
    """Why something was not tried."""

    reason: str


CheckOutcome = str | Violation | NotTried
"""What the card says of a check that passed, the rule that was broken, or why it was not tried."""
Scenario = Callable[[Asker], Awaitable[CheckOutcome]]


class Check(NamedTuple):
    """A line of the card: one thing that was tried."""

    name: str
    verdict: str
    says: str
    evidence: TranscriptEvidence | None = None
    """What was said, where something was wrong."""


class Examiner:
    """Starts a bot, plays scenarios with it, and records what comes of them."""

    def __init__(self, launcher: Launcher, limits: TimeLimits, tables: int) -> None:
        """Examine a bot that a launcher starts, under time limits, at so many tables at most."""
        self.launcher = launcher
        self.limits = limits
        self.tables = tables
        self.slowest = 0.0
        """Seconds for its slowest decision."""
        self.too_slow: Check | None = None
        """The first time that it took too long."""

    async def check(
        self,
        game: Game,
        seat: Seat,
        scenarios: Iterable[tuple[str, Scenario]],
        report: Callable[[Check], None],
    ) -> None:
        """Report the line of each scenario, by its name.

        One bot plays them all, one after the other. Once it has failed at one, each of the others
        has a bot of its own, so that no failure is taken for another.
        """
        left, failed = deque(scenarios), False

        async def attempt() -> None:
            nonlocal failed
            async with self.start(seat) as bot:
                asker, refused = Asker(bot), await self.greet(bot, game, seat)
                while left:
                    name, scenario = left[0]
                    bot.slowest = 0.0
                    check = self.record(name, refused or await scenario(asker), bot)
                    left.popleft()
                    report(check)
                    failed = failed or check.verdict == FAIL
                    if failed:
                        return
                    asker.close_all()

        while left:
            await repeat_void(attempt)

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
        if isinstance(outcome, NotTried):
            return Check(name, SKIP, outcome.reason)
        check = Check(name, FAIL, violation_text(outcome), bot.link.evidence())
        if outcome.kind == fault.DECISION_TIMEOUT:
            self.too_slow = self.too_slow or check
        return check


def violation_text(violation: Violation) -> str:
    """Return what was wrong, in words."""
    return f"{violation.kind}: {violation.explanation}"

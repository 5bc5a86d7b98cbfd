"""The lines of a report card, and the desk at which a bot is examined for each."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import NamedTuple

from referee.arena import fault
from referee.arena.limits import Terms, TimeLimits
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.rpc import codec
from referee.rpc.conversation import Conversation, conversation
from referee.rpc.judging import Violation, received
from referee.rpc.launcher import Launcher
from referee.rpc.transcript import TranscriptEvidence

PASS, FAIL, WARN, SKIP = "pass", "fail", "warn", "skip"

CheckOutcome = str | Violation
"""What there is to say of a line that passed, or what was wrong."""
Scenario = Callable[[Conversation], Awaitable[CheckOutcome]]


class Check(NamedTuple):
    """A line of the card."""

    name: str
    verdict: str
    says: str
    evidence: TranscriptEvidence | None = None
    """What was said, where something was wrong."""


class Examiner:
    """Where a bot sits, started anew for each scenario."""

    def __init__(self, launcher: Launcher, limits: TimeLimits, tables: int) -> None:
        """Take how it is started, how long it may take, and its tables."""
        self.launcher = launcher
        self.limits = limits
        self.tables = tables
        self.slowest = 0.0
        """Seconds for its slowest decision."""
        self.too_slow: Check | None = None
        """The first time that it took too long."""

    async def line(self, name: str, game: Game, seat: Seat, scenario: Scenario) -> Check:
        """Play a scenario with one bot, and mark it."""
        async with self.seated(seat) as talk:
            outcome = await self.greet(talk, game, seat) or await scenario(talk)
            return self.mark(name, outcome, talk)

    def seated(self, seat: Seat) -> AbstractAsyncContextManager[Conversation]:
        """Start the bot in a seat."""
        return conversation(self.launcher, self.limits, seat)

    @asynccontextmanager
    async def four(self) -> AsyncIterator[list[Conversation]]:
        """Start the bot in every seat."""
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(self.seated(seat)) for seat in range(4)]

    async def greet(self, talk: Conversation, game: Game, seat: Seat) -> Violation | None:
        """Wait for its hello, and receive it."""
        hello = await talk.hello()
        judged = hello if isinstance(hello, Violation) else received(hello, talk.token)
        if isinstance(judged, Violation):
            return judged
        terms = Terms(game, self.limits, tables=self.tables)
        await talk.say(codec.encode_welcome(terms, seat, self.tables))
        return None

    def mark(self, name: str, outcome: CheckOutcome, talk: Conversation) -> Check:
        """Write a line, and note how slow the bot was."""
        self.slowest = max(self.slowest, talk.slowest)
        if isinstance(outcome, str):
            return Check(name, PASS, outcome)
        mark = Check(name, FAIL, violation_text(outcome), talk.evidence())
        if outcome.kind == fault.DECISION_TIMEOUT:
            self.too_slow = self.too_slow or mark
        return mark


def violation_text(misdeed: Violation) -> str:
    """Return what was wrong."""
    return f"{misdeed.kind}: {misdeed.explanation}"

"""A session with bots made of nothing, and a clock that only moves when a test says so."""

from collections.abc import Callable, Sequence
from itertools import count

import pytest

from referee.arena import fault
from referee.arena.clock import TICK
from referee.arena.duel import Duel, DuelResult, Voided
from referee.arena.fault import Violation
from referee.arena.limits import Terms
from referee.arena.place import Place
from referee.arena.player import Closed, Opened, Turn
from referee.arena.session import Session
from referee.engine.record import SeededDeal
from tests.table import euchre

CRASH = Violation(fault.CRASHED, "its process ended")


class Bot:
    """What a place was sent, and what its process is said to have used."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.frames: list[tuple[Sequence[Opened], Sequence[Turn], Sequence[Closed]]] = []
        self.faults: list[tuple[str, int, int]] = []
        self.restarts = 0
        self.cpu = self.waited = 0.0
        self.frozen = False
        self.core_count = 1

    def send(
        self, opened: Sequence[Opened], turns: Sequence[Turn], closed: Sequence[Closed]
    ) -> None:
        self.frames.append((opened, turns, closed))

    def send_fault(self, kind: str, table: int, turn: int, explanation: str) -> None:
        assert explanation
        self.faults.append((kind, table, turn))

    def restart(self) -> None:
        self.restarts += 1

    def freeze(self) -> None:
        self.frozen = True

    def thaw(self) -> None:
        self.frozen = False

    def cpu_seconds(self) -> float:
        return self.cpu

    def waited_seconds(self) -> float:
        return self.waited

    def cores(self) -> int:
        return self.core_count

    def evidence(self) -> str:
        return f"seat {self.place.seat}"

    @property
    def asked(self) -> list[int]:
        """The turns of the newest frame."""
        return [turn.turn for turn in self.frames[-1][1]] if self.frames else []


class Scene:
    """A session and its eight bots; `places[entrant][seat]`."""

    def __init__(self, terms: Terms, duels: int) -> None:
        self.now = 100.0
        self.outcomes: list[DuelResult | Voided] = []
        numbers = count(1000)
        self.session = Session(
            terms,
            [Duel(n, SeededDeal(bytes(32), f"duel {n}"), n % 4) for n in range(duels)],
            lambda: self.now,
            lambda: next(numbers),
            self.outcomes.append,
        )
        self.bots: dict[tuple[int, int], Bot] = {}
        for entrant in (0, 1):
            for seat in range(4):
                self._sit(entrant, seat)
        for bot in self.bots.values():
            self.session.started(bot.place)

    def _sit(self, entrant: int, seat: int) -> None:
        def player(place: Place) -> Bot:
            self.bots[entrant, seat] = Bot(place)
            return self.bots[entrant, seat]

        self.session.place(player, entrant, seat)

    def join(self) -> "Scene":
        for bot in self.bots.values():
            self.session.joined(bot.place, 256)
        self.session.ask_due()
        return self

    @property
    def asked(self) -> Bot:
        """The first bot with an open frame."""
        return next(bot for bot in self.bots.values() if bot.place.open)

    def alone(self) -> Bot:
        """Let a bot keep its open frame while everything else is played."""
        bot = self.asked
        self.play_on(but=[bot])
        return bot

    def answer(self, bot: Bot, choice: Callable[[Turn], int] = lambda _: 0) -> None:
        """Answer the whole of a bot's open frame."""
        turns = [turn for turn in bot.frames[-1][1] if turn.turn in bot.place.open]
        self.session.answered(
            bot.place, [turn.turn for turn in turns], [choice(turn) for turn in turns]
        )
        self.session.ask_due()

    def rejoin(self, bot: Bot) -> None:
        self.session.started(bot.place)
        self.session.joined(bot.place, 256)
        self.session.ask_due()

    def wait(self, seconds: float) -> None:
        """Let time pass, tick by tick."""
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.session.tick()
        self.session.ask_due()

    def play_on(self, *, but: Sequence[Bot] = ()) -> None:
        """Answer whatever is asked, first action first, until there is nothing to answer."""
        while open_now := [b for b in self.bots.values() if b.place.open and b not in but]:
            for bot in open_now:
                self.answer(bot)

    @property
    def results(self) -> list[DuelResult]:
        return [outcome for outcome in self.outcomes if isinstance(outcome, DuelResult)]

    @property
    def voided(self) -> list[Voided]:
        return [outcome for outcome in self.outcomes if isinstance(outcome, Voided)]

    @property
    def faults(self) -> list[tuple[str, int, int, int]]:
        """Kind, entrant, room and duel of every fault written down."""
        return [
            (f.kind, f.entrant, f.room, f.duel) for result in self.results for f in result.faults
        ]


Begin = Callable[..., Scene]


@pytest.fixture
def begin() -> Begin:
    def make(duels: int = 1, **terms: object) -> Scene:
        return Scene(Terms(euchre(), **terms), duels)  # type: ignore[arg-type]

    return make

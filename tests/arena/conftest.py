"""A session with bots made of nothing, and a clock that only moves when a test says so."""

from collections.abc import Callable, Sequence
from itertools import count

import pytest

from referee.arena import fault
from referee.arena.clock import TICK
from referee.arena.duel import Duel, DuelResult, Voided
from referee.arena.fault import FaultKind, Violation
from referee.arena.limits import Terms
from referee.arena.place import Place
from referee.arena.player import Closed, Opened, Turn
from referee.arena.room import Room
from referee.arena.session import Outcome, PairingSession
from referee.engine.game import Game
from referee.engine.record import SeededDeal
from tests.table import euchre

EUCHRE = euchre()
CRASH = Violation(fault.CRASHED, "its process ended")


class Bot:
    """What a place was sent, and what its process is said to have used."""

    most_turns = 256

    def __init__(self, place: Place) -> None:
        self.place = place
        self.frames: list[tuple[Sequence[Opened], Sequence[Turn], Sequence[Closed]]] = []
        self.faults: list[tuple[str, int, int]] = []
        self.restarts = 0
        self.cpu = self.waited = self.work = 0.0
        self.frozen = False
        self.core_count = 1
        self.created = 0

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

    def referee_seconds(self) -> float:
        return self.work

    def cores(self) -> int:
        return self.core_count

    def created_since(self, _moment: float) -> int:
        return self.created

    def evidence(self, _: FaultKind, *, always: bool = False) -> str:
        return f"seat {self.place.seat}{' in any case' if always else ''}"

    @property
    def asked(self) -> list[int]:
        """The turns of the newest frame."""
        return [turn.turn for turn in self.frames[-1][1]] if self.frames else []


class Scene:
    """A session, and the bots of the rooms it has come to, by entrant and seat."""

    room: Room

    def __init__(
        self,
        terms: Terms,
        duels: int,
        dealt: Callable[[int], SeededDeal] = lambda n: SeededDeal(bytes(32), f"duel {n}"),
        untimed: tuple[int, int] | None = None,
    ) -> None:
        self.now = self.ticked = 100.0
        self.outcomes: list[Outcome] = []
        numbers = count(1000)
        self._seats = terms.game.seats
        self.session = PairingSession(
            terms,
            [Duel(n, dealt(n), terms.game.first_dealer(n)) for n in range(duels)],
            lambda: self.now,
            lambda: next(numbers),
            self.outcomes.append,
            half_played=lambda duel: self.halves.append(duel.number),
            untimed=untimed,
        )
        self.halves: list[int] = []
        self.bots: dict[tuple[int, int], Bot] = {}
        self._rooms = self.session.rooms()
        self.over = False
        """Whether both rooms are."""
        self.next_room()

    def next_room(self) -> None:
        """Start the bots of the next room, if there is one."""
        room = next(self._rooms, None)
        if room is None:
            self.over = True
            return
        self.room = room
        for seat, _ in enumerate(self._seats):
            self._sit(seat)
        for bot in self.seated:
            room.started(bot.place)

    def _sit(self, seat: int) -> None:
        def player(place: Place) -> Bot:
            self.bots[place.entrant, seat] = Bot(place)
            return self.bots[place.entrant, seat]

        self.room.place(player, seat)

    @property
    def seated(self) -> list[Bot]:
        """The bots of the room that is played."""
        return [bot for bot in self.bots.values() if bot.place.room == self.room.number]

    def join(self) -> "Scene":
        for bot in self.seated:
            self.room.joined(bot.place, 256)
        self.room.ask_due()
        return self

    @property
    def asked(self) -> Bot:
        """The first bot with an open frame."""
        self.rest()
        return next(bot for bot in self.seated if bot.place.open)

    def alone(self) -> Bot:
        """Return a bot that keeps its open frame, after everything else was played."""
        bot = self.asked
        self.play_on(but=[bot])
        return bot

    def ask_next(self) -> None:
        """Go on to the next room if this one is over."""
        if self.room.finished and not self.over:
            self.next_room()
            if not self.over:
                self.join()

    def answer(self, bot: Bot, choice: Callable[[Turn], int] = lambda _: 0) -> None:
        """Answer the whole of a bot's open frame."""
        turns = [turn for turn in bot.frames[-1][1] if turn.turn in bot.place.open]
        self.room.answered(
            bot.place, [turn.turn for turn in turns], [choice(turn) for turn in turns]
        )
        self.room.ask_due()

    def rest(self) -> None:
        """Move the clock on while all bots are left at rest."""
        ready = all(bot.place.ready for bot in self.seated)
        for _ in range(10):
            if self.room.finished or not ready or any(bot.place.open for bot in self.seated):
                return
            self.wait(TICK)

    def open_frames(self) -> list[Bot]:
        """Return the bots with an open frame, of the next room if this one is over."""
        self.ask_next()
        self.rest()
        return [bot for bot in self.seated if bot.place.open]

    def rejoin(self, bot: Bot) -> None:
        self.room.started(bot.place)
        self.room.joined(bot.place, 256)
        self.room.ask_due()

    def close_a_turn(self) -> tuple[Bot, int]:
        """Close one of a bot's open turns, as another one forfeits the match; return both."""
        for _ in range(5):  # so that all have decided
            self.answer(self.asked)
        bot = self.asked
        other = next(each for each in self.seated if each is not bot)
        self.room.failed(other.place, CRASH)
        self.rejoin(other)
        (closed,) = {*bot.asked} - {*bot.place.open}
        return bot, closed

    def wait(self, seconds: float) -> None:
        """Move the clock on, tick by tick."""
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.room.tick()
        self.room.ask_due()

    def play_on(self, *, but: Sequence[Bot] = ()) -> None:
        """Answer whatever is asked, first action first, in this room and then in the next."""
        while not self.over:
            while open_now := [b for b in self.seated if b.place.open and b not in but]:
                for bot in open_now:
                    self.answer(bot)
                self.rest()
            if not self.room.finished:
                return
            self.ask_next()

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
    def make(
        duels: int = 1,
        game: Game = EUCHRE,
        untimed: tuple[int, int] | None = None,
        **terms: object,
    ) -> Scene:
        return Scene(Terms(game, **terms), duels, untimed=untimed)  # type: ignore[arg-type]

    return make

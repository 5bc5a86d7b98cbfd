"""A result does not depend on how it was come by.

Bots that fail by the deal, their seed or the n-th decision of a match play the same duels in visits
of other sizes, at other numbers of tables, with kills in between: what comes of it is the same.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from random import Random
from typing import NamedTuple

import pytest

from referee.arena import fault, place
from referee.arena.clock import TICK
from referee.arena.duel import Duel, DuelResult
from referee.arena.fault import Violation
from referee.arena.limits import Policy, Terms
from referee.arena.player import Closed, Opened, Turn
from referee.arena.room import Room
from referee.arena.session import Outcome, PairingSession
from referee.engine.cards import Seat
from referee.engine.record import MatchRecord, SeededDeal
from tests.arena.conftest import CRASH, Bot
from tests.table import euchre, whist

SLOW = Violation(fault.DECISION_TIMEOUT, "took too long", seconds=1.0)


class Memory:
    """What a process knows of one match: all that it was asked there, and what it answered."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.decisions = 0
        self.digest = b""

    def decide(self, turn: Turn) -> int:
        """Choose by all that the process has seen of the match."""
        self.decisions += 1
        seen = f"{self.seed} {turn.match.score} {turn.state.view(turn.state.actor)}"
        self.digest = sha256(self.digest + seen.encode()).digest()
        return self.digest[0] % len(turn.state.legal)


Fails = Callable[[Memory], bool]
BOTS: dict[str, Fails] = {
    "sound": lambda _: False,
    "by the deal": lambda memory: memory.digest[1] < 3,
    "by its seed": lambda memory: memory.seed % 4 == 0 and memory.decisions == 9,
    "at the n-th decision": lambda memory: memory.decisions == 23,
    "at the first decision": lambda memory: memory.decisions == 1 and memory.seed % 3 == 0,
    "always": lambda _: True,
}
HOW = {"crashes": CRASH, "hangs": SLOW}


class Entrant(NamedTuple):
    fails: Fails
    how: str


class Process(Bot):
    """A process of an entrant, which forgets all when it is started again."""

    def __init__(self, own: place.Place, entrant: Entrant) -> None:
        super().__init__(own)
        self._entrant = entrant
        self.matches: dict[int, Memory] = {}

    def send(
        self, opened: Sequence[Opened], turns: Sequence[Turn], closed: Sequence[Closed]
    ) -> None:
        super().send(opened, turns, closed)
        for each in opened:
            assert each.table not in self.matches
            self.matches[each.table] = Memory(each.seed)
        for over in closed:
            del self.matches[over.table]

    def restart(self) -> None:
        super().restart()
        self.matches = {}

    def answers(self) -> Iterator[tuple[int, int | Violation]]:
        """Yield what the process does about each open turn, up to one at which it ends."""
        for turn in self.frames[-1][1]:
            memory = self.matches[turn.table]
            choice = memory.decide(turn)
            if not self._entrant.fails(memory):
                yield turn.turn, choice
            elif self._entrant.how == "cheats":
                yield turn.turn, len(turn.state.legal)
            else:
                yield turn.turn, HOW[self._entrant.how]
                return


class Way(NamedTuple):
    """How duels are played."""

    block: int
    tables: int
    kills: int


class Came(NamedTuple):
    """What came of a duel, as far as it has to be the same."""

    rooms: tuple[MatchRecord, ...]
    faults: list[tuple[object, ...]]
    """Without the evidence, which depends on what else was asked."""


class Killed(Exception):
    """The process of the referee was killed."""


class Visit:
    """A session, driven in a random order."""

    def __init__(
        self, terms: Terms, entrants: Sequence[Entrant], duels: Sequence[Duel], random: Random
    ) -> None:
        self.outcomes: list[Outcome] = []
        self.now = 0.0
        self._entrants = entrants
        self._random = random
        self.kills = 0
        numbers = count(1)
        self.session = PairingSession(
            terms, duels, lambda: self.now, lambda: next(numbers), self.outcomes.append
        )

    def play(self, kills: int) -> None:
        """Play to the end, or until the whole of it is killed."""
        for room in self.session.rooms():
            processes = [self._process(room, seat) for seat in range(4)]
            while not room.finished:
                self._step(room, processes)
                if self.kills < kills and self._random.random() < 0.02:
                    self.kills += 1
                    if self._random.random() < 0.3:
                        raise Killed
                    room.lost(self._random.choice(processes).place, "killed")

    def _process(self, room: Room, seat: Seat) -> Process:
        created: list[Process] = []

        def player(own: place.Place) -> Process:
            created.append(Process(own, self._entrants[own.entrant]))
            return created[0]

        room.place(player, seat)
        return created[0]

    def _step(self, room: Room, processes: Sequence[Process]) -> None:
        acting = [each for each in processes if each.place.open or not each.place.ready]
        if not acting:
            self.now += TICK
            room.tick()
        else:
            process = self._random.choice(acting)
            if process.place.ready:
                self._answer(room, process)
            else:
                room.joined(process.place, 256)
        room.ask_due()

    def _answer(self, room: Room, process: Process) -> None:
        """Answer in pieces, the last of which is lost if the process ends."""
        piece: list[tuple[int, int]] = []
        for turn, choice in list(process.answers()):
            if isinstance(choice, Violation):
                room.failed(process.place, choice)
                return
            piece.append((turn, choice))
            if self._random.random() < 0.3:
                room.answered(process.place, *zip(*piece, strict=True))
                piece = []
        if piece:
            room.answered(process.place, *zip(*piece, strict=True))


def play(
    terms: Terms, entrants: Sequence[Entrant], duels: Sequence[Duel], way: Way, random: Random
) -> dict[int, Came]:
    """Play duels in visits until each has a result; return what is to be the same."""
    came: dict[int, Came] = {}
    kills = way.kills
    while missing := [duel for duel in duels if duel.number not in came]:
        start = random.randrange(len(missing))
        visit = Visit(
            terms._replace(tables=way.tables),
            entrants,
            missing[start : start + way.block],
            random,
        )
        try:
            visit.play(kills)
        except Killed:
            pass
        else:
            # However a visit is cut short, it comes to something.
            assert visit.outcomes
        kills -= visit.kills
        for outcome in visit.outcomes:
            assert not isinstance(outcome, fault.StartFailure)
            if isinstance(outcome, DuelResult):
                came[outcome.duel.number] = Came(
                    outcome.rooms,
                    [
                        (f.kind, f.entrant, f.seat, f.room, f.hand, f.explanation, f.forfeits)
                        for f in outcome.faults
                    ],
                )
    return came


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "how", "forfeit_at"),
    [
        ("by the deal", "crashes", 1),
        ("by the deal", "cheats", 3),
        ("by its seed", "hangs", 1),
        ("by its seed", "crashes", 3),
        ("at the n-th decision", "cheats", 1),
        ("at the n-th decision", "crashes", 3),
        ("at the first decision", "crashes", 1),
        ("at the first decision", "hangs", 3),
        ("always", "crashes", 2),
    ],
)
def test_the_same_comes_of_every_way_to_play(
    name: str, how: str, forfeit_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(f"{name} {how} {forfeit_at}")
    terms = Terms(random.choice((euchre, whist))(), policy=Policy(forfeit_at))
    entrants = [Entrant(BOTS[name], how), Entrant(BOTS[random.choice(["sound", name])], how)]
    duels = [Duel(n, SeededDeal(bytes(32), f"any way {n}"), n % 4) for n in range(6)]
    one_by_one = play(terms, entrants, duels, Way(1, 1, 0), random)
    assert any(each.faults for each in one_by_one.values())
    for way in (Way(6, 6, 0), Way(4, 2, 1), Way(6, 5, 5)):
        assert play(terms, entrants, duels, way, random) == one_by_one
    monkeypatch.setattr(place, "MOST_RESTARTS", 2)
    assert play(terms, entrants, duels, Way(6, 4, 0), random) == one_by_one


def test_a_sound_bot_pays_for_nothing_that_befalls_its_opponent() -> None:
    random = Random(1)
    entrants = [Entrant(BOTS["always"], "crashes"), Entrant(BOTS["sound"], "crashes")]
    duels = [Duel(n, SeededDeal(bytes(32), f"any way {n}"), n % 4) for n in range(5)]
    came = play(Terms(euchre()), entrants, duels, Way(5, 5, 3), random)
    assert [{fault[1] for fault in each.faults} for each in came.values()] == [{0}] * 5

"""One seat of one entrant: what its process is asked, and how often it has failed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.arena.clock import Clock
from referee.arena.open_match import OpenMatch
from referee.arena.open_turns import OpenTurns
from referee.arena.player import Closed, Opened, Player, Turn
from referee.engine.cards import Seat

if TYPE_CHECKING:
    from referee.arena.fault import Failure


class Place:
    """The seat of one entrant in one room, and the process that plays there."""

    player: Player
    clock: Clock

    def __init__(self, entrant: int, seat: Seat, room: int) -> None:
        """Begin without a process."""
        self.entrant = entrant
        self.seat = seat
        self.room = room
        self.ready = False
        self.out = False
        """Whether it forfeited its room, and is asked no more."""
        self.leaving = False
        """Whether its process is known to be gone, and not yet why."""
        self.tables = 0
        """How many matches it can play at once; 0 until it was ready once."""
        self.failures = 0
        self.losses = 0
        self._work = 0.0
        """What the referee had spent on it when that was last asked."""
        self.queue: list[OpenMatch] = []
        """Where it is to decide and has not been asked."""
        self.turns: OpenTurns[OpenMatch] = OpenTurns()
        self.open = self.turns.open
        """What it was asked and has not answered, by turn."""
        self.suspects: list[OpenMatch] = []
        """What is to be asked again, one at a time."""
        self.withheld: list[tuple[OpenMatch, int]] = []
        """The answers to that, which are not played until it is known who is at fault."""
        self.failure: Failure | None = None
        """Why it is asked again."""
        self._opened: list[Opened] = []
        self._closed: list[Closed] = []

    def new_work(self) -> float:
        """Return the processor time that the referee has spent on it since this was last asked."""
        before, self._work = self._work, self.player.referee_seconds()
        return max(0.0, self._work - before)

    # News, which goes out with the next frame

    def open_match(self, match: OpenMatch) -> None:
        """Note that a match begins."""
        self._opened.append(Opened(match.number, match.duel.seed(self.seat)))

    def close_match(self, match: OpenMatch, closed: Closed) -> None:
        """Forget a match that is over, whatever was still to be decided there."""
        self._closed.append(closed)
        self.turns.close(match)
        self.forget(match)

    def forget(self, match: OpenMatch) -> None:
        """Withdraw all that was to be asked in a match."""
        self.queue = [each for each in self.queue if each is not match]
        self.suspects = [each for each in self.suspects if each is not match]
        self.withheld = [each for each in self.withheld if each[0] is not match]

    # Starting

    def restart(self) -> None:
        """Note that its process is ended, and another one started."""
        self.ready = self.leaving = False
        self.turns.drop()
        self.clock.stop()
        self.player.restart()

    def join(self, tables: int, matches: Sequence[OpenMatch]) -> None:
        """Note that its process is ready, and knows of no match yet."""
        self.ready = True
        self.turns.drop()
        self.clock.ready()
        self.tables = self.tables or tables
        self._opened = []
        self._closed = []
        for match in matches:
            self.open_match(match)

    # Asking

    def ask(self, now: float) -> None:
        """Send it one frame of all it is to decide."""
        asked = self.suspects[:1] or self.queue
        if asked is self.queue:
            self.queue = []
        turns = [
            Turn(
                turn, match.number, match.time_left(self.seat), match.sheet.match, match.sheet.state
            )
            for turn, match in zip(self.turns.ask(asked), asked, strict=True)
        ]
        low = any(match.banks[self.seat].is_low for match in asked)
        self.clock.ask(now, len(turns), exact=low)
        self.player.send(self._opened, turns, self._closed)
        self._opened = []
        self._closed = []

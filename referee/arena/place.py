"""One seat of one entrant: what its process is asked, and what it has to be asked again."""

from typing import TYPE_CHECKING

from referee.arena.clock import Clock
from referee.arena.limits import MOST_RESTART_SECONDS, MOST_RESTARTS
from referee.arena.open_match import OpenMatch
from referee.arena.open_turns import OpenTurns
from referee.arena.player import Closed, Opened, Player, Turn
from referee.engine.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.arena.fault import Failure
    from referee.engine.record import MatchPosition


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
        self.leaving = False
        """Whether its process is known to be gone, and not yet why."""
        self.tables = 0
        """How many matches it can play at once; 0 until it was ready once."""
        self.has_decided = False
        """Whether its process has decided anything."""
        self.failed_starts = 0
        """How many of its processes in a row had decided nothing when they failed."""
        self.losses = 0
        self._restarts = 0
        self._repeating = 0.0
        """Seconds for which it got ready again, or was asked again."""
        self._repeating_since: float | None = None
        self._work = 0.0
        """What the referee had spent on it when that was last asked."""
        self.queue: list[OpenMatch] = []
        """Where it is to decide and has not been asked."""
        self.turns: OpenTurns[OpenMatch] = OpenTurns()
        self.open = self.turns.open
        """What it was asked and has not answered, by turn."""
        self.repeated: dict[OpenMatch, MatchPosition] = {}
        """Where an open turn asks for an earlier decision, and for which."""
        self.suspects: list[OpenMatch] = []
        """What is to be asked again, one at a time."""
        self.withheld: list[tuple[OpenMatch, int]] = []
        """The answers to that, which are not played before all suspects were asked."""
        self.failure: Failure | None = None
        """Why it is asked again."""
        self.failed_again = False
        """Whether any suspect failed again."""
        self._known: set[OpenMatch] = set()
        """What was opened to its process."""
        self._earlier: dict[OpenMatch, Iterator[MatchPosition]] = {}
        """The decisions of others of its processes that this one has still to be asked."""
        self._closed: list[Closed] = []

    def new_work(self) -> float:
        """Return the processor time that the referee has spent on it since this was last asked."""
        before, self._work = self._work, self.player.referee_seconds()
        return max(0.0, self._work - before)

    @property
    def is_restarted_too_often(self) -> bool:
        """Whether it was started again more often than a room allows."""
        return self._restarts > MOST_RESTARTS

    def repeats_too_long(self, now: float) -> bool:
        """Return whether it got ready or was asked again for longer than a room allows."""
        since = now if self._repeating_since is None else self._repeating_since
        return self._repeating + now - since > MOST_RESTART_SECONDS

    def close_match(self, match: OpenMatch, closed: Closed) -> None:
        """Forget a match that is over, whatever was still to be decided there."""
        if match in self._known:
            self._known.remove(match)
            self._closed.append(closed)
        self._earlier.pop(match, None)
        self.repeated.pop(match, None)
        self.turns.close(match)
        self.forget(match)

    def forget(self, match: OpenMatch) -> None:
        """Withdraw all that was to be asked in a match."""
        self.queue = [each for each in self.queue if each is not match]
        self.suspects = [each for each in self.suspects if each is not match]
        self.withheld = [each for each in self.withheld if each[0] is not match]

    # Starting

    def restart(self, now: float) -> None:
        """Note that its process is ended, and another one started."""
        self.settle(now)
        self._restarts += 1
        self._repeating_since = now
        self.ready = self.leaving = self.has_decided = False
        self.turns.drop()
        self.clock.stop()
        self.player.restart()

    def join(self, now: float, tables: int) -> None:
        """Note that its process is ready, and knows of no match yet."""
        self.settle(now)
        self.ready = True
        self.turns.drop()
        self.clock.ready()
        self.tables = self.tables or tables
        self._known.clear()
        self._earlier.clear()
        self._closed = []

    # Asking

    def ask(self, now: float) -> None:
        """Send it one frame of what it is to decide, or was to decide before if it is behind.

        That is all of it, unless the frame would be too large.
        """
        asked = self.suspects[:1]
        if not asked:
            most = self.player.most_turns
            asked, self.queue = self.queue[:most], self.queue[most:]
        opened = [match for match in asked if match not in self._known]
        self._known.update(opened)
        if self._restarts:
            self._earlier.update((match, match.earlier(self.seat)) for match in opened)
        self.repeated.clear()
        turns = [
            self._turn(turn, match)
            for turn, match in zip(self.turns.ask(asked), asked, strict=True)
        ]
        self._repeating_since = now if self.suspects or self.repeated else None
        low = any(match.banks[self.seat].is_low for match in asked)
        self.clock.ask(now, len(turns), exact=low)
        self.player.send(
            [Opened(match.number, match.duel.seed(self.seat)) for match in opened],
            turns,
            self._closed,
        )
        self._closed = []

    def _turn(self, turn: int, match: OpenMatch) -> Turn:
        sheet = match.sheet
        time_left = match.time_left(self.seat)
        if match in self._earlier:
            if position := next(self._earlier[match], None):
                self.repeated[match] = position
                return Turn(turn, match.number, time_left, position.match, position.state)
            del self._earlier[match]
        return Turn(turn, match.number, time_left, sheet.match, sheet.state)

    def settle(self, now: float) -> None:
        """Note that all of a frame is answered, or that nobody is there to answer it."""
        if self._repeating_since is not None:
            self._repeating += now - self._repeating_since
            self._repeating_since = None

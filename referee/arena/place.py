"""One process at its seat: what it is asked, what it owes, and how often it has failed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from referee.arena.limits import GRACE, IDLE_SECONDS, IDLE_SHARE, STARVED, TimeLimits
from referee.arena.open_match import OpenMatch
from referee.arena.player import Closed, Opened, Player, Turn
from referee.engine.cards import Seat

if TYPE_CHECKING:
    from referee.arena.fault import Failing

_SETTLED_SOON = 0.25
"""The share of the limit in which nobody looks at the processor, which costs more than a turn."""


class _Sample(NamedTuple):
    """What a process had used at one moment."""

    at: float
    cpu: float
    waited: float


class Overrun(NamedTuple):
    """That a frame was not answered in time."""

    blameless: str
    """Why nobody is to blame; empty if the bot is."""


class Place:
    """A process of one entrant in one seat, and so in one room."""

    player: Player

    def __init__(self, entrant: int, seat: Seat, room: int) -> None:
        """Start as one that is not ready."""
        self.entrant = entrant
        self.seat = seat
        self.room = room
        self.started = self.ready = False
        self.out = False
        """Whether it forfeited its room, and is asked no more."""
        self.leaving = False
        """Whether it is known to be gone, and not yet why."""
        self.tables = 0
        """At how many tables it can sit; 0 until it was ready once."""
        self.failures = 0
        self.losses = 0
        self.since = 0.0
        """When it was started, or handed its frame, or sent its last piece."""
        self.queue: list[OpenMatch] = []
        """Where it is to decide and has not been asked."""
        self.open: dict[int, OpenMatch] = {}
        """What it was asked and has not answered, by turn."""
        self.suspects: list[OpenMatch] = []
        """What is to be asked again, one at a time."""
        self.held: list[tuple[OpenMatch, int]] = []
        """The answers to that, until it is known who is at fault."""
        self.failing: Failing | None = None
        """Why it is asked again."""
        self._opened: list[Opened] = []
        self._closed: list[Closed] = []
        self._next_turn = 1
        self._frame_from = 1
        self._closed_turns: set[int] = set()
        self._messages = 0
        self._given_back = 0.0
        self._behind = 0.0
        self._asked: _Sample | None = None
        self._idle_used = self._idle_time = 0.0
        self._idle: _Sample | None = None

    # News, which rides on the next frame

    def sit_down(self, table: OpenMatch) -> None:
        """Note that a match begins."""
        self._opened.append(Opened(table.number, table.duel.seed(self.seat)))

    def get_up(self, table: OpenMatch, closed: Closed) -> None:
        """Forget a match that is over, whatever was still to be decided there."""
        self._closed.append(closed)
        for turn, at in self.open.items():
            if at is table:
                del self.open[turn]
                self._closed_turns.add(turn)
                break
        self.forget(table)

    def forget(self, table: OpenMatch) -> None:
        """Take back all that was to be asked at a table."""
        self.queue = [at for at in self.queue if at is not table]
        self.suspects = [at for at in self.suspects if at is not table]
        self.held = [(at, choice) for at, choice in self.held if at is not table]

    # Starting

    def start_again(self, now: float) -> None:
        """Note that its process is started anew."""
        self.started = self.ready = self.leaving = False
        self.since = now
        self.open = {}
        self._idle = None

    def join(self, tables: int, sits_at: Sequence[OpenMatch]) -> None:
        """Note that its process is ready, and knows of nothing yet."""
        self.ready = True
        self.open = {}
        self.tables = self.tables or tables
        self._opened = []
        self._closed = []
        self._idle_used = self._idle_time = 0.0
        for table in sits_at:
            self.sit_down(table)

    # Asking

    def deal_out(self, now: float) -> None:
        """Hand it one frame of all it is to decide."""
        asked = self.suspects[:1] or self.queue
        if asked is self.queue:
            self.queue = []
        self._frame_from = turn = self._next_turn
        turns = []
        for table in asked:
            sheet = table.sheet
            left = table.time_left(self.seat)
            turns.append(Turn(turn, table.number, left, sheet.match, sheet.state))
            self.open[turn] = table
            turn += 1
        self._next_turn = turn
        self._messages = 0
        self._closed_turns.clear()
        self._idle = None
        self._restart_clock(now)
        self.player.send(self._opened, turns, self._closed)
        self._opened = []
        self._closed = []

    def settled_before(self, turn: int) -> bool:
        """Return whether a turn that is not open was asked once and may be answered too late."""
        return 0 < turn < self._frame_from or turn in self._closed_turns

    def too_many_messages(self) -> bool:
        """Count a message; say whether there were more than anybody could need for a frame."""
        self._messages += 1
        return self._messages > self._next_turn - self._frame_from + 8

    # The clock

    def piece(self, now: float) -> float:
        """Stop the clock at a piece of an answer, give the seconds to charge, and go on."""
        taken = now - self.since - self._given_back
        if self._asked:
            taken -= self._starved(now)
        self._restart_clock(now)
        return max(0.0, taken)

    def elapsed(self, now: float) -> float:
        """Return how long the bot has taken for what it is asked."""
        return now - self.since - self._given_back

    def _restart_clock(self, now: float) -> None:
        self.since = now
        self._given_back = self._behind = 0.0
        self._asked = None

    def is_late_to_start(self, now: float, late: float, limit: float) -> bool:
        """Look how long a process takes to get ready, `late` seconds behind."""
        self.since += late
        taken = now - self.since
        if taken <= limit:
            return False
        starved = min(self.player.waited_seconds(), taken - self.player.cpu_seconds())
        return taken - min(max(0.0, starved), STARVED * limit) > limit

    def overrun(self, now: float, late: float, limits: TimeLimits) -> Overrun | None:
        """Look at the clock, `late` seconds behind; say whether the frame is overdue."""
        self._given_back += late
        self._behind = max(self._behind, late)
        elapsed = now - self.since
        if elapsed < _SETTLED_SOON * limits.decision:
            return None
        if self._asked is None:
            self._asked = self._sample(now)
        several = self._next_turn - self._frame_from > 1
        limit = limits.decision + (GRACE if several else 0)
        over = elapsed - self._given_back - limit
        if over <= 0:
            return None
        starved = self._starved(now)
        if starved > STARVED * limit:
            return Overrun(f"no processor was free for it in {starved:.1f} s")
        if over <= starved:
            return None
        if self._behind > limits.late:
            return Overrun(f"the referee was {self._behind:.2f} s behind")
        return Overrun("")

    def _starved(self, now: float) -> float:
        """Return the time it could have run and did not: what it computed was no waiting."""
        then = self._asked
        assert then is not None
        computed = self.player.cpu_seconds() - then.cpu
        waited = self.player.waited_seconds() - then.waited
        return max(0.0, min(waited, now - then.at - computed))

    def _sample(self, now: float) -> _Sample:
        return _Sample(now, self.player.cpu_seconds(), self.player.waited_seconds())

    def idles_too_busily(self, now: float) -> bool:
        """Look at what it computes while nothing is asked of it; say whether that is too much."""
        then, cpu = self._idle, self.player.cpu_seconds()
        self._idle = _Sample(now, cpu, 0.0)
        if then is None:
            return False
        self._idle_used += cpu - then.cpu
        self._idle_time += now - then.at
        return self._idle_used > IDLE_SECONDS + IDLE_SHARE * self._idle_time

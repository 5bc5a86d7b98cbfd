"""Measures how long a bot takes, gives back what is not its fault, and judges what is left.

A `Clock` belongs to one process and is notified when that starts, is asked, answers and rests; at
every tick it returns whether the process is overdue, and whether the process is to blame for that.
It reads no time itself. `Ticks` measures by how much the referee itself is late.

Time in which a process could have run but got no processor is given back, never more than the time
it did not compute. So is time by which the referee was late. What neither explains is the bot's
fault; where too much was given back, or the referee was badly late, nobody is to blame. Lateness
that the processes of one entrant caused is not given back to them; if it was bad, it is a fault.
Time in which the referee carried out moves is known, and no lateness: else a bot could have matches
void by moves of a described game that take long.
"""

from math import inf
from typing import Final, Literal, NamedTuple, Protocol

from referee.arena import fault
from referee.arena.fault import Violation
from referee.arena.limits import (
    CREATED,
    CREATED_SHARE,
    GRACE,
    IDLE_SECONDS,
    IDLE_SHARE,
    REST_EVERY,
    REST_FRAMES,
    STARVED,
    TimeLimits,
)

TICK: Final = 0.02
"""Seconds from one tick to the next."""
_LATE_ANYWAY: Final = 0.005
"""Seconds a tick may be late on a machine that has other things to do."""
_SETTLED_SOON: Final = 0.25
"""The share of the limit in which nobody looks at the processor, which costs more than a turn."""
_MOST_UNUSED: Final = TICK
"""Seconds of the processor that were not used while a turn was open, and may be used after it."""
_CAUSED: Final = 0.5
"""The least share of a delay that the work for who caused it took."""
_NOT_CAUSED: Final = 0.1
"""The most that the work for all others did."""
_REST_WINDOW: Final = 1.5 * TICK
"""Seconds for which a bot has to rest to be seen at rest."""
_QUIET_WINDOW: Final = 4.5 * TICK
"""The same where it rests anyway."""
_QUIET_EVERY: Final = REST_EVERY / 2
"""Seconds after it was seen at rest in which that is not looked at again."""
_QUIET_SHARE: Final = 0.25
"""The share of them that it may compute, or wait to compute."""
_GRAIN: Final = 0.01
"""The seconds in which the system may count processor time."""
_LONGEST_REST: Final = 10.0
"""Seconds after which play goes on though a bot was not seen at rest, as no processor is free."""


class ClockedProcess(Protocol):
    """What a clock reads of a process."""

    def cpu_seconds(self) -> float:
        """Return the processor time it has used since it was started."""

    def waited_seconds(self) -> float:
        """Return the time it could have run and got no processor, since it was started."""

    def cores(self) -> int:
        """Return on how many processors it may run at once."""

    def created_since(self, moment: float) -> int:
        """Return how many processes it has created since a moment; 0 if all that they use shows."""


class Blameless(NamedTuple):
    """That a limit was overrun through nobody's fault."""

    reason: str


class Bank:
    """What one seat has left of its time for a match."""

    __slots__ = ("_full", "_increment", "left")

    def __init__(self, limits: TimeLimits) -> None:
        """Start full, or without a limit if there is none."""
        self._full = self.left = limits.bank or inf
        """Seconds."""
        self._increment = limits.increment

    @property
    def is_low(self) -> bool:
        """Whether less than half is left."""
        return self.left < self._full / 2

    def charge(self, seconds: float) -> Violation | None:
        """Charge a decision; return what is wrong if that was more than there was."""
        self.left += self._increment - seconds
        if self.left >= 0:
            return None
        return Violation(fault.BANK_EMPTY, "used up its time for the match")


class Ticks:
    """The beat at which clocks are read, and how late it is."""

    def __init__(self, now: float) -> None:
        """Start at a point in time."""
        self._last = now

    def tick(self, now: float) -> float:
        """Return by how many seconds this tick is late."""
        late = now - self._last - TICK
        self._last = now
        return late if late > _LATE_ANYWAY else 0.0

    def leave_out(self, seconds: float) -> None:
        """Leave out time of which it is known what it went to."""
        self._last += seconds

    def is_overdue(self, now: float) -> bool:
        """Return whether there is lateness that no clock has been notified of."""
        return now - self._last > TICK + _LATE_ANYWAY


def caused(late: float, work: float, other_work: float) -> bool:
    """Return whether lateness of the referee comes of its work for one entrant, and no other.

    Args:
        late: by how many seconds it was late.
        work: the processor time it spent on the entrant's processes meanwhile.
        other_work: the same of everybody else's.
    """
    return late > 0 and work >= _CAUSED * late and other_work <= _NOT_CAUSED * late


class _Sample(NamedTuple):
    """What a process had used at one moment."""

    at: float
    cpu: float
    waited: float


class Clock:
    """The clock of one process, which may be started again."""

    def __init__(self, process: ClockedProcess, limits: TimeLimits) -> None:
        """Measure a process against time limits."""
        self._process = process
        self._limits = limits
        self._state: Literal["stopped", "starting", "asked", "resting"] = "stopped"
        self._since = 0.0
        """When it was started, or handed its frame, or sent its last piece."""
        self._several = self._exact = False
        self._given_back = self._behind = 0.0
        self._sample: _Sample | None = None
        self._rest: _Sample | None = None
        self._open_seconds = self._unused = 0.0
        self._rest_used = self._rest_time = 0.0
        self._rest_waited: float | None = None
        self._frames = 0
        self._resting_since: float | None = None
        """Since when it has been left at rest to be seen so."""
        self._quiet: _Sample | None = None
        """What it had used when it was last looked at, if nothing was asked since."""
        self._quiet_at: float | None = None
        """When it was last seen at rest."""
        self._created = self._created_in_rest = 0

    def start(self, now: float) -> None:
        """Start measuring how long the process takes to get ready."""
        self._state, self._since = "starting", now

    def ready(self) -> None:
        """Note that the process is ready; nothing is asked of it yet."""
        self._state = "resting"
        self._rest = self._rest_waited = None
        self._open_seconds = self._unused = 0.0
        self._rest_used = self._rest_time = 0.0
        self._frames, self._resting_since, self._quiet, self._quiet_at = 0, None, None, None
        self._created = self._created_in_rest = 0

    def stop(self) -> None:
        """Note that the process is gone, or going."""
        self._state = "stopped"

    def ask(self, now: float, turns: int, *, exact: bool = False) -> None:
        """Note that a frame of so many turns is handed over.

        With `exact` all time without a processor is given back, which costs more to measure.
        """
        self.settle(now)
        self._frames += 1
        self._resting_since = self._quiet = None
        self._state, self._several, self._exact = "asked", turns > 1, exact
        self._begin_piece(now)

    def begin_anew(self, now: float) -> None:
        """Start the running time again: what has passed of it is charged to another process."""
        if self._state == "asked":
            self._open_seconds += now - self._since
            self._begin_piece(now)
        elif self._state == "starting":
            self._since = now

    def give_back(self, seconds: float) -> None:
        """Credit time of which it is known that the bot had no use of it."""
        self._given_back += seconds

    def piece(self, now: float) -> float:
        """Return the seconds to charge for a piece of the answer, and begin with the next one."""
        taken = now - self._since - self._given_back
        if self._sample:
            taken -= self._starved(now, self._sample)
        self._open_seconds += now - self._since
        self._begin_piece(now)
        return max(0.0, taken)

    def settle(self, now: float) -> None:
        """Note that nothing is asked any more."""
        if self._state == "asked":
            self._open_seconds += now - self._since
            self._state, self._created_in_rest = "resting", 0

    def is_rest_due(self, now: float) -> bool:
        """Return whether it was not seen at rest for too long."""
        if self._state != "resting":
            return False
        if self._quiet_at is None:
            return self._frames >= REST_FRAMES
        return now - self._quiet_at > REST_EVERY

    def leave_at_rest(self, now: float) -> None:
        """Note that nothing is asked until it is seen at rest."""
        if self._state == "resting" and self._resting_since is None:
            self._resting_since = now
            self._quiet = self._sample_at(now)

    @property
    def is_left_at_rest(self) -> bool:
        """Whether it is still to be seen at rest."""
        return self._state == "resting" and self._resting_since is not None

    def tick(self, now: float, late: float) -> Violation | Blameless | None:
        """Return what is wrong at a tick that comes so many seconds late, if anything is."""
        match self._state:
            case "starting":
                return self._read_start(now, late)
            case "asked":
                return self._read_answer(now, late)
            case "resting":
                return self._read_rest(now)
            case _:
                return None

    def _begin_piece(self, now: float) -> None:
        self._since = now
        self._given_back = self._behind = 0.0
        self._sample = self._sample_at(now) if self._exact else None

    def _sample_at(self, now: float) -> _Sample:
        return _Sample(now, self._process.cpu_seconds(), self._process.waited_seconds())

    def _read_start(self, now: float, late: float) -> Violation | None:
        self._since += late
        taken, limit = now - self._since, self._limits.ready
        if taken <= limit:
            return None
        starved = min(self._process.waited_seconds(), taken - self._process.cpu_seconds())
        if taken - min(max(0.0, starved), STARVED * limit) <= limit:
            return None
        return Violation(fault.NEVER_READY, fault.no_hello_within(limit))

    def _read_answer(self, now: float, late: float) -> Violation | Blameless | None:
        self._given_back += late
        self._behind = max(self._behind, late)
        decision = self._limits.decision
        elapsed = now - self._since
        if elapsed < _SETTLED_SOON * decision:
            return None
        if self._sample is None:
            self._sample = self._sample_at(now)
        limit = decision + (GRACE if self._several else 0)
        overrun = elapsed - self._given_back - limit
        if overrun <= 0:
            return None
        starved = self._starved(now, self._sample)
        if starved > STARVED * limit:
            return Blameless(f"no processor was free for it in {starved:.1f} s")
        if overrun <= starved:
            return None
        if self._behind > self._limits.late:
            return Blameless(f"the referee was {self._behind:.2f} s behind")
        taken = elapsed - self._given_back
        return Violation(fault.DECISION_TIMEOUT, fault.no_decision_within(decision), seconds=taken)

    def _starved(self, now: float, then: _Sample) -> float:
        """Return the time it could have run and did not: what it computed was no waiting."""
        computed = self._process.cpu_seconds() - then.cpu
        waited = self._process.waited_seconds() - then.waited
        return max(0.0, min(waited, now - then.at - computed))

    def _read_rest(self, now: float) -> Violation | None:
        """Count what is computed unasked.

        How much a process computes while a turn is open is not looked at, which costs too much.
        All that its processors can do in that time is subtracted; so between short frames much
        remains unseen, and the process is left at rest now and then.
        """
        then, cpu = self._rest, self._process.cpu_seconds()
        self._rest = _Sample(now, cpu, 0.0)
        open_seconds, self._open_seconds = self._open_seconds, 0.0
        if then is None:
            return None
        allowed = self._unused + open_seconds * self._process.cores()
        used = cpu - then.cpu - allowed
        self._unused = min(_MOST_UNUSED, max(0.0, -used))
        self._rest_used += max(0.0, used)
        self._rest_time += now - then.at - open_seconds
        if open_seconds:
            self._rest_waited = None
        else:
            self._look_whether_quiet(now, cpu)
            self._count_created()
            if used > IDLE_SHARE * (now - then.at):
                self._subtract_waiting()
        if self._rest_used > IDLE_SECONDS + IDLE_SHARE * self._rest_time:
            return Violation(fault.CPU_LIMIT, fault.COMPUTED_UNASKED)
        if self._created > CREATED + CREATED_SHARE * self._rest_time:
            return Violation(fault.CPU_LIMIT, fault.CREATED_UNASKED)
        return None

    def _look_whether_quiet(self, now: float, cpu: float) -> None:
        since = self._resting_since
        if since is None and self._quiet_at is not None and now < self._quiet_at + _QUIET_EVERY:
            self._quiet = None
            return
        then = self._quiet
        if then is None:
            self._quiet = _Sample(now, cpu, self._process.waited_seconds())
            return
        seconds = now - then.at
        if seconds < (_QUIET_WINDOW if since is None else _REST_WINDOW):
            return
        waited = self._process.waited_seconds()
        self._quiet = _Sample(now, cpu, waited)
        wanted = cpu - then.cpu + waited - then.waited
        given_up = since is not None and now - since > _LONGEST_REST
        if wanted <= _QUIET_SHARE * seconds + _GRAIN or given_up:
            self._quiet_at, self._resting_since = now, None

    def _count_created(self) -> None:
        created = self._process.created_since(self._since)
        self._created += max(0, created - self._created_in_rest)
        self._created_in_rest = created

    def _subtract_waiting(self) -> None:
        """Subtract the time of rest in which a process that computes waited for a processor.

        To find it out costs more than the processor time, so it is done only where that is used.
        """
        waited, before = self._process.waited_seconds(), self._rest_waited
        self._rest_waited = waited
        if before is not None:
            self._rest_time = max(0.0, self._rest_time - (waited - before))


class Untimed(Clock):
    """The clock of a process whose time does not count: somebody looks into it meanwhile."""

    def piece(self, now: float) -> float:
        """Return no time at all."""
        super().piece(now)
        return 0.0

    def is_rest_due(self, now: float) -> bool:
        """Return that it need not be seen at rest."""
        del now
        return False

    def leave_at_rest(self, now: float) -> None:
        """Ask on at once."""
        del now

    def tick(self, now: float, late: float) -> None:
        """Find nothing wrong."""
        del now, late

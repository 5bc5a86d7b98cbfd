"""A duel before it is played, and after."""

from typing import NamedTuple

from referee.arena.fault import Fault
from referee.engine.cards import Seat
from referee.engine.dealing import table_seed
from referee.engine.record import MatchRecord, SeededDeal


class Duel(NamedTuple):
    """A match of A against B in each room, on the same deals."""

    number: int
    """Its place in the session, which is also the order blame is looked for in."""
    dealt: SeededDeal
    first_dealer: Seat

    def seed(self, seat: Seat) -> int:
        """Return the random bits of a bot in a seat."""
        return table_seed(*self.dealt, seat)


class Timing(NamedTuple):
    """How long one decision took, as it was charged."""

    seconds: float
    room: int
    hand: int
    seat: Seat
    decision: str
    """What was to be decided (``trick 3``)."""


class MatchResult(NamedTuple):
    """How one match of a duel ended."""

    duel: Duel
    record: MatchRecord
    faults: tuple[Fault, ...] = ()
    slowest: tuple[Timing | None, Timing | None] = (None, None)
    """Each entrant's slowest decision."""


class DuelResult(NamedTuple):
    """How a duel ended."""

    duel: Duel
    rooms: tuple[MatchRecord, ...]
    """The match of each room."""
    faults: tuple[Fault, ...]
    slowest: tuple[Timing | None, Timing | None]
    """Each entrant's slowest decision."""


class Voided(NamedTuple):
    """A duel that counts for nobody."""

    duel: Duel
    reason: str

"""One match in one room: its state, its banks and its record."""

from math import inf

from referee.arena.clock import Bank
from referee.arena.duel import Duel, Timing, entrant_at
from referee.arena.fault import Violation
from referee.arena.limits import Terms
from referee.engine.cards import Action, Seat
from referee.engine.game import State
from referee.engine.record import Scoresheet


class OpenMatch:
    """A match in play."""

    __slots__ = (
        "at_least",
        "banks",
        "duel",
        "faults",
        "number",
        "room",
        "sheet",
        "slowest",
    )

    def __init__(self, terms: Terms, duel: Duel, room: int, number: int) -> None:
        """Deal a match, which bots know by a number."""
        self.duel = duel
        self.room = room
        self.number = number
        self.banks = [Bank(terms.limits) for _ in range(4)]
        self.faults = [0, 0]
        """Of each entrant."""
        self.slowest: list[Timing | None] = [None, None]
        self.at_least = terms.at_least
        self.sheet = Scoresheet(terms.game, duel.first_dealer, duel.dealt)

    def skip_forced(self, state: State) -> Seat | None:
        """Make the moves that leave no choice; return who is to decide, None if it is over."""
        at_least, play = self.at_least, self.sheet.play
        while state.actor is not None:
            legal = state.legal
            if len(legal) >= at_least:
                return state.actor
            state = play(legal[0])
        return None

    def play(self, action: Action) -> Seat | None:
        """Play a legal action; return who is to decide next."""
        return self.skip_forced(self.sheet.play(action))

    def note_time(self, seconds: float) -> None:
        """Note how long the decision took that is about to be played, if none took longer."""
        sheet = self.sheet
        seat = sheet.state.actor
        assert seat is not None
        entrant = entrant_at(self.room, seat)
        slowest = self.slowest[entrant]
        if slowest is None or seconds > slowest.seconds:
            decision = sheet.state.decision
            self.slowest[entrant] = Timing(seconds, self.room, sheet.match.hand, seat, decision)

    def charge(self, seconds: float) -> Violation | None:
        """Charge the decision that is about to be played; return what is wrong, if anything is."""
        seat = self.sheet.state.actor
        assert seat is not None
        return self.banks[seat].charge(seconds)

    def time_left(self, seat: Seat) -> float:
        """Return what is left of a seat's time, 0 if that is not limited."""
        left = self.banks[seat].left
        return 0.0 if left == inf else max(0.001, left)

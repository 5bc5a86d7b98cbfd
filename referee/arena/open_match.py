"""One match in one room: its state, its banks and its record."""

from collections.abc import Iterator
from math import inf

from referee.arena.clock import Bank
from referee.arena.duel import Duel, Timing
from referee.arena.fault import Violation
from referee.arena.limits import Terms
from referee.engine.cards import Action, Seat
from referee.engine.game import State
from referee.engine.record import MatchPosition, Scoresheet
from referee.engine.seating import entrant_at


class OpenMatch:
    """A match in play."""

    __slots__ = (
        "at_least",
        "banks",
        "duel",
        "faults",
        "left_out",
        "number",
        "room",
        "sheet",
        "slowest",
    )

    def __init__(self, terms: Terms, duel: Duel, room: int, number: int) -> None:
        """Deal a match, which bots know by a number.

        Raises:
            GameError: the rules cannot go on.
        """
        self.duel = duel
        self.room = room
        self.number = number
        self.banks = [Bank(terms.limits) for _ in terms.game.seats]
        self.faults = [0, 0]
        """Of each entrant."""
        self.left_out: set[int] = set()
        """The decisions at which a process failed, by how many actions were played before."""
        self.slowest: list[Timing | None] = [None, None]
        self.at_least = terms.at_least
        self.sheet = Scoresheet(terms.game, duel.first_dealer, duel.dealt)

    def skip_forced(self, state: State) -> Seat | None:
        """Make the moves that leave no choice; return who is to decide, None if it is over.

        Raises:
            GameError: the rules cannot go on.
        """
        at_least, play = self.at_least, self.sheet.play
        while state.actor is not None:
            legal = state.legal
            if len(legal) >= at_least:
                return state.actor
            state = play(legal[0])
        return None

    def play(self, action: Action) -> Seat | None:
        """Play a legal action; return who is to decide next.

        Raises:
            GameError: the rules cannot go on.
        """
        return self.skip_forced(self.sheet.play(action))

    def earlier(self, seat: Seat) -> Iterator[MatchPosition]:
        """Yield the decisions of a seat so far, but for those at which its process failed."""
        for position in self.sheet.positions():
            state = position.state
            is_asked = state.actor == seat and len(state.legal) >= self.at_least
            if is_asked and position.actions not in self.left_out:
                yield position

    def note_time(self, seconds: float) -> None:
        """Note how long the decision took that is about to be played, if none took longer."""
        sheet = self.sheet
        seat = sheet.state.actor
        assert seat is not None
        entrant = entrant_at(sheet.match.game, self.room, seat)
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

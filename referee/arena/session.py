"""Plays the duels of one pairing: all matches of the first room, then all of the next.

The next room is asked for only when the one before is over, and its caller sees to it that no
process of that is left by then. So nothing that a bot knows of a deal reaches a room in which the
same deal is played from another seat.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from referee.arena.duel import Duel, DuelResult, MatchResult, Timing, Voided
from referee.arena.fault import StartFailure
from referee.arena.limits import Terms
from referee.arena.room import Room
from referee.engine.cards import Seat
from referee.engine.seating import rooms

Outcome = DuelResult | Voided | StartFailure
"""How a duel ended, or that an entrant failed to start and so ended the session."""


def _nothing(_: Duel) -> None:
    pass


class PairingSession:
    """The duels of two entrants, whose rooms are played one after the other."""

    def __init__(  # noqa: PLR0913 (each is a port of its own)
        self,
        terms: Terms,
        duels: Sequence[Duel],
        clock: Callable[[], float],
        draw_number: Callable[[], int],
        finished: Callable[[Outcome], None],
        *,
        half_played: Callable[[Duel], None] = _nothing,
        untimed: tuple[int, Seat] | None = None,
    ) -> None:
        """Prepare duels to be played.

        Args:
            terms: what is played.
            duels: the duels.
            clock: returns the time in seconds.
            draw_number: returns what bots know a match by.
            finished: takes each duel when all of its matches are over, or when it is void, and
                that an entrant failed to start, after which nothing else comes.
            half_played: takes each duel of which half of the matches are over.
            untimed: the entrant and the seat of a process whose time does not count.
        """
        self._terms = terms
        self._clock = clock
        self._draw_number = draw_number
        self._pass_on = finished
        self._half_played = half_played
        self._untimed = untimed
        self._duels = list(duels)
        self._count = len(rooms(terms.game))
        """How many rooms there are."""
        self._begun: dict[int, list[MatchResult]] = {}
        """The matches of the duels that are not over, by number."""
        self._room: Room | None = None
        self._winding_up = False

    def rooms(self) -> Iterator[Room]:
        """Yield each room to be played, the next one when the one before is over."""
        for number in range(self._count):
            duels = self._next_matches() if number else self._duels
            self._room = Room(
                self._terms,
                number,
                duels,
                clock=self._clock,
                draw_number=self._draw_number,
                ended=self._ended,
                untimed=self._untimed,
            )
            if self._winding_up:
                self.wind_up()
            if not self._room.finished:
                yield self._room

    def wind_up(self) -> None:
        """Begin no other duel; of those that are begun, all matches are played to the end.

        The others are not reported, nor are those with a fault in a room that is over: who stops a
        session may have signalled the bots as well.
        """
        self._winding_up = True
        if self._room and self._room.number == 0:
            self._room.wind_up()

    def void(self, reason: str) -> None:
        """Make all duels void that were to go on in the next room: it cannot be played."""
        for duel in self._going_on():
            self._pass_on(Voided(duel, reason))
        self._begun.clear()

    def _next_matches(self) -> list[Duel]:
        return [
            duel
            for duel in self._going_on()
            if not (self._winding_up and any(match.faults for match in self._begun[duel.number]))
        ]

    def _going_on(self) -> list[Duel]:
        """Return the duels whose matches are over in all rooms so far, and that have another."""
        played = self._room.number + 1 if self._room else 0
        return [duel for duel in self._duels if len(self._begun.get(duel.number, ())) == played]

    def _ended(self, outcome: MatchResult | Voided | StartFailure) -> None:
        if isinstance(outcome, StartFailure):
            self._begun.clear()
            self._pass_on(outcome)
            return
        matches = self._begun.pop(outcome.duel.number, [])
        if isinstance(outcome, Voided):
            self._pass_on(outcome)
            return
        matches.append(outcome)
        if len(matches) == self._count:
            self._pass_on(_joined(matches))
            return
        self._begun[outcome.duel.number] = matches
        if 2 * len(matches) == self._count:
            self._half_played(outcome.duel)


def _joined(matches: Sequence[MatchResult]) -> DuelResult:
    one, other = zip(*(match.slowest for match in matches), strict=True)
    return DuelResult(
        matches[0].duel,
        tuple(match.record for match in matches),
        tuple(chain.from_iterable(match.faults for match in matches)),
        (_slowest(one), _slowest(other)),
    )


def _slowest(timings: Sequence[Timing | None]) -> Timing | None:
    return max(filter(None, timings), default=None)

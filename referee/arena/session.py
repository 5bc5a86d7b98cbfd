"""Plays the duels of one pairing: first all matches of the open room, then those of the closed one.

The second room is asked for only when the first is over, and its caller sees to it that no process
of the first is left by then. So nothing that a bot knows of a deal reaches the room in which the
same deal is played by the other side.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from referee.arena.duel import Duel, DuelResult, MatchResult, Timing, Voided
from referee.arena.fault import StartFailure
from referee.arena.limits import Terms
from referee.arena.room import Room

ROOMS: Final = (0, 1)

Outcome = DuelResult | Voided | StartFailure
"""How a duel ended, or that an entrant failed to start and so ended the session."""


def _nothing(_: Duel) -> None:
    pass


class Session:
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
    ) -> None:
        """Prepare duels to be played.

        Args:
            terms: what is played.
            duels: the duels.
            clock: returns the time in seconds.
            draw_number: returns what bots know a match by.
            finished: takes each duel when both of its matches are over, or when it is void, and
                that an entrant failed to start, after which nothing else comes.
            half_played: takes each duel whose first match is over.
        """
        self._terms = terms
        self._clock = clock
        self._draw_number = draw_number
        self._pass_on = finished
        self._half_played = half_played
        self._duels = list(duels)
        self._halves: dict[int, MatchResult] = {}
        """The first matches of the duels that are not over, by number."""
        self._room: Room | None = None
        self._winding_up = False

    def rooms(self) -> Iterator[Room]:
        """Yield each room to be played, the second one when the first is over."""
        for number in ROOMS:
            duels = self._second_matches() if number else self._duels
            self._room = Room(
                self._terms,
                number,
                duels,
                clock=self._clock,
                draw_number=self._draw_number,
                ended=self._ended,
            )
            if self._winding_up:
                self.wind_up()
            if not self._room.finished:
                yield self._room

    def wind_up(self) -> None:
        """Begin no other duel; of those that are begun, both matches are played to the end.

        The others are not reported, nor are those with a fault in the first match: who stops a
        session may have signalled the bots as well.
        """
        self._winding_up = True
        if self._room and self._room.number == 0:
            self._room.wind_up()

    def void(self, reason: str) -> None:
        """Make all duels void whose second match is still to be begun: it cannot be played."""
        if self._room and self._room.number:
            return
        for half in self._halves.values():
            self._pass_on(Voided(half.duel, reason))
        self._halves.clear()

    def _second_matches(self) -> list[Duel]:
        halves = self._halves.values()
        duels = {half.duel for half in halves if not (self._winding_up and half.faults)}
        return [duel for duel in self._duels if duel in duels]

    def _ended(self, outcome: MatchResult | Voided | StartFailure) -> None:
        if isinstance(outcome, StartFailure):
            self._halves.clear()
            self._pass_on(outcome)
            return
        first = self._halves.pop(outcome.duel.number, None)
        if isinstance(outcome, Voided):
            self._pass_on(outcome)
        elif first:
            self._pass_on(_joined(first, outcome))
        else:
            self._halves[outcome.duel.number] = outcome
            self._half_played(outcome.duel)


def _joined(first: MatchResult, second: MatchResult) -> DuelResult:
    one, other = zip(first.slowest, second.slowest, strict=True)
    return DuelResult(
        first.duel,
        (first.record, second.record),
        first.faults + second.faults,
        (_slowest(one), _slowest(other)),
    )


def _slowest(timings: Sequence[Timing | None]) -> Timing | None:
    return max(filter(None, timings), default=None)

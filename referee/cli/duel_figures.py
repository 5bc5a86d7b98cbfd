"""What duels add up to: who won how often and by how much, and what took long."""

from typing import Final, NamedTuple

from referee.arena.duel import Timing
from referee.arena.fault import ROOM_NAMES, Fault
from referee.cli.playing import Played
from referee.engine.cards import SEAT_NAMES
from referee.ratings.points import Margin, points_per_hand

_SLOWEST: Final = 3
"""How many slow decisions of each bot are told."""


class Tally(NamedTuple):
    """How one of the two did."""

    name: str
    won: int
    drawn: int
    lost: int
    matches: int
    """How many it won."""
    margin: Margin


class Slow(NamedTuple):
    """A decision that took long."""

    duel: int
    timing: Timing

    @property
    def where(self) -> str:
        """Return where it was made."""
        _, room, hand, seat, decision = self.timing
        return (
            f"duel {self.duel + 1}, {ROOM_NAMES[room]} room, hand {hand + 1}, "
            f"{SEAT_NAMES[seat]}, {decision}"
        )


def tallies(played: Played) -> tuple[Tally, Tally]:
    """Add up for both."""
    wins = [result.wins for result in played.results]
    margin = points_per_hand([result.rooms for result in played.results])
    won, drawn, lost = (sum(wins_of_a == count for wins_of_a, _ in wins) for count in (2, 1, 0))
    matches = sum(wins_of_a for wins_of_a, _ in wins)
    first, second = played.names
    return (
        Tally(first, won, drawn, lost, matches, margin),
        Tally(second, lost, drawn, won, 2 * len(wins) - matches, _turned(margin)),
    )


def _turned(margin: Margin) -> Margin:
    return margin if margin.mean is None else margin._replace(mean=0.0 - margin.mean)


def slowest(played: Played, entrant: int) -> list[Slow]:
    """Return the slowest decisions of one of the two, each of another duel."""
    found = [
        Slow(result.duel.number, timing)
        for result in played.results
        if (timing := result.slowest[entrant])
    ]
    return sorted(found, key=lambda slow: -slow.timing.seconds)[:_SLOWEST]


def all_faults(played: Played) -> list[Fault]:
    """List the faults of all duels, in their order."""
    return [fault for result in played.results for fault in result.faults]

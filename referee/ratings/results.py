"""What the ratings are made from: how each duel went, by the numbers of its entrants."""

from collections.abc import Sequence
from typing import NamedTuple

from referee.engine.record import MatchRecord
from referee.engine.seating import entrant_at, sides_of

LOST, DRAWN, WON = 0, 1, 2
"""How a duel went for an entrant; of two matches that somebody wins, how many it won."""


class Result(NamedTuple):
    """How a duel went."""

    first: int
    """A's number in the league."""
    second: int
    """B's."""
    number: int
    """Of the duel in its pairing, from 0."""
    wins: int
    """How it went for A: `LOST`, `DRAWN` or `WON`."""
    margin: float
    """What A won over all hands that count, in points (`referee.ratings.points`)."""
    hands: int
    """How many hands count: those dealt in all rooms."""
    faults: tuple[int, int]
    """How often each was at fault."""


Won = tuple[int, int, int, int]
"""The first four of these alone, which are all that ratings need."""


def outcome(rooms: Sequence[MatchRecord]) -> int:
    """Return how a duel went for A: `LOST`, `DRAWN` or `WON`.

    In each room every side of A is compared with every side of B; who is ahead more often has won.
    """
    ahead = sum(lead(room, record) for room, record in enumerate(rooms))
    return DRAWN + (ahead > 0) - (ahead < 0)


def lead(room: int, record: MatchRecord) -> int:
    """Return how much more often a side of A finished before one of B in a match than after it.

    An entrant that forfeited is behind with all of its sides, for none of them plays on.
    """
    game, places = record.game, record.places
    ours, theirs = (sides_of(game, room, entrant) for entrant in (0, 1))
    if record.forfeit:
        won = entrant_at(game, room, record.forfeit.seat)
        return len(ours) * len(theirs) * (1 if won else -1)
    pairs = ((places[own], places[other]) for own in ours for other in theirs)
    return sum((own < other) - (own > other) for own, other in pairs)


def matches_won(rooms: Sequence[MatchRecord]) -> tuple[int, int]:
    """Return in how many rooms of a duel A was ahead, and in how many B was."""
    leads = [lead(room, record) for room, record in enumerate(rooms)]
    return sum(each > 0 for each in leads), sum(each < 0 for each in leads)

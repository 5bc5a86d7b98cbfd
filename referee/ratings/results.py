"""What the ratings are made from: how each duel went, by the numbers of its entrants."""

from typing import NamedTuple


class Result(NamedTuple):
    """How a duel went."""

    first: int
    """A's number in the league."""
    second: int
    """B's."""
    number: int
    """Of the duel in its pairing, from 0."""
    wins: int
    """How many of the two matches A won."""
    margin: float
    """What A won over all hands that count, in points (`referee.ratings.points`)."""
    hands: int
    """How many hands count: those dealt in both rooms."""
    faults: tuple[int, int]
    """How often each was at fault."""


Won = tuple[int, int, int, int]
"""The first four of these alone, which are all that ratings need."""

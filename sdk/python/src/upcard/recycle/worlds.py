"""Positions that agree with what a player sees."""

from collections.abc import Callable

from upcard.recycle.position import Position
from upcard.recycle.program import Program
from upcard.recycle.values import Seen, Source


def world(program: Program, view: Seen, draw: Callable[[int], int], source: Source) -> Position:
    """Return a position that agrees with what somebody sees, the rest dealt at random.

    Args:
        program: the program that is played.
        view: what is seen of the position.
        draw: returns a random number below the one it is given.
        source: where the new position takes its own shuffles and draws from.
    """
    raise NotImplementedError

"""Who sits where in the rooms of a duel: two entrants, whatever the number of sides.

Each plays every side as often as the other, on the same deals. With an even number of sides they
take turns around the table and change places once; with an odd number one of them has a side more
in a room, so they also move on by a side at a time, until each has sat at every side as often.
"""

from functools import cache
from typing import Final

from referee.engine.cards import Seat, Side
from referee.engine.game import Game

Seating = tuple[int, ...]
"""Who plays each side: 0 is A, 1 is B."""
_TWO_ROOMS: Final = ("open", "closed")


def rooms(game: Game) -> tuple[Seating, ...]:
    """Return the seating of each room of a duel."""
    return rooms_of_sides(len(game.side_names))


@cache
def rooms_of_sides(sides: int) -> tuple[Seating, ...]:
    """Return the same of any game of so many sides."""
    moves = range(sides if sides % 2 else 1)
    return tuple(
        tuple((side - move) % sides % 2 ^ swapped for side in range(sides))
        for move in moves
        for swapped in (0, 1)
    )


def entrant_at(game: Game, room: int, seat: Seat) -> int:
    """Return which entrant sits there."""
    return rooms(game)[room][game.sides[seat]]


def sides_of(game: Game, room: int, entrant: int) -> tuple[Side, ...]:
    """Return the sides that an entrant plays in a room."""
    return tuple(side for side, who in enumerate(rooms(game)[room]) if who == entrant)


def room_names(game: Game) -> tuple[str, ...]:
    """Return what the rooms of a duel are called: open and closed, or by their numbers."""
    count = len(rooms(game))
    return (
        _TWO_ROOMS
        if count == len(_TWO_ROOMS)
        else tuple(f"room {number}" for number in range(1, count + 1))
    )


def room_title(name: str) -> str:
    """Return the name of a room as a sentence has it: ``open room``, ``room 3``."""
    return f"{name} room" if name in _TWO_ROOMS else name

"""What a player may know of a position."""

from upcard.recycle.position import Position
from upcard.recycle.values import Seen


def seen(position: Position, player: int | None) -> Seen:
    """Return what a player may know of a position; for None, what everybody may."""
    raise NotImplementedError

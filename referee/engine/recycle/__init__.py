"""Games that a program in RECYCLE describes (`docs/recycle.md`), played by `upcard.recycle`.

======== ============================================================================
`game`    a program as a game: its seats and sides, and how hands make a match
`hand`    a hand in play, and what a seat may know of it
`opened`  a hand with every card open, once it is over
`wording` moves in words
`draws`   the shuffles and other random numbers of a hand, from its seed
======== ============================================================================
"""

from referee.engine.recycle.game import Recycle, RecycleRules
from referee.engine.recycle.hand import STOPPED, RecycleView
from referee.engine.recycle.opened import OpenHand, OpenPlace, PlaceName, ValueName, move_of, opened
from referee.engine.recycle.wording import TABLE

__all__ = [
    "STOPPED",
    "TABLE",
    "OpenHand",
    "OpenPlace",
    "PlaceName",
    "Recycle",
    "RecycleRules",
    "RecycleView",
    "ValueName",
    "move_of",
    "opened",
]

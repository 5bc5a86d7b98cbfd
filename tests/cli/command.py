"""The command `upcard` as tests start it: bots have time, and the sandbox is examined once."""

import sys
from typing import Final

from referee.arena.limits import TimeLimits
from referee.cli import main

LIMITS: Final = (20.0, 60.0, 0.0, 0.0)
"""The time limits where no others are named: the tests are not about how fast the machine is."""
_PLAY: Final = ("bots", "check", "demo", "duel", "league", "try", "worker")
"""Who does not play starts faster without what opens sandboxes."""


def run() -> None:
    """Run the command line."""
    TimeLimits.__new__.__defaults__ = LIMITS
    if sys.argv[1:2] and sys.argv[1] in _PLAY:
        from tests.examining import share_examinations  # noqa: PLC0415 (takes a while)

        share_examinations()
    main()

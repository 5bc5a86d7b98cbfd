"""A bot that does what its first argument says, to see what becomes of it."""

import os
import sys
import time
from pathlib import Path

import upcard

HEARD = Path(os.environ.get("HEARD", os.devnull))
"""Is there once a first answer has been heard."""


class First(upcard.Bot):
    """Always takes the first action."""

    def choose(self, _view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        return legal[0]


class Raise(First):
    """Fails at its third decision at a table."""

    def __init__(self) -> None:
        self.decisions = 0

    def choose(self, view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        self.decisions += 1
        if self.decisions == 3:
            raise RuntimeError("the probe fails on purpose")
        return super().choose(view, legal)


class Illegal(upcard.Bot):
    """Returns what is no legal action."""

    def choose(self, _view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        plays = (f"play:{card}" for card in upcard.EuchreView.pack)
        return next(play for play in plays if play not in legal)


class Slow(First):
    """Computes for a while, and from its sixth decision on until its first ones have been heard."""

    def choose(self, view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        compute(0.03, waits=view.turn > 5)
        return super().choose(view, legal)


class Block(First):
    """Computes at its second decision until its first one has been heard."""

    def choose(self, view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        compute(0, waits=view.turn > 1)
        return super().choose(view, legal)


def compute(least: float, *, waits: bool) -> None:
    """Compute for so many seconds, or until an answer has been heard."""
    begun = time.monotonic()
    while (taken := time.monotonic() - begun) < least or (waits and not HEARD.exists()):
        if taken > 60:
            raise RuntimeError("nothing was heard while the probe was computing")


class Log(First):
    """Says a word to its author."""

    def choose(self, view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        upcard.log("a word from the probe")
        return super().choose(view, legal)


KINDS = {
    "first": First,
    "raise": Raise,
    "illegal": Illegal,
    "slow": Slow,
    "block": Block,
    "log": Log,
}

if __name__ == "__main__":
    upcard.run(KINDS[sys.argv[1]])

"""A bot that does what its first argument says, to see what becomes of it."""

import sys
import time

import upcard


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
    """Thinks for a while."""

    def choose(self, view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        time.sleep(0.03)
        return super().choose(view, legal)


class Log(First):
    """Says a word to its author."""

    def choose(self, view: upcard.View, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        upcard.log("a word from the probe")
        return super().choose(view, legal)


KINDS = {"first": First, "raise": Raise, "illegal": Illegal, "slow": Slow, "log": Log}

if __name__ == "__main__":
    upcard.run(KINDS[sys.argv[1]])

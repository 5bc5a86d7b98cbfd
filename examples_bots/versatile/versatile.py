"""A player of any game that is described in RECYCLE: it knows no game, only how to try.

The referee sends the program of the game. What this player cannot see it deals at random, tries
each of its moves in that world, lets everybody play on at random, and looks who is ahead in the
end. The page `search` has the method.
"""

import argparse
import time

import search

import upcard


def player(seconds: float, tries: int | None) -> type[upcard.Bot]:
    """Return a bot that thinks for so long about a decision, or tries so often."""

    class Versatile(upcard.Bot):
        """Try the moves there are."""

        def act(self, view: upcard.RecycleView, legal: tuple[upcard.Action, ...]) -> upcard.Action:
            """Return the move that did best."""
            if len(legal) == 1:
                return legal[0]
            end = time.monotonic() + seconds
            left = iter(range(tries)) if tries is not None else None

            def may_try() -> bool:
                return time.monotonic() < end if left is None else next(left, None) is not None

            return legal[search.best_move(view, self.random, may_try)]

    return Versatile


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget-ms", type=float, default=50, help="time for a decision")
    parser.add_argument("--tries", type=int, help="tries for a decision, however long they take")
    asked = parser.parse_args()
    upcard.run(player(asked.budget_ms / 1000, asked.tries))

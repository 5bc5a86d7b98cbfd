"""A described game of two in which each may bring about that the hand cannot go on."""

from typing import Final

from referee.engine.recycle import Recycle

GOES_ON: Final = 0
"""The option that goes on; it scores a point."""
BREAKS: Final = 1
"""The option after which nothing can be done."""
PROGRAM: Final = """
(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C, D)))))
  (stage player
    (end (== (game sto MOVES) 2))
    (choice (
      (do ((inc (game sto MOVES)) (inc ((current player) sto SCORE))))
      (set (game sto BROKEN) 1)))
    (do (
      ((== (game sto BROKEN) 1)
        (move (top (game vloc NOTHING)) (top (game iloc STOCK)))))))
  (scoring max ((current player) sto SCORE)))
"""
REASON: Final = "line 11, column 9: "
"""How what is said of that begins."""


def breaking(hands: int = 2) -> Recycle:
    """Return the game."""
    return Recycle.with_rules({"name": "breaking", "program": PROGRAM, "hands": hands})

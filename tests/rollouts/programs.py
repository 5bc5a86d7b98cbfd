"""Small programs, and what random play comes to."""

from typing import Final

from referee.rollouts.checking import Finding, Level, Rollouts, findings, play_rollouts
from upcard.recycle import Program, read

SEED: Final = bytes(range(32))
SOUND: Final = """\
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (ONE, TWO, THREE, FOUR, FIVE, SIX)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
    (move (top (game iloc STOCK)) (top (game vloc TABLE)))))
  (stage player
    (end (all player 'P (== (size ('P iloc HAND)) 1)))
    (choice (
      (any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc SHOWN)))))))
  (do (
    (set (game points WORTH) (((RANK : ONE) 1) ((RANK : TWO) 2) ((RANK : THREE) 3)
                              ((RANK : FOUR) 4) ((RANK : FIVE) 5) ((RANK : SIX) 6)))))
  (scoring max (sum ((current player) vloc SHOWN) using (game points WORTH))))
"""
"""Each player shows one of two cards, and the higher one wins."""
WIDE: Final = """\
(game
  (setup
    (create players 2)
    (repeat 250 (create deck (game iloc STOCK) (deck (RANK (ONE))))))
  (do (
    (repeat 250 (do (
      (inc (game sto PLACE))
      (move (top (game iloc STOCK)) (top (game vloc TABLE (game sto PLACE)))))))))
  (choice ((turn pass)))
  (scoring max 0))
"""
"""Its cards lie at more places than a picture has."""
STUCK: Final = """\
(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (ONE)))))
  (choice (((== 1 2) (set (game sto OVER) 1))))
  (scoring max ((current player) sto SCORE)))
"""
"""Nobody can go on."""


def program(*parts: str, cards: str = "ONE, TWO", score: str = "0") -> Program:
    """Return a program for two players with these parts."""
    deck = f"(create deck (game iloc STOCK) (deck (RANK ({cards}))))"
    lines = ["(game", f"(setup (create players 2) {deck})", *parts, f"(scoring max {score}))"]
    return read("\n".join(lines))


def rolled_out(played: Program, count: int = 20) -> Rollouts:
    """Play some rollouts."""
    rollouts = Rollouts(played, SEED)
    for _ in play_rollouts(rollouts, count):
        pass
    return rollouts


def said(played: Program, level: Level) -> list[tuple[int, str]]:
    """Return the line and the words of all findings of a level."""
    return [
        (each.line, each.message) for each in findings(rolled_out(played)) if each.level is level
    ]


def first(played: Program) -> Finding:
    """Return the gravest finding."""
    return findings(rolled_out(played))[0]

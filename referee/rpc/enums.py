"""The words of the card table in the order of their numbers on the wire, which begin at 1."""

from typing import Final

from referee.engine.cards import RANKS, SUITS, Action, Card

CARDS: Final = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
CALLS: Final = (
    *map(Action, ("pass", "order_up", "order_up_alone")),
    *(Action(f"{call}:{suit}") for call in ("name", "name_alone") for suit in SUITS),
)
PHASES: Final = ("bidding", "discarding", "playing")

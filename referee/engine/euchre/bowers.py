"""The two jacks that outrank every other card once trump is fixed.

The right bower is the jack of trump, the left bower the jack of the other suit of its colour. The
left bower is a trump for every purpose, and no card of the suit printed on it (rules: "Bowers").
"""

from typing import Final

from referee.engine.cards import Card, Pack, Suit, rank, suit

PACK: Final = Pack("9TJQKA")
_SAME_COLOUR: Final = {"C": Suit("S"), "S": Suit("C"), "D": Suit("H"), "H": Suit("D")}


def right_bower(trump: Suit) -> Card:
    """Return the highest card of all."""
    return Card("J" + trump)


def left_bower(trump: Suit) -> Card:
    """Return the second highest trump."""
    return Card("J" + _SAME_COLOUR[trump])


def effective_suit(card: Card, trump: Suit) -> Suit:
    """Return the suit a card counts as when `trump` is trump."""
    return trump if card == left_bower(trump) else suit(card)


def strength(card: Card, trump: Suit) -> int:
    """Rank a card among those of its effective suit."""
    ladder = [*"9TJQKA", left_bower(trump), right_bower(trump)]
    return ladder.index(card if card in ladder else rank(card))

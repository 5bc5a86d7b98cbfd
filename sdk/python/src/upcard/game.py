"""What cards are worth in a game, and which may be played: all that needs no view."""

from collections.abc import Callable, Sequence
from typing import Final

from upcard.cards import SUITS, Card, Seat, Suit


class Game:
    """The cards of a game, for any trump suit; None is for no trump.

    There are two, `upcard.EUCHRE` and `upcard.WHIST`. They need no view, so you can name a suit, or
    play a hand on, as it might go.

    >>> upcard.EUCHRE.effective_suit("JD", trump="H")
    'H'
    """

    def __init__(
        self,
        name: str,
        pack: tuple[Card, ...],
        suit: Callable[[Card, Suit | None], Suit],
        strength: Callable[[Card, Suit | None], int],
    ) -> None:
        """Take the cards and what each is worth; yours are there already."""
        self.name = name
        """``"euchre"`` or ``"whist"``."""
        self.pack = pack
        """Every card: clubs, diamonds, hearts, spades, each from the lowest rank up."""
        trumps = (None, *SUITS)
        self._suits = {trump: {card: suit(card, trump) for card in pack} for trump in trumps}
        self._strengths = {
            trump: {card: strength(card, trump) for card in pack} for trump in trumps
        }

    def effective_suit(self, card: Card, trump: Suit | None) -> Suit:
        """Return the suit a card counts as: the left bower is a trump."""
        return self._suits[trump][card]

    def strength(self, card: Card, trump: Suit | None) -> int:
        """Return the strength of a card in its effective suit, the higher the stronger."""
        return self._strengths[trump][card]

    def beats(self, card: Card, other: Card, trump: Suit | None) -> bool:
        """Return whether a card takes the trick over from another that is winning it.

        >>> upcard.EUCHRE.beats("9H", "AS", trump="H")
        True
        """
        suits = self._suits[trump]
        if suits[card] != suits[other]:
            return suits[card] == trump
        strengths = self._strengths[trump]
        return strengths[card] > strengths[other]

    def winning_card(self, trick: Sequence[Card], trump: Suit | None) -> Card | None:
        """Return the card that wins a trick so far, the led one first; None of an empty one.

        >>> upcard.EUCHRE.winning_card(["AS", "9H", "JD"], trump="H")
        'JD'
        """
        if not trick:
            return None
        best = trick[0]
        for card in trick[1:]:
            if self.beats(card, best, trump):
                best = card
        return best

    def winning_seat(
        self, leader: Seat, trick: Sequence[Card], trump: Suit | None, sits_out: Seat | None = None
    ) -> Seat | None:
        """Return who wins a trick so far."""
        card = self.winning_card(trick, trump)
        return None if card is None else ORDERS[sits_out][leader][trick.index(card)]

    def legal_plays(
        self, hand: Sequence[Card], led: Card | None, trump: Suit | None
    ) -> tuple[Card, ...]:
        """Return the cards of a hand that may be played: those of the suit led, if there are any.

        >>> upcard.EUCHRE.legal_plays(["JD", "AD", "QS"], led="9H", trump="H")
        ('JD',)
        """
        if led is None:
            return tuple(hand)
        suits = self._suits[trump]
        return tuple([card for card in hand if suits[card] == suits[led]]) or tuple(hand)


def _order(leader: Seat, sits_out: Seat | None) -> tuple[Seat, ...]:
    around = ((leader + turn) % 4 for turn in range(4))
    return tuple(seat for seat in around if seat != sits_out)


ORDERS: Final = {
    sits_out: tuple(_order(leader, sits_out) for leader in range(4))
    for sits_out in (None, 0, 1, 2, 3)
}
"""Who plays to a trick, by the seat that sits out and the leader."""

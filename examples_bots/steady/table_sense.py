"""What a player of any trick game watches: which cards cannot be beaten, and what a card costs."""

from collections.abc import Iterable

from upcard import Card, View


def is_master(view: View, card: Card) -> bool:
    """Say whether nobody else can hold a higher card of its suit any more."""
    others = view.still_out(view.effective_suit(card))
    return not others or view.strength(card) > view.strength(others[0])


def is_ruff(view: View, card: Card) -> bool:
    """Say whether playing a card would trump another suit."""
    return view.suit_led != view.trump and view.effective_suit(card) == view.trump


def cheapest(view: View, cards: Iterable[Card]) -> Card:
    """Return the card to miss least: rather no trump, no master, a low one, from a short suit."""

    def price(card: Card) -> tuple[bool, bool, int, int]:
        suit = view.effective_suit(card)
        return suit == view.trump, is_master(view, card), view.strength(card), _length(view, card)

    return min(cards, key=price)


def from_shortest(view: View, cards: Iterable[Card]) -> Card:
    """Return a card of our shortest suit, where others follow longest; of several, the highest."""
    return min(cards, key=lambda card: (_length(view, card), -view.strength(card)))


def _length(view: View, card: Card) -> int:
    return len(view.holding(view.effective_suit(card)))

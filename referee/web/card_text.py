"""Cards as text: rank and suit in one of four colours, with a name for screen readers."""

from typing import Final

from markupsafe import Markup, escape

from referee.engine.cards import RANKS, SUITS

SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_WORDS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANK_WORDS: Final = dict(
    zip(
        RANKS,
        (
            *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *("jack", "queen", "king", "ace"),
        ),
        strict=True,
    )
)
WORDS: Final = {
    f"{rank}{suit}": f"{_RANK_WORDS[rank]} of {SUIT_WORDS[suit]}"
    for suit in SUITS
    for rank in RANKS
}
"""The name of each card."""


def _index(card: str) -> str:
    return f"{card[0].replace('T', '10')}{SUIT_SIGNS[card[1]]}"


_CARDS: Final = {
    card: Markup('<span class="card {}" role="img" aria-label="{}">{}</span>').format(
        card[1].lower(), words, _index(card)
    )
    for card, words in WORDS.items()
}
_LINK_ENDS: Final = {
    card: Markup('" class="card {}" aria-label="{}">{}</a>').format(
        card[1].lower(), words, _index(card)
    )
    for card, words in WORDS.items()
}
_LINK_START: Final = Markup('<a href="')


def card_text(card: str) -> Markup:
    """Return a card as HTML."""
    return _CARDS[card]


def card_link(card: str, address: str) -> Markup:
    """Return a card as a link."""
    return _LINK_START + escape(address) + _LINK_ENDS[card]

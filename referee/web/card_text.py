"""Cards in letters: rank and suit, in four colours, with a name that can be read out."""

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
"""Every card in words."""


def _index(card: str) -> str:
    return f"{card[0].replace('T', '10')}{SUIT_SIGNS[card[1]]}"


_FACES: Final = {
    card: Markup('<span class="card {}" role="img" aria-label="{}">{}</span>').format(
        card[1].lower(), words, _index(card)
    )
    for card, words in WORDS.items()
}
_LINKED: Final = {
    card: Markup('" class="card {}" aria-label="{}">{}</a>').format(
        card[1].lower(), words, _index(card)
    )
    for card, words in WORDS.items()
}
_LINK: Final = Markup('<a href="')


def card_text(card: str) -> Markup:
    """Show a card."""
    return _FACES[card]


def linked(card: str, address: str) -> Markup:
    """Show a card that leads somewhere; the address is ours."""
    return _LINK + escape(address) + _LINKED[card]

"""Whist as a seat sees it, and what it may do."""

from typing import ClassVar, Final

from upcard.cards import CARD_OF, CARDS, PLAY_OF, RANKS, Action, Card, Rules, Suit
from upcard.game import Game
from upcard.lazy import lazy
from upcard.v1.whist_pb2 import WhistRules
from upcard.v1.whist_pb2 import WhistView as Message
from upcard.view import View

WHIST: Final = Game("whist", CARDS, lambda card, _: card[1], lambda card, _: RANKS.index(card[0]))
"""The cards of whist."""


class WhistView(View):
    """What your seat knows of a hand of whist."""

    game = WHIST.name
    pack = WHIST.pack
    _game: ClassVar = WHIST
    _message: Message

    @lazy
    def trump_card(self) -> Card:
        """The last card dealt, the dealer's until she plays it."""
        return CARD_OF[self._message.trump_card]

    @lazy
    def trump(self) -> Suit:
        """The suit of the trump card."""
        return CARD_OF[self._message.trump_card][1]


def legal_actions(message: Message) -> tuple[Action, ...]:
    """List what the message offers."""
    return tuple([PLAY_OF[card] for card in message.legal_cards[:]])


def rules_of(message: WhistRules) -> Rules:
    """Read the rules."""
    return Rules(message.target)

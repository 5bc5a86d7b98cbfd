"""Euchre as a seat sees it, and what it may do."""

from typing import ClassVar, Final

from upcard.cards import (
    CALL_OF,
    CARD_OF,
    CARDS,
    DISCARD_OF,
    PLAY_OF,
    SEAT_OF,
    SUIT_OF,
    Action,
    Card,
    Rules,
    Seat,
    Suit,
)
from upcard.game import Game
from upcard.lazy import lazy
from upcard.v1.euchre_pb2 import (
    EUCHRE_PHASE_BIDDING,
    EUCHRE_PHASE_DISCARDING,
    EUCHRE_PHASE_PLAYING,
    EuchreRules,
)
from upcard.v1.euchre_pb2 import EuchreView as Message
from upcard.view import View

RANKS: Final = "9TJQKA"
PACK: Final = tuple(card for card in CARDS if card[0] in RANKS)
SAME_COLOUR: Final = {"C": "S", "S": "C", "D": "H", "H": "D"}
_PHASES: Final = {
    EUCHRE_PHASE_BIDDING: "bidding",
    EUCHRE_PHASE_DISCARDING: "discarding",
    EUCHRE_PHASE_PLAYING: "playing",
}


def _effective_suit(card: Card, trump: Suit | None) -> Suit:
    left_bower = trump and "J" + SAME_COLOUR[trump]
    return trump if trump and card == left_bower else card[1]


def _strength(card: Card, trump: Suit | None) -> int:
    bowers = ["J" + SAME_COLOUR[trump], "J" + trump] if trump else []
    ladder = [*RANKS, *bowers]
    return ladder.index(card if card in bowers else card[0])


EUCHRE: Final = Game("euchre", PACK, _effective_suit, _strength)
"""The cards of euchre."""


class EuchreView(View):
    """What your seat knows of a hand of euchre."""

    game = EUCHRE.name
    pack = EUCHRE.pack
    _game: ClassVar = EUCHRE
    _message: Message

    @lazy
    def phase(self) -> str:
        """What is due."""
        return _PHASES[self._message.phase]

    @lazy
    def upcard(self) -> Card:
        """The card turned up."""
        return CARD_OF[self._message.upcard]

    @lazy
    def trump(self) -> Suit | None:
        """The trump suit; None until it is made."""
        return SUIT_OF[self._message.trump]

    @lazy
    def calls(self) -> tuple[Action, ...]:
        """What was said so far."""
        return tuple([CALL_OF[call] for call in self._message.calls])

    @lazy
    def dealer_stuck(self) -> bool:
        """Whether the dealer, when she speaks last, must name a suit."""
        return self._message.dealer_stuck

    @lazy
    def maker(self) -> Seat | None:
        """Who made trump."""
        return SEAT_OF[self._message.maker]

    @lazy
    def picked_up(self) -> bool:
        """Whether the upcard was ordered up."""
        return self.maker is not None and len(self._message.calls) <= 4

    @lazy
    def discard(self) -> Card | None:
        """What you laid away as the dealer."""
        return CARD_OF[self._message.discard] or None

    @lazy
    def sits_out(self) -> Seat | None:
        """The maker's partner when the maker goes alone."""
        return SEAT_OF[self._message.sits_out]

    def _out_of_play(self) -> tuple[Card | None, ...]:
        return (self.discard, None if self.picked_up else self.upcard)


def legal_actions(message: Message) -> tuple[Action, ...]:
    """List what the message offers."""
    phase = message.phase
    if phase == EUCHRE_PHASE_PLAYING:
        return tuple([PLAY_OF[card] for card in message.legal_cards[:]])
    if phase == EUCHRE_PHASE_BIDDING:
        return tuple([CALL_OF[call] for call in message.legal_calls[:]])
    if phase == EUCHRE_PHASE_DISCARDING:
        return tuple([DISCARD_OF[card] for card in message.legal_cards[:]])
    return ()


def rules_of(message: EuchreRules) -> Rules:
    """Read the rules."""
    return Rules(message.target, message.alone, message.stick_dealer, message.partner_must_go_alone)

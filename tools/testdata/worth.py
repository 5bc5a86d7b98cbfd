"""What cards are worth when a suit is trump, from the engine's own table of plays."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Self

from referee.engine.cards import RANKS, SUITS, Action, Card, Pack, Seat, Suit, rank, suit
from referee.engine.euchre import bowers
from referee.engine.tricks import play_table, turns

NO_TRUMP = Suit("")
PACKS = {"euchre": bowers.PACK, "whist": Pack(RANKS)}


class Worth:
    """The worth of a game's cards when a suit is trump, or before one is."""

    def __init__(self, game: str, trump: Suit) -> None:
        """Make the table."""
        self.pack = PACKS[game]
        self._bowers = trump if game == "euchre" else NO_TRUMP
        self._ranks = [rank(card) for card in self.pack.cards if suit(card) == SUITS[0]]
        self._plays = play_table(self.pack, trump, self._suit_of, self._strength_of)

    @classmethod
    @cache
    def of(cls, game: str, trump: Suit | None) -> Self:
        """Return it for a game and a trump suit; None is before trump is made."""
        return cls(game, trump or NO_TRUMP)

    def suit(self, card: Card) -> Suit:
        """Return the suit a card counts as."""
        return self._suit_of(card, NO_TRUMP)

    def strength(self, card: Card) -> int:
        """Return its place in that suit."""
        return self._strength_of(card, NO_TRUMP)

    def _suit_of(self, card: Card, _trump: Suit) -> Suit:
        return bowers.effective_suit(card, self._bowers) if self._bowers else suit(card)

    def _strength_of(self, card: Card, _trump: Suit) -> int:
        if self._bowers:
            return bowers.strength(card, self._bowers)
        return self._ranks.index(rank(card))

    def beats(self, card: Card, other: Card) -> bool:
        """Say whether a card takes the trick over from another that is winning it."""
        _, _, _, beaten_by = self._plays[Action(f"play:{other}")]
        return bool(beaten_by & self.pack.bit[card])

    def winning(
        self, leader: Seat, sits_out: Seat | None, trick: Sequence[Card]
    ) -> tuple[Seat, Card]:
        """Return who is winning a trick, and with what."""
        plays = list(zip(turns(leader, sits_out), trick, strict=False))
        best = plays[0]
        for play in plays:
            if self.beats(play[1], best[1]):
                best = play
        return best

    def legal(self, hand: Iterable[Card], led: Card | None) -> tuple[Card, ...]:
        """Return the cards of a hand that may be played."""
        held = self.pack.bits(hand)
        following = self._plays[Action(f"play:{led}")][2] if led else self.pack.all
        return self.pack.names(held & following or held)

    def by_suit(self, cards: Iterable[Card]) -> dict[Suit, list[Card]]:
        """Sort cards by the suit they count as, the strongest first."""
        strongest_first = sorted(cards, key=self.strength, reverse=True)
        return {named: [c for c in strongest_first if self.suit(c) == named] for named in SUITS}

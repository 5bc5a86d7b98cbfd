"""Cards, suits, seats and packs: the words every game here uses.

A value *is* its token: the jack of diamonds is ``"JD"`` in the code, in a record and on the
command line, so nothing is ever parsed or printed in two ways. Inside the engine a set of cards
is an int with one bit a card (see `Pack`), which is what makes the rules fast.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Final, Literal, NewType, Protocol, TypeVar

from referee.errors import ConfigError

Suit = NewType("Suit", str)
Card = NewType("Card", str)
Action = NewType("Action", str)
Seat = int
Side = int
"""Seats that score together, or one alone: a team is a side of two."""
Team = Side
SeatName = Literal["North", "East", "South", "West"]
_Listed = TypeVar("_Listed")

RANKS: Final = "23456789TJQKA"
SUITS: Final = (Suit("C"), Suit("D"), Suit("H"), Suit("S"))
SEATS: Final = (0, 1, 2, 3)
SEAT_TOKENS: Final = ("N", "E", "S", "W")
SEAT_NAMES: Final[tuple[SeatName, SeatName, SeatName, SeatName]] = (
    "North",
    "East",
    "South",
    "West",
)
TEAM_NAMES: Final = ("North-South", "East-West")


def rank(card: Card) -> str:
    """Return the rank of a card, as in ``"J"`` for ``"JD"``."""
    return card[0]


def suit(card: Card) -> Suit:
    """Return the suit printed on a card, as in ``"D"`` for ``"JD"``."""
    return Suit(card[1])


def next_seat(seat: Seat) -> Seat:
    """Return the seat to the left, that is, clockwise."""
    return (seat + 1) % 4


def partner(seat: Seat) -> Seat:
    """Return the seat across the table."""
    return (seat + 2) % 4


def team(seat: Seat) -> Team:
    """Return the team of a seat: 0 is North-South, 1 is East-West."""
    return seat % 2


class Pack:
    """The cards a game is played with, in a fixed order, one bit each.

    The order is by suit (C D H S) and from the lowest rank up; legal cards are listed in it.
    """

    def __init__(self, ranks: str) -> None:
        """Make a pack from the ranks of each suit, lowest first."""
        self.cards = tuple(Card(r + s) for s in SUITS for r in ranks)
        self.bit = {card: 1 << place for place, card in enumerate(self.cards)}
        self.all = (1 << len(self.cards)) - 1
        self._ranks = len(ranks)
        self._suit_bits = (1 << len(ranks)) - 1
        self._clubs, self._diamonds, self._hearts, self._spades = _by_suit(self.cards)

    def bits(self, cards: Iterable[Card]) -> int:
        """Return a set of different cards as bits."""
        return sum(map(self.bit.__getitem__, cards))

    def deal(self, deck: Sequence[Card], dealer: Seat, each: int) -> list[int]:
        """Deal `each` cards at a time from eldest on; return the hands by seat."""
        try:
            bits = itemgetter(*deck)(self.bit)
        except (KeyError, TypeError):
            bits = ()
        if len(deck) != len(self.cards) or sum(bits) != self.all:
            message = f"a deck holds each of the {len(self.cards)} cards of the game once"
            raise ConfigError(message)
        hands = [
            sum(bits[:each]),
            sum(bits[each : 2 * each]),
            sum(bits[2 * each : 3 * each]),
            sum(bits[3 * each : 4 * each]),
        ]
        eldest_at = 3 - dealer
        return hands[eldest_at:] + hands[:eldest_at]

    def names(self, bits: int) -> tuple[Card, ...]:
        """Return the cards of a set, in the order of the pack."""
        ranks, suit_bits = self._ranks, self._suit_bits
        return (
            self._clubs[bits & suit_bits]
            + self._diamonds[bits >> ranks & suit_bits]
            + self._hearts[bits >> 2 * ranks & suit_bits]
            + self._spades[bits >> 3 * ranks]
        )


class CardChoices(Protocol):
    """The actions that a set of cards offers, one a card and in the order of the pack."""

    def __getitem__(self, bits: int, /) -> tuple[Action, ...]:
        """List them, given the set as bits."""


class ChoicesByHalf:
    """Choices put together from two halves of the pack, each with all its sets listed beforehand.

    A table of the whole pack's sets would be too large for a processor's cache, and slower.
    """

    def __init__(self, pack: Pack, verb: str) -> None:
        """Offer ``verb:card`` for each card of a set."""
        self._half = len(pack.cards) // 2
        self._low_bits = (1 << self._half) - 1
        offers = [Action(f"{verb}:{card}") for card in pack.cards]
        self._low = _all_sets(offers[: self._half])
        self._high = _all_sets(offers[self._half :])

    def __getitem__(self, bits: int, /) -> tuple[Action, ...]:
        """List them."""
        return self._low[bits & self._low_bits] + self._high[bits >> self._half]


class ChoicesBySuit:
    """The same by suit: a large pack has too many halves to list."""

    def __init__(self, pack: Pack, verb: str) -> None:
        """Offer ``verb:card`` for each card of a set."""
        self._ranks = len(pack.cards) // 4
        self._suit_bits = (1 << self._ranks) - 1
        offers = [Action(f"{verb}:{card}") for card in pack.cards]
        self._clubs, self._diamonds, self._hearts, self._spades = _by_suit(offers)

    def __getitem__(self, bits: int, /) -> tuple[Action, ...]:
        """List them."""
        ranks, suit_bits = self._ranks, self._suit_bits
        return (
            self._clubs[bits & suit_bits]
            + self._diamonds[bits >> ranks & suit_bits]
            + self._hearts[bits >> 2 * ranks & suit_bits]
            + self._spades[bits >> 3 * ranks]
        )


def _by_suit(listed: Sequence[_Listed]) -> Iterator[list[tuple[_Listed, ...]]]:
    """List every set of each suit in turn, by bits; `listed` has one entry a card."""
    ranks = len(listed) // 4
    return (_all_sets(listed[first : first + ranks]) for first in range(0, len(listed), ranks))


def _all_sets(listed: Iterable[_Listed]) -> list[tuple[_Listed, ...]]:
    """List every set, by bits."""
    sets: list[tuple[_Listed, ...]] = [()]
    for one in listed:
        sets += [(*others, one) for others in sets]
    return sets

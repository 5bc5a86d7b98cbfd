"""Cards, suits, seats and actions as text, and the numbers they have on the wire.

A value is its token: the jack of diamonds is ``"JD"``, playing it is ``"play:JD"``. Seats count
clockwise from North: 0, 1, 2, 3.
"""

from typing import Final, NamedTuple

Card = str
"""A rank out of ``23456789TJQKA``, then a suit: ``"JD"``."""
Suit = str
"""``"C"``, ``"D"``, ``"H"`` or ``"S"``."""
Action = str
"""``"pass"``, ``"order_up"``, ``"name_alone:S"``, ``"discard:9H"``, ``"play:JD"``."""
Seat = int
"""North, East, South, West: 0, 1, 2, 3."""

SUITS: Final = ("C", "D", "H", "S")
RANKS: Final = "23456789TJQKA"
CARDS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
SEATS: Final = ("N", "E", "S", "W")
"""What a seat is called, by its number."""

# By number on the wire, where 0 is no card, suit or seat.
CARD_OF: Final = ("", *CARDS)
SUIT_OF: Final = (None, *SUITS)
SEAT_OF: Final = (None, 0, 1, 2, 3)
# What may be done is never nothing, and what is not here is not known.
PLAY_OF: Final = {number: f"play:{card}" for number, card in enumerate(CARDS, 1)}
DISCARD_OF: Final = {number: f"discard:{card}" for number, card in enumerate(CARDS, 1)}
CALL_OF: Final = dict(
    enumerate(
        (
            "pass",
            "order_up",
            "order_up_alone",
            *(f"name:{suit}" for suit in SUITS),
            *(f"name_alone:{suit}" for suit in SUITS),
        ),
        1,
    )
)


class Sides(NamedTuple):
    """A count for both teams, your own first."""

    us: int
    them: int


class Play(NamedTuple):
    """A card, and who played it."""

    seat: Seat
    card: Card


class Trick(NamedTuple):
    """A finished trick."""

    leader: Seat
    cards: tuple[Card, ...]
    """In the order they were played."""
    winner: Seat


class Rules(NamedTuple):
    """The rules at the table; what only euchre has is False in whist."""

    target: int
    """How many points win the match."""
    alone: bool = False
    """Whether the maker may play without her partner."""
    stick_dealer: bool = False
    """Whether the dealer must name a suit when all others passed twice."""
    partner_must_go_alone: bool = False
    """Whether the dealer's partner may order up only alone."""

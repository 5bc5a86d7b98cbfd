"""What a game is to the rest of Upcard: how a hand starts, goes on, is seen and ends."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, ClassVar, NamedTuple, NoReturn, Protocol, Self, TypeGuard

from referee.engine.cards import SEAT_NAMES, Action, Card, Seat, Side, Suit
from referee.engine.dealing import decks
from referee.errors import IllegalAction

if TYPE_CHECKING:
    from referee.engine.options import Option, Value
    from referee.engine.record import HandRecord, MatchRecord


class HandResult(NamedTuple):
    """How a hand ended."""

    points: tuple[int, ...]
    """What each side scored."""
    tricks: tuple[int, ...]
    """How many tricks each side took; nothing in a game that is not played in tricks."""
    notes: tuple[str, ...]
    """What a card player would say of it (``ordered_up``, ``march``), from the game's `notes`."""


class Trick(NamedTuple):
    """A finished trick."""

    leader: Seat
    cards: tuple[Card, ...]
    """In the order they were played."""
    winner: Seat


class View(Protocol):
    """What one seat may know of a hand, or, with no seat, what everybody may.

    These are the fields that every game shows; each adds its own.
    """

    @property
    def seat(self) -> Seat | None:
        """Whose view it is; None is the spectators'."""

    @property
    def actor(self) -> Seat | None:
        """Who is to act; None when the hand is over."""

    @property
    def legal(self) -> tuple[Action, ...]:
        """What this seat may do now; empty unless it is the one to act."""

    @property
    def result(self) -> HandResult | None:
        """How the hand ended, once it has."""


class TrickView(View, Protocol):
    """A view of a hand that is played in tricks."""

    @property
    def dealer(self) -> Seat:
        """Who dealt."""

    @property
    def turned(self) -> Card:
        """The card dealt face up."""

    @property
    def calls(self) -> tuple[Action, ...]:
        """What was bid so far, eldest first; empty in a game without bidding."""

    @property
    def trump(self) -> Suit | None:
        """The trump suit, once there is one."""

    @property
    def sits_out(self) -> Seat | None:
        """The seat that takes no part in the play, if one does not."""

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards this seat holds."""

    @property
    def picked_up(self) -> bool:
        """Whether the dealer takes the card turned up into her hand and lays another away."""

    @property
    def discard(self) -> Card | None:
        """The card this seat laid away face down, if it did."""

    @property
    def played(self) -> tuple[Card, ...]:
        """The cards of all tricks, in the order they were played."""

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Who led each trick, the one in progress included; after the last, who won it."""

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""

    @property
    def leader(self) -> Seat | None:
        """Who leads the trick in progress; None before play and after it."""

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick in progress, in the order they were played."""


def is_trick_view(view: View) -> TypeGuard[TrickView]:
    """Return whether a view is of a hand that is played in tricks."""
    return hasattr(view, "leaders")


class State(ABC):
    """A hand at one moment. Each phase of a game is a subclass.

    `apply` is the rule as a pure function: it returns the state that follows and leaves this one as
    it was. `play` returns the same state but may reuse this one, which is then spent; it is for an
    owner who keeps no other reference, and several times faster. `apply` is `play` on a copy, so
    the rules are written once.
    """

    __slots__ = ("actor", "legal")

    phase: str
    seat_names: Sequence[str] = SEAT_NAMES
    """What messages call the seats."""
    actor: Seat | None
    """Who is to act; None when the hand is over."""
    legal: tuple[Action, ...]
    """What the actor may do, in a fixed order; empty when the hand is over."""
    result: HandResult | None = None
    """How the hand ended; None before it has."""

    @abstractmethod
    def play(self, action: Action) -> "State":
        """Return the state after a legal action; this one is spent.

        Raises:
            IllegalAction: the action is not allowed now.
            GameError: the rules cannot go on.
        """

    @abstractmethod
    def view(self, seat: Seat | None) -> View:
        """Return exactly what a seat may know; for None, what spectators may."""

    @property
    @abstractmethod
    def decision(self) -> str:
        """Name the kind of decision that is due (``bid 1``, ``discard``, ``trick 3``)."""

    def copy(self) -> Self:
        """Return the same state, sharing nothing which can change: most hold only values."""
        return copy(self)

    def apply(self, action: Action) -> "State":
        """Return the state after a legal action; this one stays as it is."""
        return self.copy().play(action)

    def offered_to(self, seat: Seat | None) -> tuple[Action, ...]:
        """Return what a seat may do: nothing unless it is to act, for the list shows its hand."""
        return self.legal if seat is not None and seat == self.actor else ()

    def refuse(self, action: str) -> NoReturn:
        """Raise `IllegalAction` for an action that is not allowed now."""
        who = (
            "the hand is over" if self.actor is None else f"{self.seat_names[self.actor]} is to act"
        )
        message = f"{action[:80]!r} is not allowed at this point ({self.phase}; {who})"
        raise IllegalAction(message)


class Rules(Protocol):
    """The options of a game, all given; a NamedTuple in each game."""

    def _asdict(self) -> dict[str, "Value"]: ...


Notation = Callable[[Iterable["MatchRecord"]], Iterator[str]]
"""Writes records in a notation other programs read, piece by piece."""
Tally = Mapping[str, int]
"""How often each thing happened that is counted; what did not happen may be left out.

`Counter.update` adds them up; the sum of two counters would drop what is below zero.
"""


class Figure(NamedTuple):
    """What a player is known by: how often she does a thing, or what it brings her each time."""

    words: str
    """As a card player says it of her ("is euchred")."""
    counted: str
    """What is added up, a word of the tally."""
    over: str
    """What it is divided by, another word."""
    is_share: bool
    """Whether it says how often, and not how many points or tricks."""
    over_theirs: bool = False
    """Whether it is divided by what her opponents did."""


class Game(ABC):
    """A game with its options fixed."""

    name: ClassVar[str]
    options: ClassVar[Sequence["Option"]]
    """What can be chosen, in the order of the fields of `rules`."""
    seats: Sequence[str]
    """The token of each seat, clockwise; there are two to eight."""
    seat_names: Sequence[str]
    """What each is called."""
    sides: tuple[Side, ...]
    """The side of each seat, from 0; there are at least two."""
    side_names: Sequence[str]
    """What each side is called."""
    rotation: int = 1
    """How many seats the deal moves on after each hand: it maps every side onto a side, and
    divides the number of seats."""
    pack: tuple[Card, ...]
    """Every card of the game, in the order a shuffle starts from."""
    actions: tuple[Action, ...]
    """Every action there is, whatever the options; nothing if nobody can list them."""
    decisions: tuple[str, ...]
    """Every kind of decision, in the order they come in a hand."""
    notes: ClassVar[tuple[str, ...]]
    """Every note a `HandResult` may carry."""
    counted: ClassVar[tuple[str, ...]]
    """Every word of a tally; `hands` and `points` are in every game's."""
    figures: ClassVar[Sequence[Figure]]
    """The figures by which its players are compared, from what is counted."""
    longest_hand: ClassVar[int]
    """No hand has more decisions than this."""
    notations: ClassVar[Mapping[str, Notation]]
    """Other notations a record can be written in, by file suffix."""
    rules: Rules

    def __eq__(self, other: object) -> bool:
        """Whether it is the same game with the same options."""
        return isinstance(other, Game) and (self.name, self.rules) == (other.name, other.rules)

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash((self.name, self.rules))

    @property
    def title(self) -> str:
        """What people call it."""
        return self.name

    @property
    @abstractmethod
    def longest_match(self) -> int:
        """No match has more hands than this."""

    @abstractmethod
    def is_over(self, score: Sequence[int], hands: int) -> bool:
        """Whether a match is over, given its score after so many hands."""

    @property
    def dealers(self) -> range:
        """The seats that may deal: the last one, and those the deal moves on to from there."""
        return range(self.rotation - 1, len(self.seats), self.rotation)

    def first_dealer(self, number: int) -> Seat:
        """Return who deals first in the duel of a number."""
        dealers = self.dealers
        return dealers[number % len(dealers)]

    def next_dealer(self, dealer: Seat) -> Seat:
        """Return who deals after a dealer."""
        return (dealer + self.rotation) % len(self.seats)

    def decks(self, seed: bytes, duel: str) -> Callable[[int], tuple[Card, ...]]:
        """Return the decks of a duel, by hand number."""
        return decks(self.pack, seed, duel)

    @abstractmethod
    def start(self, deck: Sequence[Card], dealer: Seat, misdeals: int = 0) -> State:
        """Deal a hand; `misdeals` says how many in a row were thrown in before it.

        Raises:
            GameError: the rules cannot go on.
        """

    @classmethod
    @abstractmethod
    def with_rules(cls, chosen: Mapping[str, object]) -> "Game":
        """Make the game from options by name; what is not chosen stays at its default."""

    @classmethod
    @abstractmethod
    def say(cls, action: Action) -> str:
        """Return a call or a discard in a card player's words ("orders up, alone")."""

    def tally(self, hand: "HandRecord") -> tuple[Tally, ...]:
        """Count what each side did in a hand, in the words of `counted`."""
        return tuple(self._tally(hand, side) for side in range(len(self.side_names)))

    def _tally(self, hand: "HandRecord", own: Side) -> Tally:
        """Count what is counted in every game: what the side scored."""
        return {"hands": 1, "points": hand.result.points[own]}

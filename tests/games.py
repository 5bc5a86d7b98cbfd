"""A tiny game of two to eight sides, which nobody plays outside of the tests."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple, Self, cast
from unittest.mock import patch

from referee.engine.cards import Action, Card, Seat, Side
from referee.engine.game import Game, HandResult, State
from referee.engine.options import Number, Switch, choose
from referee.engine.registry import GAMES
from referee.errors import ConfigError, GameError

KEEP, CHANGE, BREAK = map(Action, ("keep", "change", "break"))
PACK = tuple(Card(f"{number:02}") for number in range(1, 25))


class HighestRules(NamedTuple):
    """Who plays how long."""

    players: int
    sides: int
    hands: int
    breaks: bool


class HighestView(NamedTuple):
    """What one seat may know of a hand of highest."""

    seat: Seat | None
    actor: Seat | None
    legal: tuple[Action, ...]
    result: HandResult | None
    card: Card | None
    changed: tuple[Seat, ...]


class Highest(Game):
    """Each is dealt a card and may change it; a side scores a point for each it beats."""

    name = "highest"
    options = (
        Number("players", 3, 2, 8, "how many play"),
        Number("sides", 0, 0, 8, "how many sides there are; 0 is one for each player"),
        Number("hands", 2, 1, 100, "how many hands are played"),
        Switch("breaks", False, "there is an action after which the rules cannot go on"),
    )
    pack = PACK
    actions = ()
    decisions = ("keep or change",)
    notes: ClassVar = ()
    counted: ClassVar = ("hands", "points")
    figures: ClassVar = ()
    longest_hand = 8
    notations: ClassVar = {}
    rules: HighestRules

    def __init__(self, rules: HighestRules) -> None:
        if rules.sides == 1 or rules.players % (rules.sides or 1):
            raise ConfigError("the players cannot be parted so")
        self.rules = rules
        players, sides = rules.players, rules.sides or rules.players
        self.seats = tuple(str(number) for number in range(1, players + 1))
        self.seat_names = tuple(f"Player {number}" for number in self.seats)
        self.sides = tuple(seat % sides for seat in range(players))
        self.side_names = tuple(f"Side {number}" for number in range(1, sides + 1))

    @classmethod
    def with_rules(cls, chosen: Mapping[str, object]) -> Self:
        return cls(HighestRules(**choose(cls.name, cls.options, chosen)))

    @property
    def longest_match(self) -> int:
        return self.rules.hands

    def is_over(self, score: Sequence[int], hands: int) -> bool:  # noqa: ARG002 (it goes by hands)
        return hands >= self.rules.hands

    def start(self, deck: Sequence[Card], dealer: Seat, misdeals: int = 0) -> State:  # noqa: ARG002 (there are none)
        if sorted(deck) != [*PACK]:
            raise ConfigError(f"a deck holds each of the {len(PACK)} cards of the game once")
        return Changing(self, deck, dealer)

    @classmethod
    def say(cls, action: Action) -> str:
        return f"{action}s"


class Changing(State):
    """The seats have their say, one after the other."""

    phase = "changing"
    seat_names = tuple(f"Player {number}" for number in range(1, 9))
    decision = Highest.decisions[0]

    def __init__(self, game: Highest, deck: Sequence[Card], dealer: Seat) -> None:
        self.game = game
        self.players = len(game.seats)
        self.cards = tuple(deck[(seat - dealer - 1) % self.players] for seat in range(self.players))
        self.left = tuple(deck[self.players :])
        self.dealer = dealer
        self.changed: tuple[Seat, ...] = ()
        self.actor: Seat | None = game.next_dealer(dealer)
        self.legal = (KEEP, CHANGE, BREAK) if game.rules.breaks else (KEEP, CHANGE)

    def play(self, action: Action) -> State:
        if action not in self.legal:
            self.refuse(action)
        seat = cast("Seat", self.actor)
        if action == BREAK:
            raise GameError("line 3, column 1: nobody can go on")
        if action == CHANGE:
            self.cards = (*self.cards[:seat], self.left[0], *self.cards[seat + 1 :])
            self.left = self.left[1:]
            self.changed += (seat,)
        if seat == self.dealer:
            return self._ended()
        self.actor = (seat + 1) % self.players
        return self

    def _ended(self) -> State:
        best = self._best()
        points = tuple(sum(own > other for other in best) for own in best)
        self.actor, self.legal = None, ()
        self.phase, self.decision = "done", ""
        self.result = HandResult(points, (), ())
        return self

    def _best(self) -> list[Card]:
        """Return the best card of each side."""
        game = self.game
        return [max(self._of(side)) for side in range(len(game.side_names))]

    def _of(self, side: Side) -> Iterator[Card]:
        return (
            card for card, whose in zip(self.cards, self.game.sides, strict=True) if whose == side
        )

    def view(self, seat: Seat | None) -> HighestView:
        card = None if seat is None else self.cards[seat]
        return HighestView(seat, self.actor, self.offered_to(seat), self.result, card, self.changed)


def highest(**rules: object) -> Game:
    return Highest.with_rules(rules)


@contextmanager
def known() -> Iterator[None]:
    """Add this game to the registry for as long as it is open."""
    with patch.dict(cast("dict[str, Any]", GAMES), {"highest": Highest}):
        yield

"""The card movement graph of one rollout: where cards lie, who sees them there, where they go."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from referee.engine.dealing import hand_seeds
from referee.engine.recycle.draws import Draws
from referee.errors import ConfigError, GameError
from referee.simulation import dealt_as, random_draw
from upcard.recycle import Place, Program, ProgramError

MOST_PLACES: Final = 200
MOST_EDGES: Final = 1000
"""More than these nobody could read in a picture, and a stranger's program may have many more."""


class Sight(Enum):
    """Who sees the cards of a place; the value is what a legend says of it."""

    PUBLIC = "everybody sees it"
    HIDDEN = "nobody sees it"
    PRIVATE = "its owner sees it"
    OTHERS = "all but its owner see it"
    MEMORY = "remembered"


class Flow(Enum):
    """What a movement does to what is known; the value is what a legend says of it."""

    MOVED = "cards move"
    TAKEN = "taken out of sight"
    SHARED = "shared with another player"
    REMEMBERED = "remembered"


def sight(place: Place) -> Sight:
    """Return who sees the cards of a place."""
    match place.kind, place.owner:
        case "mem", _:
            return Sight.MEMORY
        case ("vloc", _) | ("oloc", 0):
            return Sight.PUBLIC
        case "oloc", _:
            return Sight.OTHERS
        case "iloc", owner if owner:
            return Sight.PRIVATE
    return Sight.HIDDEN


def flow(source: Place, target: Place) -> Flow:
    """Return what a movement does to what is known."""
    before, after = sight(source), sight(target)
    if after is Sight.MEMORY:
        return Flow.REMEMBERED
    if before is Sight.PUBLIC and after is not Sight.PUBLIC:
        return Flow.TAKEN
    if before is after is Sight.PRIVATE and source.owner != target.owner:
        return Flow.SHARED
    return Flow.MOVED


class Edge(NamedTuple):
    """The movements from a place to another one, or back to itself."""

    source: Place
    target: Place
    cards: int
    """How many cards went that way."""

    @property
    def flow(self) -> Flow:
        """What they do to what is known."""
        return flow(self.source, self.target)


@dataclass
class Pile:
    """What lay at a place during a rollout."""

    dealt_from: int = 0
    """How many cards lay there before the first one moved."""
    cards: set[int] = field(default_factory=set)
    most: int = 0
    """The most cards that lay there at a time."""
    backs: set[str] = field(default_factory=set)
    """The backs of all cards that ever lay there."""


class MovementGraph(NamedTuple):
    """The places of a rollout in the order in which they were used, and what moved between them."""

    players: int
    piles: Mapping[Place, Pile]
    edges: Sequence[Edge]


class _Movements:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.piles: dict[Place, Pile] = {}
        self.counts: Counter[tuple[Place, Place]] = Counter()

    def add(self, card: int, source: Place | None, target: Place) -> None:
        """Note a card that moves, or is remembered, or lies at a place from the beginning."""
        pile = self.piles.setdefault(target, Pile())
        if source is None:
            pile.dealt_from += 1
        else:
            self.counts[source, target] += 1
            if sight(target) is not Sight.MEMORY:
                self.piles[source].cards.discard(card)
        pile.cards.add(card)
        pile.most = max(pile.most, len(pile.cards))
        if len(self.piles) > MOST_PLACES or len(self.counts) > MOST_EDGES:
            raise ConfigError(
                f"its cards lie at more than {MOST_PLACES} places, or go more than {MOST_EDGES:,} "
                "ways between them: too many for a drawing"
            )
        pile.backs.add(self.program.faces[self.program.cards[card]].back)

    def graph(self) -> MovementGraph:
        """Return what was noted."""
        edges = [Edge(*ends, cards) for ends, cards in self.counts.items()]
        return MovementGraph(self.program.players, self.piles, edges)


def movements(
    program: Program, seed: bytes, number: int = 1, before: Callable[[], None] = lambda: None
) -> MovementGraph:
    """Return the graph of a rollout, that of the first hand of that match of random play.

    Args:
        program: the game.
        seed: what random play follows from.
        number: the match.
        before: called before each decision; what it raises ends the rollout.

    Raises:
        ConfigError: the graph is too large to be drawn.
        GameError: the program cannot go on.
    """
    found = _Movements(program)
    draws = Draws(hand_seeds(seed, dealt_as(number))(0))
    draw = random_draw(seed, number)
    try:
        position = program.start(draws, found.add)
        while position.actor is not None:
            before()
            position.play(draw(len(position.entries)))
    except ProgramError as error:
        raise GameError(str(error)) from None
    return found.graph()

"""A program as a game with its options fixed."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Self

from referee.engine.cards import Action, Card, Seat, Side
from referee.engine.dealing import SEED_BYTES, hand_seeds, seed_from_text
from referee.engine.game import Figure, Game, Tally
from referee.engine.options import Number, Text, choose
from referee.engine.recycle.draws import Draws
from referee.engine.recycle.hand import STOPPED, RecycleHand, TurnedProgram, decision_name
from referee.engine.seating import rooms
from referee.errors import ConfigError, GameError
from upcard.recycle import Program, ProgramError, bounds, read

if TYPE_CHECKING:
    from referee.engine.record import HandRecord

LONGEST_PROGRAM: Final = 64 * 1024
"""Bytes of a program that a league plays; every record of a match holds it."""


LONGEST_PLAY: Final = 3 << 20
"""Bytes of the play of a duel in its records, without the program."""
_LEAST_HAND: Final = 12 << 10
"""Bytes of that which each hand of a match has at least."""
_AROUND_HAND: Final = 512 + bounds.OPTION_TEXT
"""Bytes of that which are not moves, for each hand, and those of its last move."""


class RecycleRules(NamedTuple):
    """What can be chosen: the program itself, and how often it is played in a match."""

    name: str
    program: str
    hands: int


class Recycle(Game):
    """A game that a program describes."""

    name = "recycle"
    options = (
        Text("name", "", 64, "what the game is called"),
        Text("program", "", LONGEST_PROGRAM, "the game in RECYCLE"),
        Number("hands", 1, 1, 100, "how many hands a match has"),
    )
    notes: ClassVar = (STOPPED,)
    counted: ClassVar = ("hands", "points", STOPPED)
    figures: ClassVar = (
        Figure("points a hand", "points", "hands", is_share=False),
        Figure("plays hands that cannot go on", STOPPED, "hands", is_share=True),
    )
    longest_hand = bounds.DECISIONS
    notations: ClassVar = {}
    actions = ()
    rules: RecycleRules

    def __init__(self, rules: RecycleRules) -> None:
        """Make the game from its options."""
        self.rules = rules
        self.program = program = read_program(rules.program)
        self.seats = tuple(str(player) for player in range(1, program.players + 1))
        self.seat_names = tuple(f"Player {token}" for token in self.seats)
        self.sides = program.sides
        word = "Team" if program.teams else "Player"
        self.side_names = tuple(f"{word} {side + 1}" for side in range(max(self.sides) + 1))
        self.rotation = _rotation(self.sides)
        self.pack = tuple(Card(program.faces[face].name) for face in program.cards)
        self.decisions = tuple(
            dict.fromkeys(decision_name(program, choice) for choice in range(len(program.choices)))
        )
        self._hand_bytes = self._share_of_hand()

    def _share_of_hand(self) -> int:
        """Return how many bytes the moves of a hand may take, for every duel to be stored."""
        count, hands = len(rooms(self)), self.rules.hands
        most = LONGEST_PLAY // (count * _LEAST_HAND)
        if hands > most:
            message = f"a duel of this game has {count} rooms: a match has at most {most} hands"
            raise ConfigError(f"{message}, not {hands}")
        return LONGEST_PLAY // (count * hands) - _AROUND_HAND

    @classmethod
    def with_rules(cls, chosen: Mapping[str, object]) -> Self:
        """Make the game from options by name."""
        return cls(RecycleRules(**choose(cls.name, cls.options, chosen)))

    @property
    def title(self) -> str:
        """The name it was given; its program has none."""
        return self.rules.name or self.name

    @property
    def longest_match(self) -> int:
        """Every match has the same number of hands."""
        return self.rules.hands

    def is_over(self, score: Sequence[int], hands: int) -> bool:  # noqa: ARG002 (only hands count)
        """Whether all hands of a match are played."""
        return hands >= self.rules.hands

    def decks(self, seed: bytes, duel: str) -> Callable[[int], tuple[Card, ...]]:
        """Return what each hand draws from, by hand number: a seed, as the only card of a deck."""
        seed_of = hand_seeds(seed, duel)
        return lambda hand: (Card(seed_of(hand).hex()),)

    def start(self, deck: Sequence[Card], dealer: Seat, misdeals: int = 0) -> RecycleHand:  # noqa: ARG002 (there are none)
        """Run the program up to the first decision."""
        if len(deck) != 1:
            message = f"what a hand draws from is one seed of {2 * SEED_BYTES} digits"
            raise ConfigError(message)
        draws = Draws(seed_from_text(deck[0]))
        turned = TurnedProgram(self.program, self.seat_names, self.sides, dealer)
        try:
            return RecycleHand(turned, self.program.start(draws), self._hand_bytes)
        except ProgramError as error:
            raise GameError(str(error)) from None

    def _tally(self, hand: "HandRecord", own: Side) -> Tally:
        return {**super()._tally(hand, own), STOPPED: int(STOPPED in hand.result.notes)}

    @classmethod
    def say(cls, action: Action) -> str:
        """Return an action in words, which it is in already."""
        return action


@lru_cache(maxsize=64)
def read_program(text: str) -> Program:
    """Read a program.

    Raises:
        ConfigError: it is none, or has something that cannot be run.
    """
    try:
        return read(text)
    except ProgramError as error:
        raise ConfigError(str(error)) from None


def _rotation(sides: Sequence[int]) -> int:
    """Return by how many seats players move on so that partners stay partners."""
    count = len(sides)
    return next(
        step for step in range(1, count + 1) if count % step == 0 and _keeps_partners(sides, step)
    )


def _keeps_partners(sides: Sequence[int], step: int) -> bool:
    count = len(sides)
    pairs = {(sides[seat], sides[(seat + step) % count]) for seat in range(count)}
    return len(pairs) == len(set(sides))

"""A program in lock step with the built-in game that it describes.

Both get the same deal and the same random decisions. At every decision they must agree on who acts
and on what is legal, each option of the program being one action, and at the end on the tricks and
the points. Who leads a trick is who won the last one.

A program may also have a player pass who has nothing to decide, as the dealer's opponents while she
discards or a player who sits out: such turns are book-keeping, and are played without asking.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from referee.engine.cards import RANKS, Action, Card, Seat
from referee.engine.dealing import decks
from referee.engine.euchre import EuchreView
from referee.engine.game import Game, State
from referee.engine.registry import preset
from tests.recycle.random_play import GAMES
from upcard.recycle import Option, Position, Program, Step, read

ENOUGH: Final = 5_000
"""Hands of each program that show that it is the same game; the tests make do with fewer."""
EXAMPLES: Final = {GAMES / f"{name}.rcy": name for name in ("euchre", "whist")}
"""The programs of this project, with the built-in games that they describe."""
_SEEDS: Final = Path(__file__).parents[2].parent / "shared" / "seeds"
DESCRIPTIONS: Final = {
    _SEEDS / "000_aa435d67c899b83f.txt": "euchre",
    _SEEDS / "001_49b31203a64b0382.txt": "whist",
}
"""What the built-in games were written from: pages with a program, perhaps beside the clone."""
DEALER: Final[Seat] = 3
"""Programs deal as if the last player were the dealer."""
PASS: Final = Action("pass")
_NAMES: Final = dict(
    zip(
        ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"),
        RANKS,
        strict=False,
    )
) | {name: name[0] for name in ("JACK", "QUEEN", "KING", "ACE", "J", "Q", "K", "A")}
_IN_THE_TRICK: Final = "TRICK"
_TRUMP: Final = {"TRUMP", "TRUMPSUIT"}
_TRICKS: Final = ("TRICKS", "TRICKSWON")


class Disagreement(AssertionError):
    """A program and the built-in game do not agree."""


class Dealt(NamedTuple):
    """Makes a program deal a deck from the top of a stock that holds all cards."""

    deck: Sequence[Card]
    order: Sequence[Card]
    """The cards by their number in the program."""

    def shuffle(self, k: int, n: int) -> Sequence[int]:
        """Put the deck's first card on top, which is the end; there is one shuffle."""
        if (k, n) != (0, len(self.deck)):
            raise Disagreement("the program shuffles something else than its deck, once")
        place = {card: number for number, card in enumerate(self.order)}
        return [place[card] for card in reversed(self.deck)]

    def below(self, k: int, n: int) -> int:
        """Draw nothing: neither game has any other chance."""
        raise Disagreement(f"draw {k} of {n}: a program of this game draws nothing at random")


class Peer:
    """A program's side of a hand, told in the words of the built-in game."""

    def __init__(self, program: Program, deck: Sequence[Card]) -> None:
        """Deal the hand."""
        self._cards = [_card(dict(face.attributes)) for face in program.faces]
        order = [self._cards[face] for face in program.cards]
        self._hand: Position = program.start(Dealt(deck, order))
        self._offered = self._listed()

    @property
    def actor(self) -> Seat | None:
        """Who is to act; player 1 is North."""
        return self._hand.actor

    @property
    def legal(self) -> list[Action]:
        """What the actor may do, sorted."""
        return sorted(self._offered)

    def play(self, action: Action) -> None:
        """Carry out an action."""
        self._hand.play(self._offered.index(action))
        self._offered = self._listed()

    @property
    def scores(self) -> tuple[int, ...] | None:
        """What each player scored."""
        return self._hand.scores

    @property
    def tricks(self) -> tuple[int, ...]:
        """How many tricks each team took."""
        numbers = self._hand.numbers
        return tuple(sum(numbers.get((-team, name), 0) for name in _TRICKS) for team in (1, 2))

    def _listed(self) -> list[Action]:
        """List the actions, one for each option, after what is mere book-keeping."""
        while self._hand.actor is not None and _is_bookkeeping(self._hand.options):
            self._hand.play(0)
        return [self._action(option.steps) for option in self._hand.options]

    def _action(self, steps: Sequence[Step]) -> Action:
        for step in steps:
            if step.verb == "move" and step.face is not None and step.target is not None:
                verb = "play" if step.target.name == _IN_THE_TRICK else "discard"
                return Action(f"{verb}:{self._cards[step.face]}")
        said = {step.value for step in steps if step.verb == "set"}
        named = "".join(str(step.value)[0] for step in steps if step.name in _TRUMP)
        if "PASS" in said:
            return PASS
        call = ("name" if named else "order_up") + ("_alone" if "ALONE" in said else "")
        return Action(f"{call}:{named}" if named else call)


def compare_file(file: Path, name: str, hands: int = ENOUGH) -> Counter[str]:
    """Compare the program in a file with a built-in game, as `compare` does."""
    return compare(read(file.read_text(encoding="utf-8")), preset(name).game(), hands)


def compare(program: Program, game: Game, hands: int) -> Counter[str]:
    """Play random hands in lock step, and count what came up in them.

    Raises:
        Disagreement: one differs; the message has its number, its deck and what was played.
    """
    deck_of = decks(game.pack, bytes(32), "lock step")
    came_up: Counter[str] = Counter()
    for number in range(hands):
        deck, played = deck_of(number), list[Action]()
        try:
            came_up += _compare_hand(program, game, deck, Random(number), played)
        except Disagreement as differing:
            message = f"hand {number}: {differing}\n{' '.join(deck)}\n{' '.join(played)}"
            raise Disagreement(message) from None
    return came_up


def _compare_hand(
    program: Program, game: Game, deck: Sequence[Card], random: Random, played: list[Action]
) -> Counter[str]:
    state, peer = game.start(deck, DEALER), Peer(program, deck)
    shyness = random.choice((0.0, 0.0, 0.95))
    came_up = Counter(["hands"])
    while state.actor is not None:
        _agree("the player to act", peer.actor, state.actor)
        _agree("legal", peer.legal, sorted(state.legal))
        came_up.update(_kinds(state))
        # Who is shy mostly passes: chance alone hardly ever comes to the end of the bidding.
        action = state.legal[0] if random.random() < shyness else random.choice(state.legal)
        played.append(action)
        peer.play(action)
        state = state.play(action)
    _agree("the player to act", peer.actor, None)
    assert state.result is not None
    _agree("tricks", peer.tricks, state.result.tricks)
    _agree("scores", peer.scores, state.result.points * 2)
    came_up.update(state.result.notes)
    return came_up


def _agree(what: str, of_the_program: object, built_in: object) -> None:
    if of_the_program != built_in:
        raise Disagreement(f"{what}: {of_the_program} in the program, {built_in} built in")


def _kinds(state: State) -> list[str]:
    """Name what is special about a decision."""
    view = state.view(state.actor)
    kinds = ["decisions"]
    if isinstance(view, EuchreView):
        if state.decision == "discard" and view.sits_out == view.actor:
            kinds.append("discards and sits out")
        if state.decision == "trick 1" and not view.played and view.sits_out == 0:
            kinds.append("eldest sits out")
    return kinds


def _is_bookkeeping(options: Sequence[Option]) -> bool:
    return all(step.verb == "pass" for option in options for step in option.steps)


def _card(attributes: dict[str, str]) -> Card:
    return Card(_NAMES[attributes["RANK"]] + attributes["SUIT"][0])

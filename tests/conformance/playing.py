"""The games of the conformance tests, and how they are played there."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from referee.engine.cards import Action
from referee.engine.game import Game, State
from referee.engine.options import Number, Option, Switch, Text, Value, text
from referee.engine.record import MatchRecord, SeededDeal, play_match
from referee.engine.recycle import Recycle
from referee.engine.registry import PRESETS
from referee.errors import ConfigError

EXAMPLES: Final = Path(__file__).parents[2] / "examples_games"


def _variants() -> dict[Game, str]:
    """Return every preset, as it is and with each option at its other values, without repeats."""
    named: dict[Game, str] = {}
    for preset in PRESETS.values():
        named.setdefault(preset.game(), preset.name)
        for option in preset.kind.options:
            for value in _others(option):
                with suppress(ConfigError):  # it contradicts another of the preset's
                    game = preset.game({option.name: value})
                    named.setdefault(game, f"{preset.name} {option.name}={text(value)}")
    return named


def _others(option: Option) -> tuple[Value, ...]:
    match option:
        case Switch():
            return True, False
        case Number():
            return option.least, 15
        case Text():
            return (option.default,)


def _described() -> dict[str, Game]:
    """Return the example games, of two hands a match, so that the deal passes on."""
    return {
        file.name: Recycle.with_rules(
            {"name": file.stem, "program": file.read_text(encoding="utf-8"), "hands": 2}
        )
        for file in sorted(EXAMPLES.glob("*.rcy"))
    }


TRICK_GAMES: Final = {name: game for game, name in _variants().items()}
DESCRIBED: Final = _described()
GAMES: Final = TRICK_GAMES | DESCRIBED


def hands_of(game: Game) -> int:
    """Return how many hands of a game show enough: a described one is played slowly."""
    return 4 if isinstance(game, Recycle) else 60


class Player(Random):
    """Chooses at random; one in three players is shy, and mostly takes what is listed first.

    That takes hands to corners (everybody passes) where chance alone hardly ever comes.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._shyness = 0.95 if number % 3 == 0 else 0.0

    def choose(self, state: State) -> Action:
        return state.legal[0] if self.random() < self._shyness else self.choice(state.legal)


def deals(game: Game, number: int = 60) -> Iterator[tuple[State, Player]]:
    """Deal so many hands at most, from each dealer in turn, each with a player."""
    deck_of = game.decks(bytes(32), "conformance")
    for hand in range(min(number, hands_of(game))):
        yield game.start(deck_of(hand), game.first_dealer(hand)), Player(hand)


def states(game: Game, number: int = 60) -> Iterator[State]:
    """Yield every state of some hands played at random."""
    for first, player in deals(game, number):
        state = first
        yield state
        while state.actor is not None:
            state = state.apply(player.choose(state))
            yield state


@cache
def matches(game: Game) -> tuple[MatchRecord, ...]:
    """Return some matches, the first dealer moving on from one to the next."""
    return tuple(
        play_match(
            game,
            game.first_dealer(number),
            SeededDeal(bytes(32), str(number)),
            Player(number).choose,
        )
        for number in range(2 if isinstance(game, Recycle) else 12)
    )


def views(state: State, game: Game) -> list[Any]:
    """Return what each seat sees, and what spectators do."""
    return [state.view(seat) for seat in (*range(len(game.seats)), None)]

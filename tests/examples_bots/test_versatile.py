"""The bot that knows no game finds good moves by the rules alone."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.examples_bots.duels import module
from upcard.recycle import Position, Program, read, seen

GAMES = Path(__file__).parents[2] / "examples_games"
SEARCH = module("versatile", "search")
JACK, QUEEN, KING = range(3)


class Stacked:
    """Shuffles as a test wants it, and draws nothing else."""

    def __init__(self, *order: int) -> None:
        self._order = order

    def shuffle(self, k: int, n: int) -> Sequence[int]:  # noqa: ARG002 (there is one)
        assert len(self._order) == n
        return self._order

    def below(self, k: int, n: int) -> int:
        raise AssertionError((k, n))


def game(name: str) -> Program:
    return read((GAMES / f"{name}.rcy").read_text(encoding="utf-8"))


def view(program: Program, position: Position) -> Any:  # noqa: ANN401 (as the SDK's, in short)
    """Return what the player to act is shown."""
    assert position.actor is not None
    shown = seen(position, position.actor)
    return SimpleNamespace(
        rules=SimpleNamespace(program=program.text, numbering=program.numbering),
        legal=tuple(option.text for option in position.options),
        player=position.actor + 1,
        seen=lambda _: shown,
    )


def tries(number: int) -> Callable[[], bool]:
    left = iter(range(number))
    return lambda: next(left, None) is not None


def chosen(program: Program, position: Position, number: int = 400) -> str:
    found = view(program, position)
    legal: tuple[str, ...] = found.legal
    index: int = SEARCH.best_move(found, Random(0), tries(number))
    return legal[index]


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [(QUEEN, KING, "set ACTION CALL"), (QUEEN, JACK, "set ACTION FOLD")],
)
def test_it_calls_with_the_best_card_and_folds_the_worst(
    first: int, second: int, answer: str
) -> None:
    kuhn = game("kuhn-poker")
    third = 3 - first - second
    position = kuhn.start(Stacked(third, second, first))  # the last one is the first that is dealt
    position.play(1)
    assert chosen(kuhn, position) == answer


@pytest.mark.slow
def test_it_plays_far_better_than_chance() -> None:
    goofspiel, random = game("goofspiel"), Random(1)
    lead = 0
    for number in range(4):
        position = goofspiel.start(SEARCH.Luck(random))
        while position.scores is None:
            if position.actor == number % 2:
                found = view(goofspiel, position)
                position.play(SEARCH.best_move(found, random, tries(120)))
            else:
                position.play(random.randrange(len(position.options)))
        own, other = position.scores[number % 2], position.scores[1 - number % 2]
        lead += own - other
    assert lead > 0


def test_it_tries_no_more_often_than_it_may() -> None:
    asked: list[int] = []
    kuhn = game("kuhn-poker")
    found = view(kuhn, kuhn.start(SEARCH.Luck(Random(0))))

    def may_try() -> bool:
        asked.append(len(asked))
        return len(asked) <= 7

    SEARCH.best_move(found, Random(0), may_try)
    assert len(asked) <= 8

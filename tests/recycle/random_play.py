"""Plays programs at random, the same way each time."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from referee.bots.package_data import data_directory
from upcard.recycle import Position, Program

GAMES: Final = data_directory() / "examples_games"


class Shuffled(NamedTuple):
    """The randomness of a hand, from a text."""

    seed: str

    def shuffle(self, k: int, n: int) -> Sequence[int]:
        """Return the `k`-th shuffle of so many cards."""
        return Random(f"{self.seed} shuffle {k}").sample(range(n), n)

    def below(self, k: int, n: int) -> int:
        """Return the `k`-th other draw."""
        return Random(f"{self.seed} draw {k}").randrange(n)


def game_files() -> list[Path]:
    """Return the files of all example games."""
    return sorted(GAMES.glob("*.rcy"))


def random_hand(program: Program, number: int) -> Iterator[Position]:
    """Yield the one position of a random hand again and again, at each decision and at the end.

    In every third hand the players are shy, and mostly take what is listed first: that leads to
    corners (everybody passes) where chance alone hardly ever comes.
    """
    random = Random(number)
    shyness = 0.95 if number % 3 == 0 else 0.0
    position = program.start(Shuffled(str(number)))
    yield position
    while position.actor is not None:
        is_shy = random.random() < shyness
        position.play(0 if is_shy else random.randrange(len(position.options)))
        yield position

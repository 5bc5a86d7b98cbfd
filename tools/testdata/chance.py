"""Choices that are the same on every machine and in every version of Python."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

_Choice = TypeVar("_Choice")


class Chance:
    """Draws from a seed; only `Random.random` is promised to stay as it is."""

    def __init__(self, seed: int) -> None:
        """Begin."""
        self._random = Random(seed)  # noqa: S311 (it keeps no secret)

    def below(self, number: int) -> int:
        """Draw a number from 0 on."""
        return int(self._random.random() * number)

    def choose(self, among: Sequence[_Choice]) -> _Choice:
        """Draw one."""
        return among[self.below(len(among))]

    def draw(self, cards: Sequence[_Choice], number: int) -> list[_Choice]:
        """Draw several, each at most once."""
        left = list(cards)
        return [left.pop(self.below(len(left))) for _ in range(number)]

"""The draws of a hand: its shuffles and its other random numbers, each made from the hand's seed.

`docs/deals.md` has the algorithm.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

_SHUFFLE: Final = b"upcard-shuffle-v1"
_NUMBER: Final = b"upcard-number-v1"


class Draws:
    """What a hand draws. Each draw follows from the seed and its number, whatever came before."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        """Take the seed of the hand, 32 bytes."""
        self._seed = seed

    def shuffle(self, number: int, count: int) -> tuple[int, ...]:
        """Return the shuffle of that number: an order of so many cards."""
        order = list(range(count))
        stream = self._bytes(_SHUFFLE, number)
        for left in range(count, 1, -1):
            drawn = _below(stream, left)
            order[left - 1], order[drawn] = order[drawn], order[left - 1]
        return tuple(order)

    def below(self, number: int, count: int) -> int:
        """Return the draw of that number: a whole number from 0 to `count` - 1."""
        return _below(self._bytes(_NUMBER, number), count)

    def _bytes(self, label: bytes, number: int) -> Iterator[int]:
        prefix = label + self._seed + number.to_bytes(4)
        counter = 0
        while True:
            yield from sha256(prefix + counter.to_bytes(4)).digest()
            counter += 1


def _below(stream: Iterator[int], count: int) -> int:
    """Take as many bytes as can hold `count` numbers, until they draw one fairly."""
    while True:
        drawn, values = next(stream), 256
        while values < count:
            drawn, values = drawn << 8 | next(stream), values << 8
        if drawn < values - values % count:
            return drawn % count

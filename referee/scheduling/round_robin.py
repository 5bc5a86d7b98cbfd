"""Round-robin: everybody meets everybody, in an order in which the table means something all along.

The duels of a pairing are parted into visits. A round of visits calls at every pairing once before
any is called at again, so after each round all pairings have played equally many duels; within it
the pairings go as at a tournament's tables, so that nobody waits long.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from referee.scheduling.keys import DuelKey, pairing

LARGEST_VISIT: Final = 128
"""Duels in a visit, at most, where its size is not chosen by the organiser."""


class Block(NamedTuple):
    """What is played in one visit to a pairing, in one session."""

    round: int
    """Of visits, from 0."""
    first: int
    second: int
    numbers: tuple[int, ...]
    """Of the duels, from 0."""

    @property
    def keys(self) -> list[DuelKey]:
        """Name the duels."""
        return [DuelKey(self.first, self.second, number) for number in self.numbers]

    def but(self, done: Container[DuelKey]) -> "Block":
        """Leave out what is done."""
        return self._replace(numbers=tuple(key.number for key in self.keys if key not in done))


def pairings(entrants: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield every pair once, A first, by the circle method: one entrant stays, others go around.

    Between two meetings of an entrant all others have sat down once, or nearly so.
    """
    around: list[int | None] = [*entrants]
    if len(around) % 2:
        around.append(None)
    for _ in around[1:]:
        half = len(around) // 2
        for one, other in zip(around[:half], reversed(around[half:]), strict=True):
            if one is not None and other is not None:
                yield pairing(one, other)
        around.insert(1, around.pop())


def visits(duels: int, size: int, looks: Iterable[int] = ()) -> list[range]:
    """Cut the duels of a pairing into visits; none goes beyond a look."""
    ends = sorted({*range(size, duels, size), *(look for look in looks if look < duels), duels})
    return [range(begin, end) for begin, end in pairwise((0, *ends))]


def blocks(entrants: Sequence[int], visited: Sequence[range]) -> Iterator[Block]:
    """Yield all that is to be played, in order."""
    for number, visit in enumerate(visited):
        for first, second in pairings(entrants):
            yield Block(number, first, second, tuple(visit))


def missing(every: Iterable[Block], done: Container[DuelKey]) -> Iterator[Block]:
    """Yield what is still to be played."""
    for block in every:
        if (left := block.but(done)).numbers:
            yield left

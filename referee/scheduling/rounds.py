"""Rounds that are paired one after the other: what is played of them, and in which order."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from referee.scheduling.round_robin import Block

Pair = tuple[int, int]
"""A and B, by their numbers in the league."""


class Rounds(NamedTuple):
    """The rounds of a league so far."""

    each: int
    """How many duels a pair plays in a round."""
    pairs: Sequence[Collection[Pair]]
    """Who meets whom, A first, round by round."""

    @property
    def duels(self) -> int:
        """How many duels they have in all."""
        return self.each * sum(map(len, self.pairs))

    def numbers(self, place: int) -> range:
        """Return the numbers of the duels of a round."""
        return range(place * self.each, (place + 1) * self.each)

    def has(self, first: int, second: int, number: int) -> bool:
        """Return whether a duel is part of them."""
        place = number // self.each
        return place < len(self.pairs) and (first, second) in self.pairs[place]

    def plays_on(self, number: int, *_played: object) -> Collection[frozenset[int]] | None:
        """Return which pairings play the duels from a number on, whatever was played before.

        Returns:
            None where no round begins with the number; nothing where there is none.
        """
        place, within = divmod(number, self.each)
        if within:
            return None
        return {frozenset(pair) for pair in self.pairs[place]} if place < len(self.pairs) else ()

    def blocks(self) -> Iterator[Block]:
        """Yield what is to be played: a visit for each pair of a round."""
        for place, pairs in enumerate(self.pairs):
            for first, second in pairs:
                yield Block(place, first, second, tuple(self.numbers(place)))

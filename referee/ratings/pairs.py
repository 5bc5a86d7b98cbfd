"""Duels by pairing: how often each was won, drawn and lost is all that the fitted rating needs.

A large league has half a million pairings, so what is known of them is kept in columns.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.ratings.columns import Real, Whole, WonColumns, won_columns
from referee.ratings.results import Result, Results, Won

Pair = tuple[int, int]
"""A and B, by their numbers in the league."""
_Value = TypeVar("_Value")


class PairCount(NamedTuple):
    """How often A won, drew and lost against B."""

    won: int
    drawn: int
    lost: int


class ByPair(Mapping[Pair, _Value]):
    """What is known of each pairing, in columns: a value is made when it is asked for."""

    def __init__(
        self,
        first: Whole,
        second: Whole,
        columns: Sequence[NDArray[Any]],
        value: Callable[..., _Value],
    ) -> None:
        """Keep columns.

        Args:
            first: A of each pairing; they are sorted by A, then by B.
            second: B of each.
            columns: what is known of them.
            value: makes what is known of one from its place in each of the columns.
        """
        self.first = first
        self.second = second
        self.columns = columns
        self._value = value

    @cached_property
    def _rows(self) -> Mapping[Pair, int]:
        return {pair: row for row, pair in enumerate(self)}

    def __getitem__(self, pair: Pair) -> _Value:
        row = self._rows[pair]
        return self._value(*(column[row].item() for column in self.columns))

    def __contains__(self, pair: object) -> bool:
        return pair in self._rows

    def __iter__(self) -> Iterator[Pair]:
        return zip(self.first.tolist(), self.second.tolist(), strict=True)

    def __len__(self) -> int:
        return len(self.first)


class Pairings(NamedTuple):
    """Which pairings some duels are of."""

    first: Whole
    """A of each pairing; they are sorted by A, then by B."""
    second: Whole
    of: NDArray[np.intp]
    """Which of them each duel is of."""

    def total(self, weights: NDArray[Any]) -> Real:
        """Return the sums by pairing, over the duels in the order they are in."""
        return np.bincount(self.of, weights, len(self.first)).astype(np.float64)

    @property
    def duels(self) -> Whole:
        """Return how many duels each has."""
        return np.bincount(self.of, minlength=len(self.first))


def pairings_of(first: Whole, second: Whole) -> Pairings:
    """Return which pairings there are, and which each duel is of."""
    size = int(second.max(initial=0)) + 1
    keys, of = np.unique(first * size + second, return_inverse=True)
    return Pairings(keys // size, keys % size, of)


def count_pairs(results: WonColumns | Iterable[Result] | Iterable[Won]) -> ByPair[PairCount]:
    """Count the duels of each pairing, by the numbers of A and B."""
    first, second, _, wins = won_columns(results)
    found = pairings_of(first, second)
    counts = np.bincount(3 * found.of + 2 - wins, minlength=3 * len(found.first)).reshape(-1, 3)
    return ByPair(found.first, found.second, [*counts.T], PairCount)


def counts_by_pair(pairs: Mapping[Pair, PairCount]) -> ByPair[PairCount]:
    """Return counts in columns."""
    if isinstance(pairs, ByPair):
        return pairs
    keys = np.fromiter(chain.from_iterable(pairs), np.int64).reshape(-1, 2)
    counts = np.array([*pairs.values()], np.float64).reshape(-1, 3)
    order = np.lexsort(keys.T[::-1])
    first, second = keys[order].T
    return ByPair(first, second, [*counts[order].T], PairCount)


def numbers_of(pairs: ByPair[Any], numbers: Mapping[Pair, float], default: float) -> Real:
    """Return the number of each pairing, or the default where it has none."""
    if (
        isinstance(numbers, ByPair)
        and np.array_equal(numbers.first, pairs.first)
        and np.array_equal(numbers.second, pairs.second)
    ):
        return np.asarray(numbers.columns[0])
    found = np.full(len(pairs), default)
    if numbers:
        found[:] = [numbers.get(pair, default) for pair in pairs]
    return found


def identical_by_pair(results: Results, identical: Sequence[int]) -> ByPair[tuple[int, int]]:
    """Return of each pairing how many hands all rooms played alike, of how many.

    Args:
        results: the duels.
        identical: how many hands of each were; less than 0 where that was not counted, which
            leaves the duel out.
    """
    alike = np.asarray(identical, np.int64)
    every = [np.asarray(results.columns[place])[alike >= 0] for place in (0, 1, 5)]
    found = pairings_of(*every[:2])
    columns = [found.total(each).astype(np.int64) for each in (alike[alike >= 0], every[2])]
    return ByPair(found.first, found.second, columns, lambda *each: each)

"""Duels counted by pairing: all that the fitted rating needs to know of them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from referee.ratings.results import Result, Won


class PairCount(NamedTuple):
    """How often A won, drew and lost against B."""

    won: int
    drawn: int
    lost: int


def count_pairs(results: Iterable[Result] | Iterable[Won]) -> Mapping[tuple[int, int], PairCount]:
    """Count the duels of each pairing, by the numbers of A and B."""
    counts: dict[tuple[int, int], list[int]] = {}
    for first, second, _, wins, *_ in results:
        counts.setdefault((first, second), [0, 0, 0])[2 - wins] += 1
    return {pairing: PairCount(*counted) for pairing, counted in counts.items()}

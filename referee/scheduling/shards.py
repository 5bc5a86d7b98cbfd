"""Cuts what a league plays into shards, which machines play that know nothing of each other.

Which duels a shard has follows from what is planned alone, and not from what was played: so a shard
that is played again, or by two machines, has the same duels. Shards differ by one duel at most,
and each has its duels of few pairings, so that bots are started seldom.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from referee.errors import ConfigError

_MOST: Final = 1_000_000
_TEXT: Final = re.compile(r"([1-9][0-9]{0,6})/([1-9][0-9]{0,6})")


class Shard(NamedTuple):
    """One of so many equal parts."""

    number: int
    """From 1."""
    of: int

    def __str__(self) -> str:
        """Return it as it is written on the command line."""
        return f"{self.number}/{self.of}"


def shard_from_text(text: str) -> Shard:
    """Read a shard.

    Raises:
        ConfigError: it is none.
    """
    found = _TEXT.fullmatch(text)
    shard = Shard(int(found[1]), int(found[2])) if found else None
    if shard is None or not shard.number <= shard.of <= _MOST:
        raise ConfigError(
            f"{text[:40]!r} is no shard; write I/N, from 1/N to N/N, as 2/10 for the second of ten"
        )
    return shard


def shard_duels(
    shard: Shard, pairs: Sequence[tuple[int, int]], numbers: range
) -> Iterator[tuple[tuple[int, int], range]]:
    """Yield the pairings of a shard, each with the numbers of its duels there.

    Args:
        shard: the shard.
        pairs: all pairings, in their order.
        numbers: the numbers of the duels that each of them plays.
    """
    each, total = len(numbers), len(pairs) * len(numbers)
    begin, end = (total * number // shard.of for number in (shard.number - 1, shard.number))
    for place, pair in enumerate(pairs):
        first, last = max(begin - place * each, 0), min(end - place * each, each)
        if first < last:
            yield pair, numbers[first:last]

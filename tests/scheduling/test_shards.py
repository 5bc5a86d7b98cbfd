"""Shards: together they are all that is played, none of it twice, in equal parts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import ConfigError
from referee.scheduling.round_robin import pairings
from referee.scheduling.shards import Shard, shard_duels, shard_from_text

Key = tuple[int, int, int]


def keys(shard: Shard, entrants: int, numbers: range) -> list[Key]:
    found = shard_duels(shard, [*pairings(range(1, entrants + 1))], numbers)
    return [(*pair, number) for pair, own in found for number in own]


@settings(max_examples=30)
@given(st.integers(2, 9), st.integers(0, 40), st.integers(1, 40), st.integers(1, 60))
def test_every_duel_is_in_one_shard(entrants: int, begin: int, duels: int, of: int) -> None:
    numbers = range(begin, begin + duels)
    shards = [keys(Shard(number, of), entrants, numbers) for number in range(1, of + 1)]
    every = [(*pair, number) for pair in pairings(range(1, entrants + 1)) for number in numbers]
    assert [key for shard in shards for key in shard] == every
    assert max(map(len, shards)) - min(map(len, shards)) <= 1


def test_a_shard_has_its_duels_of_few_pairings() -> None:
    found = shard_duels(Shard(2, 10), [*pairings(range(1, 11))], range(100))
    assert [len(own) for _, own in found] == [50, 100, 100, 100, 100]


@pytest.mark.parametrize(("text", "shard"), [("1/1", (1, 1)), ("2/10", (2, 10))])
def test_a_shard_is_read_as_it_is_written(text: str, shard: Shard) -> None:
    assert shard_from_text(text) == shard
    assert str(Shard(*shard)) == text


@pytest.mark.parametrize(
    "text",
    ["", "1", "0/3", "4/3", "-1/3", "1/0", "1 / 3", "01/3", "a/b", "1/3/5", "1/9999999", "٣/4"],
)
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"is no shard; write I/N"):
        shard_from_text(text)

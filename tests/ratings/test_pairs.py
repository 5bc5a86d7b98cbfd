"""Duels counted by pairing."""

from referee.ratings.pairs import PairCount, count_pairs
from referee.ratings.results import Result


def result(first: int, second: int, number: int, wins: int) -> Result:
    return Result(first, second, number, wins, 0.0, 0, (0, 0))


def test_two_matches_are_a_win_one_is_a_draw() -> None:
    results = [result(3, 1, number, wins) for number, wins in enumerate((2, 2, 1, 0, 2))]
    assert count_pairs(results) == {(3, 1): PairCount(won=3, drawn=1, lost=1)}


def test_each_pairing_is_counted_apart() -> None:
    results = [result(1, 2, 0, 2), result(3, 1, 0, 0), result(1, 2, 1, 1)]
    assert count_pairs(results) == {(1, 2): PairCount(1, 1, 0), (3, 1): PairCount(0, 0, 1)}


def test_nothing_played_is_no_pairing() -> None:
    assert count_pairs([]) == {}

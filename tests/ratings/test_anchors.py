"""Ratings that are measured by some of the entrants, and tables that do not list all of them."""

from collections.abc import Iterable
from math import isclose

import pytest

from referee.ratings.fitting import MEAN, fit, posterior, summary
from referee.ratings.intervals import intervals
from referee.ratings.pairs import PairCount
from referee.ratings.results import Result
from referee.ratings.standings import standings

PAIRS = {(1, 2): PairCount(6, 3, 3), (2, 3): PairCount(7, 4, 1), (3, 1): PairCount(2, 2, 8)}


def played(pairs: Iterable[tuple[int, int]] = ((1, 2), (2, 3), (1, 3))) -> list[Result]:
    return [
        Result(first, second, number, (number + first) % 3, 1.0, 10, (0, 0))
        for first, second in pairs
        for number in range(6)
    ]


def test_the_mean_of_the_anchors_is_the_middle_of_the_scale() -> None:
    found = summary(posterior([1, 2, 3], PAIRS, anchors=[1, 3]))
    assert isclose((found.rating(1).mean + found.rating(3).mean) / 2, MEAN)


def test_differences_do_not_depend_on_the_anchors() -> None:
    one, other = fit([1, 2, 3], PAIRS), summary(posterior([1, 2, 3], PAIRS, anchors=[2]))
    assert isclose(
        one.rating(1).mean - one.rating(3).mean, other.rating(1).mean - other.rating(3).mean
    )


def test_the_only_anchor_is_where_it_is_by_definition() -> None:
    found = posterior([1, 2, 3], PAIRS, anchors=[2])
    assert summary(found).rating(2) == pytest.approx((MEAN, 0.0), abs=1e-6)
    low, high = intervals(found)[2]
    assert (low, high) == pytest.approx((MEAN, MEAN), abs=1e-3)


def test_an_interval_is_about_the_rating_that_it_is_of() -> None:
    found = posterior([1, 2, 3], PAIRS, anchors=[1, 3])
    ratings = summary(found).ratings
    for entrant, (low, high) in intervals(found).items():
        assert low is not None
        assert high is not None
        assert low < ratings[entrant].mean < high


def test_with_all_as_anchors_it_is_as_without() -> None:
    assert (
        summary(posterior([1, 2, 3], PAIRS, anchors=[1, 2, 3])).ratings
        == fit([1, 2, 3], PAIRS).ratings
    )


def test_anchors_that_have_not_played_fix_nothing() -> None:
    assert (
        summary(posterior([1, 2, 3, 4], PAIRS, anchors=[4])).ratings
        == fit([1, 2, 3, 4], PAIRS).ratings
    )


def test_who_is_not_listed_counts_all_the_same() -> None:
    whole = standings([1, 2, 3], played())
    some = standings([1, 2, 3], played(), listed=[1, 3])
    assert [row.entrant for row in some.rows] == [
        row.entrant for row in whole.rows if row.entrant != 2
    ]
    assert [row.duels for row in some.rows] == [12, 12]
    assert {row.entrant: row.rating for row in some.rows}[1] == whole.fit.rating(1)


def test_ranks_are_among_those_who_are_listed() -> None:
    assert max(row.ranks.worst for row in standings([1, 2, 3], played(), listed=[1, 3]).rows) == 2

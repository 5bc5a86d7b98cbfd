"""Spreads, and the intervals of means and shares."""

from random import Random

import pytest

from referee.spread import Spread, Wins


def spread_of(*numbers: int) -> Spread:
    spread = Spread()
    for number in numbers:
        spread.add(number)
    return spread


def test_a_spread_has_count_mean_and_range() -> None:
    spread = spread_of(4, 1, 4)
    assert (spread.count, spread.mean, spread.least, spread.most) == (3, 3.0, 1, 4)


def test_a_spread_of_nothing_is_zero() -> None:
    assert (Spread().count, Spread().mean, Spread().least, Spread().most) == (0, 0.0, 0, 0)


def test_a_spread_takes_what_another_one_has_counted() -> None:
    spread = spread_of(1, 2)
    spread.take(spread_of(2, 3))
    assert spread == spread_of(1, 2, 2, 3)


@pytest.mark.parametrize(("share", "number"), [(0.5, 2), (0.51, 3), (0.75, 3), (1.0, 9)])
def test_a_share_of_the_numbers_does_not_exceed(share: float, number: int) -> None:
    assert spread_of(1, 2, 3, 9).within(share) == number


def test_the_interval_of_a_mean_is_two_standard_errors_wide() -> None:
    mean, low, high = spread_of(0, 2).interval
    assert (mean, low, high) == pytest.approx((1.0, 1 - 1.96, 1 + 1.96), abs=1e-3)


def test_one_number_says_nothing_of_its_spread() -> None:
    assert spread_of(7).interval == (7, 7, 7)


def test_a_win_that_is_shared_is_a_part_of_one() -> None:
    wins = Wins()
    wins.add(place=0, level=1)
    wins.add(place=0, level=2)
    wins.add(place=1, level=1)
    assert wins.interval.mean == 0.5


def test_who_won_nothing_yet_may_win_some_day() -> None:
    wins = Wins()
    for _ in range(10):
        wins.add(place=1, level=1)
    share, low, high = wins.interval
    assert (share, low) == (0, 0)
    assert high == pytest.approx(0.278, abs=1e-3)  # Wilson's, as tables have it


def test_before_the_first_contest_everything_is_possible() -> None:
    assert Wins().interval == (0, 0, 1)


def test_the_interval_of_a_share_holds_it_in_about_19_of_20_experiments() -> None:
    random, held = Random(7), 0
    for _ in range(1000):
        wins = Wins()
        for _ in range(60):
            wins.add(int(random.random() >= 0.2), 1)
        held += wins.interval.low <= 0.2 <= wins.interval.high
    assert 930 <= held <= 975

"""The normal distribution, also far out."""

from math import erfc, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from referee.ratings.probit import Numbers, chance, log_chance, log_chance_and_slope

NORMAL = NormalDist()


def hazard(x: Numbers) -> Numbers:
    return log_chance_and_slope(x)[1]


@pytest.mark.parametrize("x", [-6.0, -2.5, -1.0, 0.0, 0.5, 7.0])
def test_near_the_middle_it_is_the_normal_distribution(x: float) -> None:
    assert chance(x) == pytest.approx(NORMAL.cdf(x))
    assert log_chance(np.array([x]))[0] == pytest.approx(log(NORMAL.cdf(x)), rel=1e-9)
    assert hazard(np.array([x]))[0] == pytest.approx(NORMAL.pdf(x) / NORMAL.cdf(x))


def test_far_out_no_digit_is_lost() -> None:
    found = log_chance(np.array([-40.0, -1000.0]))
    assert found == pytest.approx([-804.6084420137538, -500007.8266948121], rel=1e-14)


def test_no_digit_is_lost_on_the_way() -> None:
    x = np.linspace(-35, 8, 1000)
    expected = [log(erfc(-value / sqrt(2)) / 2) for value in x.tolist()]
    assert log_chance(x) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_many_numbers_are_computed_as_one_is() -> None:
    x = np.linspace(-9, 9, 40_000)
    assert (log_chance(x)[::997] == log_chance(x[::997])).all()


def test_the_hazard_is_the_slope() -> None:
    for x in (-50.0, -29.9, -3.0, 2.0):
        ahead, behind = log_chance(np.array([x + 1e-4, x - 1e-4]))
        assert hazard(np.array([x]))[0] == pytest.approx((ahead - behind) / 2e-4, rel=1e-6)

"""The normal distribution, also far out."""

from math import log
from statistics import NormalDist

import numpy as np
import pytest

from referee.ratings.probit import chance, hazard, log_chance

NORMAL = NormalDist()


@pytest.mark.parametrize("x", [-6.0, -2.5, -1.0, 0.0, 0.5, 7.0])
def test_near_the_middle_it_is_the_normal_distribution(x: float) -> None:
    assert chance(x) == pytest.approx(NORMAL.cdf(x))
    assert log_chance(np.array([x]))[0] == pytest.approx(log(NORMAL.cdf(x)), rel=1e-9)
    assert hazard(np.array([x]))[0] == pytest.approx(NORMAL.pdf(x) / NORMAL.cdf(x))


def test_far_out_no_digit_is_lost() -> None:
    found = log_chance(np.array([-40.0, -1000.0]))
    assert found == pytest.approx([-804.6084420137538, -500007.8266948121], rel=1e-14)


def test_the_two_ways_of_computing_meet() -> None:
    below, above = log_chance(np.array([-30.0 - 1e-12, -30.0]))
    assert below == pytest.approx(above - 30.033e-12, rel=1e-14)


def test_the_hazard_is_the_slope() -> None:
    for x in (-50.0, -29.9, -3.0, 2.0):
        ahead, behind = log_chance(np.array([x + 1e-4, x - 1e-4]))
        assert hazard(np.array([x]))[0] == pytest.approx((ahead - behind) / 2e-4, rel=1e-6)

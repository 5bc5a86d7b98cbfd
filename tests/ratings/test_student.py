"""Student's t."""

from statistics import NormalDist

import pytest

from referee.ratings import student

# From any printed table of the 97.5 % point.
PRINTED = [(1, 12.706), (2, 4.303), (3, 3.182), (7, 2.365), (9, 2.262), (30, 2.042), (120, 1.980)]


@pytest.mark.parametrize(("freedom", "width"), PRINTED)
def test_widths_are_those_of_the_printed_table(freedom: int, width: float) -> None:
    assert student.width(freedom) == pytest.approx(width, abs=5e-4)


def test_with_one_degree_of_freedom_it_is_cauchy_s() -> None:
    assert student.chance(1.0, 1) == pytest.approx(0.75)


def test_with_two_it_has_a_closed_form() -> None:
    for t in (-3.0, -0.1, 0.0, 0.7, 40.0):
        assert student.chance(t, 2) == pytest.approx((1 + t / (2 + t * t) ** 0.5) / 2)


def test_with_many_it_is_the_normal_distribution() -> None:
    assert student.chance(1.3, 10_000_000) == pytest.approx(NormalDist().cdf(1.3), abs=1e-7)


def test_both_sides_are_alike() -> None:
    assert student.chance(-2.2, 5) == pytest.approx(1 - student.chance(2.2, 5))

"""Whether the tables are as sure of themselves as they should be, where the truth is known."""

from math import sqrt

import pytest

from referee.ratings.fitting import SPREAD
from referee.ratings.stopping import By
from tests.ratings.simulated import (
    Covered,
    coverage,
    false_alarms,
    field_covered,
    margins_covered,
)

SKILLS = 2000
"""So many are judged, of as many leagues as that takes: 0.005 is chance."""
DUELS = 10
TOLD = 0.93, 0.97
ALIKE = [25.0] * 8
PAIRS_FAR_APART = [skill for skill in (5.0, 15.0, 25.0, 35.0) for _ in range(2)]


@pytest.fixture(scope="module", params=[(8, 2.0), (8, SPREAD), (20, 2.0), (20, SPREAD)], ids=str)
def covered(request: pytest.FixtureRequest) -> Covered:
    entrants, spread = request.param
    return coverage(entrants, spread, DUELS, SKILLS // entrants, seed=1)


def test_intervals_of_skills_hold_the_truth(covered: Covered) -> None:
    assert TOLD[0] <= covered.skills <= TOLD[1]


def test_intervals_between_neighbours_in_the_table_hold_the_truth(covered: Covered) -> None:
    """They are what a reader sees, though who is whose neighbour is partly luck."""
    assert TOLD[0] <= covered.neighbours <= TOLD[1]


def test_intervals_between_true_neighbours_hold_the_truth(covered: Covered) -> None:
    assert TOLD[0] <= covered.true_neighbours <= TOLD[1]


@pytest.mark.parametrize("duels", [3, 10, 40])
@pytest.mark.parametrize("edge", [0.0, 0.2])
def test_intervals_of_points_per_hand_hold_the_truth(duels: int, edge: float) -> None:
    """With three duels, the hand that is imagined makes them a little wider than they need be."""
    assert TOLD[0] <= margins_covered(duels, 2000, 1, edge) <= (0.98 if duels < 10 else TOLD[1])


def test_intervals_of_points_against_the_field_hold_the_truth() -> None:
    assert TOLD[0] <= field_covered(8, DUELS, 800, 1) <= TOLD[1]


@pytest.mark.parametrize(
    ("by", "skills", "leagues"),
    [
        ("rating", [25.0, 25.0], 60),
        ("rating", ALIKE, 30),
        ("rating", PAIRS_FAR_APART, 30),
        ("points", [25.0, 25.0], 200),
        ("points", ALIKE, 30),
        ("points", PAIRS_FAR_APART, 30),
    ],
)
def test_equals_are_told_apart_no_more_often_than_was_allowed(
    by: By, skills: list[float], leagues: int
) -> None:
    alarms, stopped = false_alarms(by, skills, 128, leagues, seed=1)
    by_chance = 2 * sqrt(0.05 * 0.95 / leagues)
    assert stopped <= alarms <= 0.05 + by_chance


def test_a_league_of_different_entrants_does_stop_early() -> None:
    _, stopped = false_alarms("rating", [15.0, 25.0, 35.0], 128, 15, seed=1)
    assert stopped > 0.9

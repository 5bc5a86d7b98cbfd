"""Who is put apart for its faults."""

import pytest

from referee.ratings.quarantine import among, quarantined
from referee.ratings.results import Result


def duels(count: int, faulty: int, opponent: int = 2, times: int = 1) -> list[Result]:
    """Play duels of entrant 1, in the first of which it is at fault."""
    return [
        Result(1, opponent, number, 0, 0.0, 0, (times if number < faulty else 0, 0))
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("count", "faulty", "apart"),
    [(10, 10, {1}), (9, 9, set()), (19, 10, {1}), (20, 10, set()), (1000, 501, {1})],
)
def test_ten_faulty_duels_and_over_half_put_apart(count: int, faulty: int, apart: set[int]) -> None:
    assert quarantined(duels(count, faulty)) == apart


def test_a_duel_with_many_faults_is_one_faulty_duel() -> None:
    assert quarantined(duels(9, 9, times=5)) == set()


def test_the_other_of_a_pairing_is_judged_by_its_own_faults() -> None:
    results = [Result(2, 1, number, 2, 0.0, 0, (0, 1)) for number in range(10)]
    assert quarantined(results) == {1}


def test_duels_against_all_opponents_count() -> None:
    assert quarantined([*duels(10, 6), *duels(10, 6, opponent=3)]) == {1}


def test_faults_against_one_that_is_put_apart_count_too() -> None:
    """So nobody's place depends on the order in which others are judged."""
    both = [Result(1, 2, number, 1, 0.0, 0, (1, 1)) for number in range(12)]
    assert quarantined([*both, *duels(11, 0, opponent=3)]) == {1, 2}


def test_only_duels_among_those_named_are_left() -> None:
    results = [*duels(2, 0), *duels(2, 0, opponent=3)]
    assert among({1, 3}, results) == duels(2, 0, opponent=3)

"""How much duels that were played one after the other depend on each other."""

from itertools import combinations
from random import Random

import pytest

from referee.ratings.clusters import effects_on_points, effects_on_wins
from referee.ratings.results import Result


def league(visit: int, duels: int = 64, entrants: int = 4) -> list[Result]:
    """Return a league in which all duels of a visit end alike, as drawn."""
    random = Random(1)
    results = []
    for first, second in combinations(range(1, entrants + 1), 2):
        for number in range(duels):
            if number % visit == 0:
                wins = random.randrange(3)
            results.append(Result(first, second, number, wins, 3.0 * (wins - 1), 12, (0, 0)))
    return results


def test_duels_that_depend_on_no_other_count_nearly_in_full() -> None:
    assert all(1 <= effect < 1.5 for effect in effects_on_wins(league(1, 128, 7)).values())


@pytest.mark.parametrize("visit", [2, 8])
def test_duels_that_all_go_as_the_first_of_a_visit_count_as_about_one(visit: int) -> None:
    for effect in effects_on_wins(league(visit)).values():
        assert 0.6 * visit < effect < 1.6 * visit


def test_points_depend_on_each_other_as_wins_do() -> None:
    assert effects_on_points(league(8)) == pytest.approx(effects_on_wins(league(8)))


def test_the_order_of_the_duels_does_not_matter() -> None:
    results = league(8)
    assert effects_on_wins(reversed(results)) == pytest.approx(effects_on_wins(results))


def test_duels_that_all_went_alike_are_as_in_the_rest_of_the_league() -> None:
    swept = [Result(5, 6, number, 2, 1.0, 9, (0, 0)) for number in range(64)]
    effects = effects_on_wins([*league(8), *swept])
    assert effects[5, 6] > 3


@pytest.mark.parametrize("duels", [0, 1, 2, 3])
def test_too_few_duels_say_nothing_of_it(duels: int) -> None:
    assert all(effect == 1 for effect in effects_on_wins(league(1, duels)).values())


def test_a_duel_without_hands_has_no_points_to_depend_on() -> None:
    assert effects_on_points([Result(1, 2, 0, 2, 0.0, 0, (0, 1))]) == {}

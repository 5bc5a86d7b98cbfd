"""Ranks are ranges where places are not told apart."""

from itertools import combinations
from random import Random

from referee.ratings.ranks import Ranks
from referee.ratings.results import Result
from referee.ratings.standings import standings


def ranks(entrants: int, results: list[Result]) -> dict[int, Ranks]:
    return {row.entrant: row.ranks for row in standings(range(1, entrants + 1), results).rows}


def played(entrants: int, duels: int, gap: float, seed: int = 1) -> list[Result]:
    """Play a league in which each is better by so much than the one before."""
    random = Random(seed)
    results = []
    for number in range(duels):
        for first, second in combinations(range(1, entrants + 1), 2):
            lead = random.gauss(gap * (first - second), 1)
            wins = 1 + (lead > 0.4) - (lead < -0.4)
            results.append(Result(first, second, number, wins, lead, 20, (0, 0)))
    return results


def test_thirty_equals_share_all_places() -> None:
    assert set(ranks(30, played(30, 4, gap=0.0)).values()) == {Ranks(1, 30)}


def test_those_who_are_told_apart_have_a_place_each() -> None:
    found = ranks(4, played(4, 60, gap=2.0))
    assert found == {4: Ranks(1, 1), 3: Ranks(2, 2), 2: Ranks(3, 3), 1: Ranks(4, 4)}


def test_two_equals_above_a_third_share_the_first_two_places() -> None:
    results = [
        Result(*pair, number, 2 if 3 in pair else number % 3, 0.0, 20, (0, 0))
        for number in range(30)
        for pair in ((1, 2), (1, 3), (2, 3))
    ]
    assert ranks(3, results) == {1: Ranks(1, 2), 2: Ranks(1, 2), 3: Ranks(3, 3)}


def test_who_has_not_played_shares_the_places_below_all_who_have() -> None:
    found = ranks(6, played(4, 60, gap=2.0))
    assert (found[4], found[5], found[6]) == (Ranks(1, 1), Ranks(5, 6), Ranks(5, 6))


def test_an_entrant_alone_is_first() -> None:
    assert ranks(1, []) == {1: Ranks(1, 1)}


def test_a_range_is_written_with_both_its_ends() -> None:
    assert [Ranks(3, 7).text, Ranks(4, 4).text] == ["3–7", "4"]

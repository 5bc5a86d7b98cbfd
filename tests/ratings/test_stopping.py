"""When a league may stop."""

from itertools import combinations

import pytest

from referee.ratings.margins import combined, margins
from referee.ratings.points import ahead, turned
from referee.ratings.results import Result
from referee.ratings.stopping import (
    By,
    Order,
    Until,
    enough,
    looks,
    may_stop,
    needed_pairings,
    neighbours,
    plays_on,
    unresolved,
)

BOTH: list[By] = ["rating", "points"]


def league(entrants: int, duels: int, step: float) -> list[Result]:
    """Return results in which a lower number wins by so much more; luck swings each duel."""
    return [
        Result(one, two, number, _wins(lead := (two - one) * step + swing), lead, 20, (0, 0))
        for number in range(duels)
        for one, two in combinations(range(1, entrants + 1), 2)
        for swing in [(-4.0, 4.0, 1.0, -1.0)[(number + one * two) % 4]]
    ]


def _wins(lead: float) -> int:
    return 1 + (lead > 2) - (lead < -2)


@pytest.mark.parametrize(
    ("duels", "expected"),
    [
        (5, (5,)),
        (8, (8,)),
        (9, (8, 9)),
        (64, (8, 16, 32, 64)),
        (100, (8, 16, 32, 64, 100)),
    ],
)
def test_looks_come_after_twice_as_many_duels_and_at_the_end(
    duels: int, expected: tuple[int, ...]
) -> None:
    assert looks(duels) == expected


def test_the_doubt_is_shared_out_among_looks_neighbours_and_both_ways_round() -> None:
    assert enough(Until(0.95, "rating"), 6, 64) == pytest.approx(1 - 0.05 / (2 * 4 * 5))


@pytest.mark.parametrize("by", BOTH)
def test_a_league_of_clear_differences_may_stop(by: By) -> None:
    assert may_stop(Until(0.95, by), league(4, 32, 3.0), range(1, 5), 100)


@pytest.mark.parametrize("by", BOTH)
def test_a_league_of_equals_may_not_stop(by: By) -> None:
    assert not may_stop(Until(0.95, by), league(4, 32, 0.0), range(1, 5), 100)


@pytest.mark.parametrize("by", BOTH)
def test_one_pair_of_equals_keeps_a_league_going(by: By) -> None:
    """Two and three are the same bot under two numbers."""
    places = {1: 1, 2: 2, 3: 2, 4: 3, 5: 4}
    results = [
        Result(one, two, number, _wins(lead), lead, 20, (0, 0))
        for number in range(32)
        for one, two in combinations(places, 2)
        for lead in [(places[two] - places[one]) * 8.0 + (4.0 if number % 2 else -4.0)]
    ]
    assert not may_stop(Until(0.95, by), results, places, 100)


@pytest.mark.parametrize("by", BOTH)
def test_between_two_looks_a_league_does_not_stop(by: By) -> None:
    assert not may_stop(Until(0.95, by), league(4, 33, 3.0), range(1, 5), 100)


def test_before_the_first_duel_a_league_does_not_stop() -> None:
    assert not may_stop(Until(0.95, "rating"), [], range(1, 5), 100)


@pytest.mark.parametrize("by", BOTH)
def test_more_confidence_takes_more_duels(by: By) -> None:
    results = league(4, 16, 2.0)
    assert may_stop(Until(0.6, by), results, range(1, 5), 16)
    assert not may_stop(Until(1 - 1e-9, by), results, range(1, 5), 16)


@pytest.mark.parametrize("by", BOTH)
def test_duels_of_others_do_not_count(by: By) -> None:
    results = [*league(4, 32, 3.0), *(Result(1, 5, n, n % 3, 0.0, 20, (0, 0)) for n in range(32))]
    assert may_stop(Until(0.95, by), results, range(1, 5), 100)
    assert not may_stop(Until(0.95, by), results, range(1, 6), 100)


@pytest.mark.parametrize("by", BOTH)
def test_one_who_is_not_named_keeps_nobody_waiting(by: By) -> None:
    faulty = [Result(1, 5, number, 2, 0.0, 0, (0, 1)) for number in range(32)]
    assert may_stop(Until(0.95, by), [*league(4, 32, 3.0), *faulty], range(1, 5), 100)


def test_without_points_against_everybody_nobody_is_told_apart_by_points() -> None:
    results = [r for r in league(4, 32, 3.0) if (r.first, r.second) != (1, 4)]
    assert not may_stop(Until(0.95, "points"), results, range(1, 5), 100)


@pytest.mark.parametrize("by", BOTH)
def test_neighbours_stand_in_their_order(by: By) -> None:
    found = neighbours(by, [3, 1, 2], league(3, 16, 3.0))
    assert [(two.upper, two.lower) for two in found] == [(1, 2), (2, 3)]
    assert all(two.better > 0.5 for two in found)


def test_by_points_neighbours_are_told_apart_by_all_they_played() -> None:
    """Their own duels say little; against the others one does far better."""
    own = [Result(1, 2, number, 1, (-9.0, 9.1)[number % 2], 20, (0, 0)) for number in range(16)]
    others = [
        Result(one, other, number, 1, lead + (-1.0, 1.0)[number % 2], 20, (0, 0))
        for number in range(16)
        for one, other, lead in ((1, 3, 30.0), (2, 3, 5.0))
    ]
    assert neighbours("points", [1, 2, 3], own)[0].better < 0.6
    assert neighbours("points", [1, 2, 3], [*own, *others])[0].better > 0.99


def test_by_points_the_own_duels_count_for_both_neighbours() -> None:
    """Won by the one, they are lost by the other: the difference has them twice."""
    leads = {(1, 2): 3.0, (1, 3): 5.0, (2, 3): 4.0}
    results = [
        Result(one, two, number, 1, lead + (-2.0, 2.0)[number % 2], 10, (0, 0))
        for (one, two), lead in leads.items()
        for number in range(8)
    ]
    own, ours, theirs = margins(results).values()
    expected = combined([(2, own), (1, ours), (1, turned(theirs))])
    first, _ = neighbours("points", [1, 2, 3], results)
    assert first.better == pytest.approx(ahead(expected))
    assert expected.mean == pytest.approx(0.7)


@pytest.mark.parametrize("by", BOTH)
def test_a_league_may_stop_when_the_first_places_are_sure(by: By) -> None:
    """Two and three are the same bot under two numbers; one is better than both."""
    results = league(2, 32, 3.0)
    alike = [result._replace(second=3) for result in results]
    between = [Result(2, 3, number, 1, (-2.0, 2.0)[number % 2], 20, (0, 0)) for number in range(32)]
    played = [*results, *alike, *between]
    assert may_stop(Until(0.95, by, top=1), played, range(1, 4), 100)
    assert not may_stop(Until(0.95, by, top=2), played, range(1, 4), 100)


def order(better: dict[tuple[int, int], float], entrants: int = 4) -> Order:
    """Put entrants in the order of their numbers, each surely better but where it is said."""
    return Order([*range(1, entrants + 1)], lambda one, other: better.get((one, other), 1.0))


ADAPTIVE = Until(0.95, "rating", adaptive=True)


def test_a_place_is_open_as_long_as_its_entrant_is_not_told_apart_from_all_below() -> None:
    found = unresolved(ADAPTIVE, order({(1, 3): 0.8, (1, 4): 0.7, (2, 3): 0.6}), 64)
    assert [(two.upper, two.lower) for two in found] == [(1, 3), (2, 3)]


def test_of_the_places_that_do_not_matter_none_is_open() -> None:
    found = unresolved(ADAPTIVE._replace(top=1), order({(1, 2): 0.8, (3, 4): 0.5}), 64)
    assert [(two.upper, two.lower) for two in found] == [(1, 2)]


def test_by_rating_two_that_are_not_told_apart_play_each_other_alone() -> None:
    assert needed_pairings(ADAPTIVE, order({(2, 3): 0.5}), 64) == {frozenset((2, 3))}


def test_by_points_they_play_the_whole_field() -> None:
    found = needed_pairings(ADAPTIVE._replace(by="points"), order({(2, 3): 0.5}), 64)
    expected = [{2, 3}, {1, 2}, {2, 4}, {1, 3}, {3, 4}]
    assert found == {*map(frozenset, expected)}


@pytest.mark.parametrize("adaptive", [True, False])
def test_between_two_looks_nothing_changes(adaptive: bool) -> None:
    until = Until(0.95, "points", adaptive=adaptive)
    assert plays_on(until, 100, 31, league(4, 31, 3.0), range(1, 5)) is None
    assert plays_on(until, 100, 32, league(4, 32, 3.0), range(1, 5)) is not None


def test_without_adaptive_rounds_all_play_on_or_none() -> None:
    until = Until(0.95, "points")
    every = {frozenset(pair) for pair in combinations(range(1, 5), 2)}
    assert plays_on(until, 100, 32, league(4, 32, 0.0), range(1, 5)) == every
    assert not plays_on(until, 100, 32, league(4, 32, 3.0), range(1, 5))


def test_the_doubt_is_shared_out_among_the_first_places_alone() -> None:
    assert enough(Until(0.95, "rating", top=2), 6, 64) == pytest.approx(1 - 0.05 / (2 * 4 * 2))
    assert enough(Until(0.95, "rating", top=9), 6, 64) == enough(Until(0.95, "rating"), 6, 64)

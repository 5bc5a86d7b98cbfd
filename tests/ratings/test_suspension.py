"""Who is suspended for its faults, and after which duels."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from operator import itemgetter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.ratings.results import Result
from referee.ratings.suspension import Judged, Key, Layers, among, at_fault_in_most


def duels(count: int, faulty: int, opponent: int = 2, times: int = 1) -> list[Result]:
    """Play duels of entrant 1, in the first of which it is at fault."""
    return [
        Result(1, opponent, number, 0, 0.0, 0, (times if number < faulty else 0, 0))
        for number in range(count)
    ]


def suspended(
    results: Iterable[Result], entrants: int = 2, given_up: Iterable[Key] = (), **judged: Judged
) -> dict[int, int]:
    numbers = range(1, entrants + 1)
    everybody = {number: judged.get(f"of_{number}", Judged()) for number in numbers}
    played = [((each.first, each.second, each.number), each) for each in results]
    void = [(key, None) for key in given_up]
    return Layers(everybody, combinations(numbers, 2), 100, [*played, *void]).suspended


@pytest.mark.parametrize(
    ("count", "faulty", "after"),
    [(10, 10, 9), (9, 9, None), (10, 6, 9), (10, 5, None), (100, 6, 9), (100, 10, 9)],
)
def test_faults_in_over_half_of_at_least_ten_duels_suspend(
    count: int, faulty: int, after: int | None
) -> None:
    assert suspended(duels(count, faulty)) == ({} if after is None else {1: after})


def test_who_gets_worse_is_suspended_once_it_is_at_fault_in_over_half() -> None:
    late = [each._replace(faults=(int(each.number >= 12), 0)) for each in duels(40, 0)]
    assert suspended(late) == {1: 24}


def test_a_duel_with_many_faults_is_one_faulty_duel() -> None:
    assert suspended(duels(10, 5, times=5)) == {}


def test_each_of_a_pairing_is_judged_by_its_own_faults() -> None:
    both = [each._replace(faults=(0, 1)) for each in duels(10, 0)]
    assert suspended(both) == {2: 9}


def test_duels_against_all_opponents_count() -> None:
    rest = [Result(2, 3, number, 1, 0.0, 9, (0, 0)) for number in range(9)]
    assert suspended([*duels(9, 5), *duels(9, 5, opponent=3), *rest], entrants=3) == {1: 4}


def test_nobody_is_suspended_by_a_layer_that_lacks_a_duel() -> None:
    assert suspended(duels(30, 30), entrants=3) == {}


def test_a_duel_that_was_given_up_completes_its_layer_and_counts_for_nobody() -> None:
    played = [each for each in duels(11, 11) if each.number != 4]
    assert suspended(played, given_up=[(1, 2, 4)]) == {1: 10}


def test_duels_beyond_a_suspension_count_for_nobody() -> None:
    """Both are at fault in all duels from the first or the eleventh on; only one is suspended."""
    both = [each._replace(faults=(1, int(each.number > 9))) for each in duels(40, 0)]
    assert suspended(both) == {1: 9}


def test_duels_before_a_suspension_that_was_taken_back_are_not_counted() -> None:
    results = [each._replace(faults=(int(each.number != 15), 0)) for each in duels(40, 0)]
    assert suspended(results, of_1=Judged(counted_from=10)) == {1: 19}


def test_with_a_withdrawn_entrant_no_duel_counts() -> None:
    rest = [Result(2, 3, number, 1, 0.0, 9, (0, 0)) for number in range(20)]
    results = [*duels(20, 0), *duels(20, 20, opponent=3), *rest]
    assert suspended(results) == {}


def test_a_pairing_that_is_over_keeps_no_layer_waiting() -> None:
    played = [((1, 2, each.number), each) for each in duels(12, 12)]
    layers = Layers(dict.fromkeys((1, 2, 3), Judged()), [(1, 2)], 100, played)
    assert layers.suspended == {1: 9}


def test_who_is_suspended_already_keeps_no_layer_waiting_and_its_duels_count() -> None:
    others = [Result(1, 3, number, 1, 0.0, 9, (1, 0)) for number in range(5)]
    found = suspended([*others, *duels(5, 5)], entrants=3, of_3=Judged(suspended=4))
    assert found == {3: 4, 1: 4}


def test_a_reason_says_how_often() -> None:
    layers = Layers({1: Judged(), 2: Judged()}, [(1, 2)], 100)
    for each in duels(12, 6):
        layers.add((1, 2, each.number), each)
    assert layers.reason(1) == "at fault in 6 of 10 duels"


def looks_at(number: int, *_: object) -> set[frozenset[int]] | None:
    """Return the pairs that play on: 1 and 2 after 8 duels, 1 and 3 after 16."""
    return {8: {frozenset((1, 2))}, 16: {frozenset((1, 3))}}.get(number)


@pytest.mark.parametrize("known", [None, 8])
def test_where_all_that_play_on_are_suspended_the_next_look_decides(known: int | None) -> None:
    """2 is at fault from its fifth duels on; whether that is known by then changes nothing."""
    results = [
        Result(first, second, number, 1, 0.0, 9, (int(first == 2 and number > 3), late))
        for number in range(9)
        for first, second in ((1, 2), (1, 3), (2, 3))
        for late in [int(second == 2 and number > 3)]
        if number < 8 or (first, second) == (1, 2)
    ]
    played = [((each.first, each.second, each.number), each) for each in results]
    everybody = {1: Judged(), 2: Judged(suspended=known), 3: Judged()}
    layers = Layers(everybody, combinations((1, 2, 3), 2), 100, played, looks_at)
    assert layers.suspended == {2: 8}
    assert [stage.begin for stage in layers.stages] == [0, 8, 16]
    assert layers.lacking == (1, 3, 16)


CHANCE = st.sampled_from([0.0, 0.0, 0.3, 0.5, 0.7, 1.0])
"""How often an entrant is at fault."""


def results_of(chances: list[float], plan: int, seed: int) -> dict[Key, Result | None]:
    """Play a league, in which what comes of a duel follows from its key; a few are given up."""
    draw = Random(seed)
    found: dict[Key, Result | None] = {}
    for number in range(plan):
        for first, second in combinations(range(1, len(chances) + 1), 2):
            faults = draw.random() < chances[first - 1], draw.random() < chances[second - 1]
            result = Result(first, second, number, 1, 0.0, 9, (int(faults[0]), int(faults[1])))
            found[first, second, number] = None if draw.random() < 0.03 else result
    return found


def part(league: Mapping[Key, Result | None], after: Mapping[int, int]) -> set[Key]:
    """Name the duels that are part of a league."""
    return {
        key for key in league if all(key[2] <= after.get(entrant, key[2]) for entrant in key[:2])
    }


def played_somehow(league: Mapping[Key, Result | None], plan: int, way: Random) -> dict[int, int]:
    """Play visits of random sizes, several at a time, with kills; what came in stays."""
    entrants = {entrant for key in league for entrant in key[:2]}
    stored: dict[Key, Result | None] = {}
    suspended: dict[int, int] = {}
    while True:
        sound = sorted(entrants - suspended.keys())
        entries = {each: Judged(suspended=suspended.get(each)) for each in entrants}
        known = way.sample(sorted(stored.items(), key=itemgetter(0)), len(stored))
        layers = Layers(entries, combinations(sound, 2), plan, known)
        suspended = layers.suspended
        missing = [key for key in league if key not in stored and not suspended.keys() & {*key[:2]}]
        if not missing:
            return suspended
        # In flight are duels of any number; each is stored or lost by a kill.
        flying = way.sample(missing, min(len(missing), way.randrange(1, 40)))
        for key in flying:
            stored[key] = league[key]
            layers.add(key, league[key])
            if way.random() < 0.02:
                break


@pytest.mark.slow
@given(
    st.lists(CHANCE, min_size=2, max_size=5),
    st.integers(1, 40),
    st.integers(0, 2**32),
    st.integers(0, 2**32),
)
def test_who_is_suspended_does_not_depend_on_how_the_league_was_played(
    chances: list[float], plan: int, seed: int, way: int
) -> None:
    league = results_of(chances, plan, seed)
    entrants = range(1, len(chances) + 1)
    everybody = dict.fromkeys(entrants, Judged())
    in_order = Layers(everybody, combinations(entrants, 2), plan, league.items()).suspended
    somehow = played_somehow(league, plan, Random(way))
    assert somehow == in_order
    assert part(league, somehow) == part(league, in_order)


def test_ten_faulty_duels_and_over_half_put_apart_before_there_were_suspensions() -> None:
    assert at_fault_in_most(duels(19, 10)) == {1}
    assert at_fault_in_most(duels(20, 10)) == at_fault_in_most(duels(9, 9)) == set()


def test_only_duels_among_those_named_are_left() -> None:
    results = [*duels(2, 0), *duels(2, 0, opponent=3)]
    assert among({1, 3}, results) == duels(2, 0, opponent=3)

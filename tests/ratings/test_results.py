"""Results in columns."""

from random import Random

import pytest

from referee.ratings.columns import between, columns_of, in_order, of_entrant, result_columns, up_to
from referee.ratings.pair_bits import DuelWins
from referee.ratings.pairs import identical_by_pair
from referee.ratings.results import Result, Results

SOME = [
    Result(first, second, number, (first + number) % 3, first - 2.5, 20 + number, (second % 2, 0))
    for number in range(4)
    for first, second in ((1, 2), (1, 4), (2, 3), (3, 1))
]


def test_results_are_a_sequence_like_any() -> None:
    found = Results(SOME)
    assert [*found] == SOME
    assert [found[3], found[-1], *found[2:5]] == [SOME[3], SOME[-1], *SOME[2:5]]
    assert found == Results(SOME)
    assert found != Results(SOME[1:])


def test_a_column_takes_no_other_type() -> None:
    with pytest.raises(TypeError):
        Results([SOME[0]._replace(wins=0.5)])  # type: ignore[arg-type]


def test_those_among_some_entrants_are_counted() -> None:
    found = Results(SOME)
    assert [found.count_among(these) for these in ({1, 2, 3, 4}, {1, 2, 3}, {1}, ())] == [
        16,
        12,
        0,
        0,
    ]


def test_they_are_put_in_canonical_order() -> None:
    shuffled = Results(Random(1).sample(SOME, len(SOME)))
    assert [*in_order(shuffled)] == SOME
    assert in_order(found := Results(SOME)) is found


def test_duels_are_chosen_by_entrants_and_numbers() -> None:
    every = result_columns(SOME)
    assert [len(each.first) for each in (between(every, {1, 2, 3}), of_entrant(every, 4))] == [
        12,
        4,
    ]
    kept = up_to(every, 2, {4: 0})
    expected = [
        result[:3]
        for result in SOME
        if result.number <= 2 and (result.second != 4 or not result.number)
    ]
    assert [*zip(*map(list, kept[:3]), strict=True)] == expected


def test_a_set_of_duels_becomes_columns() -> None:
    random, wins = Random(2), DuelWins(5)
    for _ in range(200):
        first, second = random.sample(range(1, 30), 2)
        wins.add((first, second), random.randrange(5), random.randrange(3))
    assert [*zip(*(column.tolist() for column in columns_of(wins)), strict=True)] == [*wins]


def test_hands_played_alike_add_up_where_they_were_counted() -> None:
    found = identical_by_pair(Results(SOME[:6]), [3, -1, 0, 5, 4, -1])
    assert found == {(1, 2): (7, 41), (2, 3): (0, 20), (3, 1): (5, 20)}

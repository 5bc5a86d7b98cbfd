"""Sets of pairings and duels in a few bits are what sets and dictionaries would be."""

from hypothesis import given
from hypothesis import strategies as st

from referee.ratings.pair_bits import DuelWins, Pair, PairNumbers, PairSet, pair_at, place_of

NUMBER = st.integers(1, 30)
PAIR = st.tuples(NUMBER, NUMBER).filter(lambda pair: pair[0] != pair[1])
PAIRS = st.sets(PAIR)
DUELS = 5


def test_each_pairing_has_a_place_of_its_own_whoever_comes_later() -> None:
    pairs = [(one, other) for one in range(20) for other in range(20)]
    assert sorted(map(place_of, pairs)) == [*range(400)]
    assert [pair_at(place_of(pair)) for pair in pairs] == pairs


@given(PAIRS, PAIRS)
def test_sets_of_pairings_are_sets(some: set[Pair], others: set[Pair]) -> None:
    one, other = PairSet(some), PairSet(others)
    assert {*one} == some
    assert len(one) == len(some)
    assert {pair for pair in some | others if pair in one} == some
    assert {*(one & other)} == some & others
    assert {*(one - other)} == some - others


def test_what_is_left_of_a_set_can_be_added_to() -> None:
    left = PairSet([(1, 2)]) - PairSet([(1, 2)])
    left.add((9, 8))
    assert [*left] == [(9, 8)]


@given(st.lists(st.tuples(PAIR, st.sampled_from([0.5, 1.0, -1.5]))))
def test_numbers_of_pairings_add_up(added: list[tuple[Pair, float]]) -> None:
    numbers, sums = PairNumbers(), dict[Pair, float]()
    for pair, number in added:
        numbers.add(pair, number)
        sums[pair] = sums.get(pair, 0.0) + number
    assert dict(numbers.items()) == {pair: number for pair, number in sums.items() if number}
    assert all(numbers[pair] == number for pair, number in sums.items())
    assert numbers[40, 41] == 0


@given(st.dictionaries(st.tuples(PAIR, st.integers(0, DUELS - 1)), st.integers(0, 2)))
def test_wins_of_duels_are_kept(played: dict[tuple[Pair, int], int]) -> None:
    wins = DuelWins(DUELS)
    for (pair, number), won in played.items():
        wins.add(pair, number, won)
    assert {*wins} == {(*pair, number, won) for (pair, number), won in played.items()}
    assert len(wins) == len(played)
    assert all((*pair, number) in wins for pair, number in played)
    assert (40, 41, 0) not in wins


def test_a_duel_that_is_there_already_stays_as_it_is() -> None:
    wins = DuelWins(DUELS)
    wins.add((1, 2), 0, 2)
    wins.add((1, 2), 0, 0)
    assert [*wins] == [(1, 2, 0, 2)]

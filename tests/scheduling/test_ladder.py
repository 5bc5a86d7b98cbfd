"""Who meets whom in the next round of a ladder."""

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from referee.scheduling.ladder import Contender, pair_newcomers, pair_round

SEED = b"seed"


def field(count: int, owners: int = 1000, rounds: int = 0) -> list[Contender]:
    """Return bots of so many owners, each two points better than the one before."""
    return [
        Contender(number, number % owners, 2.0 * number, rounds) for number in range(1, count + 1)
    ]


def met(pairs: Sequence[tuple[int, int]], times: int = 1) -> Counter[frozenset[int]]:
    return Counter({frozenset(pair): times for pair in pairs})


def sets(pairs: Sequence[tuple[int, int]]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in pairs}


def numbers(pairs: Sequence[tuple[int, int]]) -> list[int]:
    return sorted(number for pair in pairs for number in pair)


@given(st.integers(2, 40), st.integers(0, 9))
def test_everybody_plays_once(count: int, number: int) -> None:
    paired = numbers(pair_round(field(count), {}, number, SEED))
    assert len(paired) == len({*paired}) == count - count % 2


@given(st.lists(st.integers(1, 5), min_size=2, max_size=30), st.integers(0, 3))
def test_no_two_of_one_owner_meet(owners: list[int], number: int) -> None:
    contenders = [Contender(at, owner, float(at), 0) for at, owner in enumerate(owners, start=1)]
    pairs = pair_round(contenders, {}, number, SEED)
    assert all(owners[one - 1] != owners[other - 1] for one, other in pairs)


@given(st.integers(2, 12), st.integers(2, 4))
def test_nobody_is_left_who_could_be_paired(owners: int, each: int) -> None:
    contenders = field(owners * each, owners)
    if len(contenders) % 2 == 0:
        assert len(pair_round(contenders, {}, 1, SEED)) == len(contenders) // 2


def test_those_meet_who_met_least() -> None:
    earlier = met([(1, 2), (3, 4), (1, 3), (2, 4)])
    assert sets(pair_round(field(4), earlier, 0, SEED)) == sets([(1, 4), (2, 3)])


def test_every_other_round_takes_the_nearest_of_those_who_met_least() -> None:
    assert sets(pair_round(field(6), {}, 1, SEED)) == sets([(1, 2), (3, 4), (5, 6)])
    earlier = met([(1, 2), (3, 4), (5, 6)])
    assert sets(pair_round(field(6), earlier, 3, SEED)) == sets([(1, 3), (2, 5), (4, 6)])


def test_partners_are_exchanged_where_the_first_choice_leaves_dear_pairs() -> None:
    # 2 and 3 are nearest, which would leave 1 and 4, who have met nine times.
    earlier = met([(1, 4)], 9)
    assert sets(pair_round(field(4), earlier, 1, SEED)) == sets([(1, 2), (3, 4)])


def test_other_rounds_take_them_at_random() -> None:
    found = {frozenset(sets(pair_round(field(6), {}, 0, bytes([number])))) for number in range(40)}
    assert len(found) > 10


def test_of_an_odd_number_one_sits_out_who_has_played_most() -> None:
    contenders = [each._replace(rounds=7 if each.number == 3 else 6) for each in field(5)]
    assert numbers(pair_round(contenders, {}, 0, SEED)) == [1, 2, 4, 5]


def test_after_as_many_rounds_as_there_are_others_each_has_met_each_about_once() -> None:
    contenders, earlier = field(20), Counter[frozenset[int]]()
    for number in range(19):
        earlier.update(sets(pair_round(contenders, earlier, number, bytes([number]))))
    assert len(earlier) > 0.9 * 190
    assert max(earlier.values()) <= 2


def test_a_newcomer_meets_the_nearest_it_met_least() -> None:
    newcomer = Contender(9, "new", 4.5, 0)
    assert sets(pair_newcomers([newcomer], field(4), {}, SEED)) == sets([(9, 2)])
    assert sets(pair_newcomers([newcomer], field(4), met([(9, 2)]), SEED)) == sets([(9, 3)])


def test_in_a_round_of_newcomers_everybody_plays_once_at_most() -> None:
    newcomers = [Contender(number, number, 5.0, 0) for number in (11, 12, 13)]
    paired = numbers(pair_newcomers(newcomers, field(4), {}, SEED))
    assert len(paired) == len({*paired}) == 6
    assert {11, 12, 13} <= {*paired}


def test_newcomers_for_whom_nobody_is_left_meet_each_other() -> None:
    newcomers = [Contender(number, number, 5.0, 0) for number in (11, 12, 13, 14)]
    paired = numbers(pair_newcomers(newcomers, field(2), {}, SEED))
    assert paired == [1, 2, 11, 12, 13, 14]


def test_a_newcomer_meets_no_bot_of_its_owner() -> None:
    newcomer = Contender(9, "ada", 4.0, 0)
    mine = Contender(1, "ada", 4.0, 5)
    assert pair_newcomers([newcomer], [mine], {}, SEED) == []

"""Which machine gets a visit, and which are set aside."""

from referee.cluster.machines import FACTOR, LEAST_VOIDS, Record, is_set_aside, preference
from referee.scheduling.keys import DuelKey

GOOD = Record(played=100, voids=1)


def test_a_machine_with_many_more_voids_than_the_others_is_set_aside() -> None:
    assert is_set_aside(Record(played=20, voids=LEAST_VOIDS), [GOOD])


def test_few_voids_set_no_machine_aside() -> None:
    assert not is_set_aside(Record(played=0, voids=LEAST_VOIDS - 1), [GOOD])


def test_where_all_machines_are_alike_none_is_set_aside() -> None:
    same = Record(played=100, voids=50)
    assert not is_set_aside(same, [same, same])


def test_a_machine_alone_is_never_set_aside() -> None:
    assert not is_set_aside(Record(played=0, voids=1000), [])
    assert not is_set_aside(Record(played=0, voids=1000), [Record()])


def test_a_machine_is_judged_by_shares_and_not_by_numbers() -> None:
    others = [Record(played=99, voids=0)]
    # Of 1000 duels, one as good as they would have had 10 voids.
    assert not is_set_aside(Record(played=1000 - 10 * FACTOR, voids=10 * FACTOR), others)
    assert is_set_aside(Record(played=999 - 10 * FACTOR, voids=10 * FACTOR + 1), others)


def test_a_duel_that_was_void_on_a_machine_goes_to_another() -> None:
    record, key = Record(), DuelKey(1, 2, 3)
    record.count(key, is_void=True)
    assert preference(Record(), 1, [key]) > preference(record, 8, [key])
    assert preference(record, 8, [DuelKey(1, 2, 4)]) > preference(Record(), 1, [key])


def test_the_machine_with_the_most_to_spare_gets_a_visit() -> None:
    assert preference(Record(), 2, []) > preference(GOOD, 1, [])

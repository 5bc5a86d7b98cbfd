"""What the tests' own settings name is there, and tests are run in the order that they ask for."""

import pytest

from tests.conftest import HERE, LONGEST, NOT_QUICK, TOGETHER, spread


@pytest.mark.parametrize("name", sorted({*NOT_QUICK, *LONGEST, *TOGETHER}))
def test_what_is_left_out_or_comes_first_is_there(name: str) -> None:
    assert (HERE / name).exists()


def test_each_worker_begins_with_its_share_of_the_longest() -> None:
    longest, rest = [["a"], ["b", "b"], ["c"], ["d"]], [*"123456"]
    # Of eleven tests the first worker is given three, and the others four each.
    assert spread(longest, rest, 3) == [*"ad1", *"bb23", *"c456"]


def test_each_worker_begins_elsewhere_in_its_share() -> None:
    assert spread([["a"], ["b"], ["c"], ["d"]], [], 2) == [*"ac", *"db"]


def test_more_long_tests_than_one_worker_is_given_are_all_run() -> None:
    assert spread([["a", "b", "c", "d"]], ["1"], 2) == [*"abcd", "1"]

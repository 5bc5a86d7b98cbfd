from itertools import cycle, islice
from random import Random

import pytest

from referee.sandbox.channels.primitives import PRIMITIVES
from referee.sandbox.measurement import channel_capacity, wrong_predictions

BITS = [0, 1] * 8 + [1, 1, 0, 1, 0, 0, 1, 0]


def test_a_number_that_follows_the_bit_predicts_it() -> None:
    assert wrong_predictions(BITS, [7.0 + bit for bit in BITS]) == 0


def test_a_number_may_fall_when_the_bit_is_set() -> None:
    assert wrong_predictions(BITS, [7.0 - bit for bit in BITS]) == 0


def test_numbers_that_stray_cost_only_their_own_bits() -> None:
    numbers = [float(bit) for bit in BITS]
    numbers[3] = numbers[-1] = 1e9
    assert wrong_predictions(BITS, numbers) == 1


def test_numbers_that_do_not_depend_on_the_bit_predict_half_of_them() -> None:
    random = Random(1)
    bits = [*islice(cycle((0, 1)), 16), *(random.getrandbits(1) for _ in range(1000))]
    assert abs(wrong_predictions(bits, [random.random() for _ in bits]) - 500) < 100


@pytest.mark.parametrize(("errors", "count"), [(0, 0), (0, 16), (3, 32), (12, 48), (24, 48)])
def test_few_errors_that_may_be_chance_are_no_channel(errors: int, count: int) -> None:
    assert channel_capacity(errors, count) == 0.0


def test_only_wrong_bits_are_no_channel() -> None:
    assert channel_capacity(48, 48) == 0.0


def test_capacity_falls_with_the_errors() -> None:
    capacities = [channel_capacity(errors, 48) for errors in range(7)]
    assert capacities == sorted(capacities, reverse=True)
    assert (0.9 < capacities[0] < 1, capacities[6] > 0.4) == (True, True)


def test_no_error_is_the_more_worth_the_more_bits_there_are() -> None:
    assert channel_capacity(0, 32) < channel_capacity(0, 100) < 1


def test_each_primitive_has_a_line_of_its_own() -> None:
    pairs = [(each.sender, each.receiver, each.other_core) for each in PRIMITIVES.values()]
    assert len(set(pairs)) == len(pairs)

"""What partners whispered is known from when each of them did what."""

from tests.soak.hostile import Whispered, pairs

CLOSED = Whispered("futex", "plain", 84, 40, 0.0, 2, is_known=False)


def test_a_number_belongs_to_the_bit_that_was_set_before() -> None:
    assert pairs(b"10 1 11\n30 0 31\n", b"20 7.0 21\n40 8.0 41\n") == ([1, 0], [7.0, 8.0])


def test_only_the_first_number_after_a_bit_counts() -> None:
    assert pairs(b"10 1 11\n", b"20 7.0 21\n40 8.0 41\n") == ([1], [7.0])


def test_a_bit_that_is_changed_meanwhile_does_not_count() -> None:
    assert pairs(b"10 1 15\n30 0 31\n", b"14 7.0 16\n29 8.0 33\n40 9.0 41\n") == ([0], [9.0])


def test_what_was_refused_is_no_bit() -> None:
    assert pairs(b"refused no locks\n", b"20 7.0 21\n") == ([], [])


def test_bits_that_get_through_fail_unless_that_is_known() -> None:
    heard = CLOSED._replace(errors=0, bits_a_turn=0.9)
    assert [each.is_failure for each in (CLOSED, heard, heard._replace(is_known=True))] == [
        False,
        True,
        False,
    ]


def test_nothing_played_is_a_failure() -> None:
    assert CLOSED._replace(duels=0).is_failure

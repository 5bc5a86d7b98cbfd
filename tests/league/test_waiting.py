"""Visits wait in order, those to be played again first, and of who is suspended there are none."""

from referee.league.waiting import Waiting
from referee.scheduling.round_robin import Block


def block(first: int, second: int) -> Block:
    return Block(0, first, second, (0,))


A, B, C = block(1, 2), block(3, 1), block(2, 3)


def taken(waiting: Waiting) -> list[Block]:
    found = []
    while waiting:
        found.append(waiting.take())
    return found


def test_visits_are_taken_in_order() -> None:
    assert taken(Waiting(iter([A, B, C]), lambda _: True, print)) == [A, B, C]


def test_what_is_to_be_played_again_comes_before_all_others() -> None:
    waiting = Waiting(iter([A, B, C]), lambda _: True, print)
    assert waiting
    first = waiting.take()
    waiting.again(first)
    assert taken(waiting) == [A, B, C]


def test_visits_of_who_is_suspended_meanwhile_are_dropped() -> None:
    suspended: set[int] = set()
    dropped: list[Block] = []
    waiting = Waiting(
        iter([A, B, C]), lambda block: suspended.isdisjoint(block[1:3]), dropped.append
    )
    assert waiting
    suspended.add(1)
    assert taken(waiting) == [C]
    assert dropped == [A, B]

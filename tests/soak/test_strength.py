"""The share of matches won is known as well as duels tell it, and judged only by enough of them."""

import pytest

from referee.bots.examples import EXAMPLES
from referee.bots.manifest import read_manifest
from tests.soak.strength import (
    ENOUGH,
    STRONG,
    USUAL_MS,
    StrengthOutcome,
    Wanted,
    is_stronger,
    share_of,
)


def test_the_interval_follows_from_how_much_duels_differ() -> None:
    share = share_of([2, 2, 1, 1, 1, 1, 0, 2, 2, 1])  # a variance of 1.025 / 9
    assert share == pytest.approx((0.65, 0.440835, 0.859165), abs=1e-6)


def test_two_matches_of_a_duel_that_always_agree_count_as_one() -> None:
    share = share_of([2, 0] * 50)  # as 100 tosses of a coin, not as 200
    assert share.high - share.share == pytest.approx(1.959964 * 0.5 / 99**0.5)


def test_cards_that_decide_every_match_leave_no_doubt() -> None:
    assert share_of([1] * 8) == (0.5, 0.5, 0.5)


def test_the_interval_ends_where_shares_do() -> None:
    assert share_of([2, 2, 2, 1]).high == 1


def test_one_duel_tells_nothing() -> None:
    assert share_of([2]) == (1, 0, 1)


@pytest.mark.parametrize(
    ("wins", "stronger"),
    [
        ([2, 1, 1, 1, 1] * 100, True),
        ([2, 1, 1, 1, 1, 1] * 100, False),  # 58 %, and surely more than 55 %
        ([2, 2, 2, 0, 0] * 20, False),  # 60 %, and perhaps by chance
    ],
)
def test_who_is_stronger_wins_enough_and_not_by_chance(wins: list[int], stronger: bool) -> None:
    assert is_stronger(share_of(wins)) == stronger


def test_few_duels_are_not_judged() -> None:
    assert StrengthOutcome(Wanted(), [0] * (ENOUGH - 1), (0, 0), 0).ok
    assert not StrengthOutcome(Wanted(), [0] * ENOUGH, (0, 0), 0).ok


@pytest.mark.parametrize(
    "other", [Wanted(game="whist"), Wanted(budget_ms=200), Wanted(samples=1000)]
)
def test_only_the_usual_game_at_the_usual_pace_is_judged(other: Wanted) -> None:
    assert StrengthOutcome(Wanted(budget_ms=10), [2] * ENOUGH, (0, 0), 0).is_judged
    assert not StrengthOutcome(other, [2] * ENOUGH, (0, 0), 0).is_judged


def test_the_usual_pace_is_the_strong_ones_own() -> None:
    assert read_manifest(EXAMPLES / STRONG).run[1:] == ("--budget-ms", str(USUAL_MS))


@pytest.mark.parametrize(("faults", "unplayed"), [((1, 0), 0), ((0, 1), 0), ((0, 0), 1)])
def test_a_fault_or_a_duel_that_was_not_played_is_never_well(
    faults: tuple[int, int], unplayed: int
) -> None:
    assert not StrengthOutcome(Wanted(), [2], faults, unplayed).ok

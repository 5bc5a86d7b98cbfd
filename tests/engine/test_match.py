"""A match between its hands: the score, the dealer, misdeals, and the end."""

import pytest

from referee.engine.game import HandResult
from referee.engine.match import Match
from tests.table import euchre, offered, play, whist

MISDEAL = HandResult((0, 0), (0, 0), ("misdeal",))


def won(north_south: int, east_west: int) -> HandResult:
    return HandResult((north_south, east_west), (0, 0), ())


def test_a_match_begins_without_points() -> None:
    assert Match.start(euchre(), 2).score == (0, 0)


@pytest.mark.parametrize(("dealer", "then"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_the_deal_passes_to_the_left(dealer: int, then: int) -> None:
    assert Match.start(euchre(), dealer).after(won(1, 0)).dealer == then


def test_a_misdeal_passes_the_deal_on_too() -> None:
    assert Match.start(euchre(), 0).after(MISDEAL).dealer == 1


def test_a_match_goes_on_below_the_target() -> None:
    assert not Match(euchre(), 0, score=(9, 9)).over


def test_a_match_is_over_at_the_target() -> None:
    assert Match(euchre(), 0, score=(9, 8)).after(won(0, 2)).over


def test_points_over_the_target_count() -> None:
    assert Match(euchre(), 0, score=(9, 8)).after(won(4, 0)).score == (13, 8)


def test_a_march_alone_from_eight_is_worth_its_four_points() -> None:
    assert Match(euchre(), 0, score=(8, 8)).after(won(4, 0)).score == (12, 8)


@pytest.mark.parametrize(("score", "winner"), [((10, 9), 0), ((3, 11), 1), ((13, 9), 0)])
def test_the_team_at_the_target_wins(score: tuple[int, int], winner: int) -> None:
    assert Match(euchre(), 0, score=score).winner == winner


def test_nobody_has_won_before_the_target() -> None:
    assert Match(euchre(), 0, score=(9, 0)).winner is None


def test_the_target_is_the_games() -> None:
    assert Match(whist(target=5), 0, score=(5, 4)).over


def test_misdeals_in_a_row_are_counted() -> None:
    assert Match.start(euchre(), 0).after(MISDEAL).after(MISDEAL).misdeals == 2


@pytest.mark.parametrize("scored", [won(1, 0), won(0, 1)], ids=["North-South", "East-West"])
def test_a_hand_that_either_team_scored_ends_a_row_of_misdeals(scored: HandResult) -> None:
    assert Match.start(euchre(), 0).after(MISDEAL).after(scored).misdeals == 0


def test_twenty_misdeals_in_a_row_make_the_next_dealer_stuck() -> None:
    game = euchre(stick_dealer=False)
    match = Match.start(game, 0)
    for _ in range(20):
        assert "pass" in offered(play(match.deal(game.pack), "pass " * 7))
        match = match.after(MISDEAL)
    assert "pass" not in offered(play(match.deal(game.pack), "pass " * 7))

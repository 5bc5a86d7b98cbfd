"""Where a duel parts from the one before it that had the same deals."""

import pytest

from referee.engine.record import MatchRecord, Scoresheet, SeededDeal
from referee.reports.played_again import PlayedAgain, played_again
from referee.rpc.decoding import asked_turn
from tests.cli.leagues import EUCHRE, SEED, play_at_random

DEALT = SeededDeal(SEED, "again/euchre/1-2/1")


@pytest.fixture(scope="module")
def earlier() -> list[MatchRecord]:
    return [play_at_random(EUCHRE, DEALT, luck) for luck in (1, 2)]


@pytest.fixture(scope="module")
def later(earlier: list[MatchRecord]) -> list[MatchRecord]:
    """Play the open room as before, and the closed one by another luck."""
    return [earlier[0], play_at_random(EUCHRE, DEALT, 3)]


@pytest.fixture(scope="module")
def compared(earlier: list[MatchRecord], later: list[MatchRecord]) -> PlayedAgain:
    return played_again(earlier, later)


def test_a_room_that_is_played_alike_parts_nowhere(compared: PlayedAgain) -> None:
    assert compared.parted
    assert {parted.room for parted in compared.parted} == {1}


def test_every_hand_that_both_have_is_compared(
    compared: PlayedAgain, earlier: list[MatchRecord], later: list[MatchRecord]
) -> None:
    both = zip(earlier, later, strict=True)
    assert compared.hands == sum(min(len(one.hands), len(other.hands)) for one, other in both)


def test_each_parts_at_its_first_decision_that_differs(
    compared: PlayedAgain, earlier: list[MatchRecord], later: list[MatchRecord]
) -> None:
    for parted in compared.parted:
        hand = parted.match.hand
        both = zip(*(rooms[1].hands[hand].actions for rooms in (earlier, later)), strict=False)
        before, now = next((one, other) for one, other in both if one != other)
        assert (before, now) == ((parted.seat, parted.before), (parted.seat, parted.now))


def test_the_situation_is_the_one_in_which_both_chose(compared: PlayedAgain) -> None:
    for parted in compared.parted:
        asked = asked_turn(parted.match, parted.state)
        assert {parted.before, parted.now} <= {*asked.legal}
        assert (asked.seat, asked.hand_number) == (parted.seat, parted.match.hand)


def test_the_hand_that_a_fault_cut_short_is_compared_too(earlier: list[MatchRecord]) -> None:
    before, sheet = earlier[0], Scoresheet(EUCHRE, earlier[0].first_dealer, DEALT)
    seat, action = before.hands[0].actions[0]
    other = next(each for each in sheet.state.legal if each != action)
    sheet.play(other)
    (parted,) = played_again([before], [sheet.record(forfeited_by=seat)]).parted
    assert (parted.seat, parted.before, parted.now) == (seat, action, other)

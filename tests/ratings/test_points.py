"""Points per hand from the records of duels."""

from math import sqrt
from random import Random

import pytest

from referee.engine.record import MatchRecord, Scoresheet, SeededDeal
from referee.ratings.margins import (
    against_field,
    combined,
    fields,
    margin_of,
    margins,
    points_per_hand,
)
from referee.ratings.methods import FIRST
from referee.ratings.points import Margin, ahead, hand_margins, turned
from referee.ratings.results import Result
from tests.table import euchre

NOTHING = Margin(None, None, 0)
ONE_DUEL = margin_of([(2.0, 10)])


def released(sums: list[tuple[float, int]]) -> Margin:
    """Estimate as version 0.1 did, which imagined no hands."""
    return margin_of(sums, method=FIRST)


def match(duel: int, random: Random | None = None, forfeit: int | None = None) -> MatchRecord:
    """Play a match; by the first legal action, or at random."""
    sheet = Scoresheet(euchre(), 3, SeededDeal(bytes(32), f"duel {duel}"))
    while sheet.state.actor is not None:
        if forfeit is not None and sheet.match.hand == forfeit:
            return sheet.record(forfeited_by=0)
        legal = sheet.state.legal
        sheet.play(random.choice(legal) if random else legal[0])
    return sheet.record()


def test_a_hand_played_alike_in_both_rooms_is_worth_nothing() -> None:
    rooms = match(1), match(1)
    assert hand_margins(rooms) == [0.0] * len(rooms[0].hands)


def test_a_hand_is_worth_half_of_what_a_wins_over_both_rooms() -> None:
    rooms = match(1, Random(1)), match(1, Random(2))
    halves = []
    for opened, closed in zip(rooms[0].hands, rooms[1].hands, strict=False):
        (a_open, b_open), (b_closed, a_closed) = opened.result.points, closed.result.points
        halves.append((a_open - b_open + a_closed - b_closed) / 2)
    assert any(halves)
    assert hand_margins(rooms) == halves


def test_only_hands_dealt_in_both_rooms_count() -> None:
    rooms = match(1), match(1, forfeit=2)
    assert len(hand_margins(rooms)) == 2


def test_no_hands_have_no_points() -> None:
    assert points_per_hand([])[:3] == (None, None, 0)


def test_one_duel_has_no_interval() -> None:
    margin = points_per_hand([(match(1), match(1))])
    assert (margin.mean, margin.plus_or_minus) == (0.0, None)


def test_the_mean_is_over_hands_not_over_duels() -> None:
    duels = [(match(n, Random(n)), match(n, Random(n + 9))) for n in range(3)]
    margins = [margin for duel in duels for margin in hand_margins(duel)]
    found = points_per_hand(duels)
    assert found.hands == len(margins)
    assert found.mean == pytest.approx(sum(margins) / len(margins))


@pytest.mark.slow
def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    """The truth is 0, because both entrants play at random."""
    random, held = Random(7), 0
    for sample in range(100):
        numbers = range(sample * 20, sample * 20 + 20)
        found = points_per_hand([(match(n, random), match(n, random)) for n in numbers])
        assert found.mean is not None
        assert found.plus_or_minus is not None
        held += abs(found.mean) <= found.plus_or_minus
    assert 88 <= held <= 99


def test_a_duel_without_hands_says_nothing() -> None:
    assert margin_of([(3.0, 6), (0.0, 0), (1.0, 2)]) == margin_of([(3.0, 6), (1.0, 2)])


def test_the_interval_is_wider_the_fewer_duels_it_is_from() -> None:
    """As wide as Student's t says: 12.7 standard errors with two duels, 4.3 with three."""
    two, three = released([(1.0, 10), (3.0, 10)]), released([(1.0, 10), (2.0, 10), (3.0, 10)])
    assert two.error == pytest.approx(0.1)
    assert two.plus_or_minus == pytest.approx(12.706 * 0.1, rel=1e-4)
    assert three.plus_or_minus == pytest.approx(4.3027 * 0.1 / sqrt(3), rel=1e-4)


def test_from_b_s_side_only_the_sign_is_another() -> None:
    margin = margin_of([(1.0, 10), (3.0, 10)])
    assert turned(margin) == margin._replace(mean=-0.2)


def test_nothing_is_nothing_from_either_side() -> None:
    assert turned(NOTHING) == NOTHING


def test_each_pairing_has_its_own_margin() -> None:
    results = [
        Result(1, 2, 0, 1, 4.0, 10, (0, 0)),
        Result(3, 1, 0, 1, 2.0, 10, (0, 0)),
        Result(1, 2, 1, 1, 2.0, 10, (0, 0)),
    ]
    assert margins(results) == {(1, 2): margin_of([(4.0, 10), (2.0, 10)]), (3, 1): ONE_DUEL}


def test_every_opponent_counts_alike_however_much_was_played_against_it() -> None:
    much, little = margin_of([(10.0, 100)] * 50), margin_of([(0.0, 1)] * 2)
    assert against_field([much, little]).mean == pytest.approx(0.05)


def test_all_fields_at_once_are_as_each() -> None:
    results = [
        Result(one, two, number, 1, (one * two * number) % 7 - 3.0, one * number, (0, 0))
        for one, two in ((1, 2), (1, 3), (3, 2), (4, 1))
        for number in range(6)
    ]
    found = margins([*results, Result(2, 4, 0, 2, 0.0, 0, (0, 1))])
    assert fields([1, 2, 3, 4, 5], found) == {
        1: against_field([found[1, 2], found[1, 3], turned(found[4, 1])]),
        2: against_field([turned(found[1, 2]), turned(found[3, 2])]),
        3: against_field([turned(found[1, 3]), found[3, 2]]),
        4: against_field([found[4, 1]]),
        5: NOTHING,
    }


def test_the_error_against_the_field_adds_up_from_independent_pairings() -> None:
    one, other = released([(1.0, 10), (3.0, 10)]), released([(2.0, 10), (8.0, 10)])
    assert against_field([one, other]).error == pytest.approx(sqrt(0.1**2 + 0.3**2) / 2)


def test_the_weakest_error_limits_the_degrees_of_freedom() -> None:
    sure, unsure = margin_of([(1.0, 10), (1.1, 10)] * 50), margin_of([(2.0, 10), (8.0, 10)])
    assert against_field([sure, unsure]).freedom == 1
    assert against_field([sure, sure]).freedom == 198


def test_an_opponent_without_a_hand_is_left_out() -> None:
    margin = margin_of([(1.0, 10), (3.0, 10)])
    assert against_field([NOTHING, margin]) == margin


def test_an_opponent_met_once_leaves_no_interval() -> None:
    found = against_field([ONE_DUEL, margin_of([(1.0, 10), (3.0, 10)])])
    assert found.mean == pytest.approx(0.2)
    assert found.plus_or_minus is None


def test_against_nobody_there_are_no_points() -> None:
    assert against_field([]) == NOTHING


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    assert combined([(1.0, ONE_DUEL), (1.0, NOTHING)]).mean is None


def test_duels_that_all_went_alike_left_no_doubt_in_the_first_release() -> None:
    field = against_field([released([(1.0, 10)] * 3)] * 2)
    assert (field.plus_or_minus, field.freedom) == (0.0, 4)


def test_duels_in_which_every_hand_was_tied_leave_a_doubt() -> None:
    few, many = margin_of([(0.0, 10)] * 3), margin_of([(0.0, 10)] * 30)
    assert few.mean == many.mean == 0
    assert few.plus_or_minus == pytest.approx(4.3027 / 30, rel=1e-4)
    assert many.plus_or_minus == pytest.approx(2.0452 / 300, rel=1e-4)


def test_duels_that_depend_on_each_other_leave_more_doubt() -> None:
    sums = [(1.0, 10), (8.0, 10), (-4.0, 10), (3.0, 10)]
    alone, together = margin_of(sums).error, margin_of(sums, 4.0).error
    assert alone is not None
    assert together is not None
    assert 1.9 * alone < together < 2 * alone


@pytest.mark.parametrize(
    ("sums", "expected"),
    [
        ([(1.0, 10), (3.0, 10)], 0.852416),
        ([(1.0, 10)] * 3, 1.0),
        ([(-1.0, 10)] * 3, 0.0),
        ([(0.0, 10)] * 3, 0.5),
        ([(1.0, 10)], 0.5),
        ([], 0.5),
    ],
)
def test_who_is_ahead(sums: list[tuple[float, int]], expected: float) -> None:
    assert ahead(released(sums)) == pytest.approx(expected)

"""Points per hand from the records of duels."""

from random import Random

import pytest

from referee.engine.record import MatchRecord, Scoresheet, SeededDeal
from referee.ratings.points import hand_margins, points_per_hand
from tests.table import euchre


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
    (opened,), (closed,) = rooms[0].hands[:1], rooms[1].hands[:1]
    a_open, b_open = opened.result.points
    b_closed, a_closed = closed.result.points
    assert hand_margins(rooms)[0] == (a_open - b_open + a_closed - b_closed) / 2


def test_only_hands_dealt_in_both_rooms_count() -> None:
    rooms = match(1), match(1, forfeit=2)
    assert len(hand_margins(rooms)) == 2


def test_no_hands_have_no_points() -> None:
    assert points_per_hand([]) == (None, None, 0)


def test_one_duel_has_no_interval() -> None:
    margin = points_per_hand([(match(1), match(1))])
    assert (margin.mean, margin.plus_or_minus) == (0.0, None)


def test_the_mean_is_over_hands_not_over_duels() -> None:
    duels = [(match(n, Random(n)), match(n, Random(n + 9))) for n in range(3)]
    margins = [margin for duel in duels for margin in hand_margins(duel)]
    found = points_per_hand(duels)
    assert found.hands == len(margins)
    assert found.mean == pytest.approx(sum(margins) / len(margins))


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

"""Whether one bot is better than another."""

from collections import defaultdict
from itertools import permutations
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.ratings.comparison import (
    Answer,
    Comparison,
    ComparisonTally,
    Question,
    answer,
    interval,
    score,
)
from referee.ratings.results import DRAWN, LOST, WON, Result

ASKED = Question(difference=0.5, error=0.1)
LONGEST = 40
EQUAL = (0.3, 0.4, 0.3)
BY_WHAT_MATTERS = (0.6, 0.3, 0.1)
counts = st.integers(0, 200)
tallies = st.builds(ComparisonTally, counts, counts, counts)


def chances(
    better: float, level: float, worse: float, asked: Question = ASKED
) -> dict[Answer | None, float]:
    """Return how likely each answer is, exactly, if each duel goes so; None is none by the end."""
    found: dict[Answer | None, float] = defaultdict(float)
    open_: dict[ComparisonTally, float] = {ComparisonTally(): 1.0}
    for _ in range(LONGEST):
        after: dict[ComparisonTally, float] = defaultdict(float)
        for tally, chance in open_.items():
            for scored, share in ((1, better), (0, level), (-1, worse)):
                after[tally.after(scored)] += chance * share
        open_ = {}
        for tally, chance in after.items():
            if said := answer(tally, asked):
                found[said] += chance
            else:
                open_[tally] = chance
    found[None] = sum(open_.values())
    return found


def test_equals_are_told_apart_no_more_often_than_the_error_rate_says() -> None:
    found = chances(*EQUAL)
    assert 0 < found["better"] + found["worse"] <= ASKED.error


def test_a_difference_that_matters_is_overlooked_no_more_often_than_the_error_rate_says() -> None:
    found = chances(*BY_WHAT_MATTERS)
    assert 0 < found["no difference"] + found["worse"] <= ASKED.error


def test_a_difference_that_matters_is_mostly_found_before_long() -> None:
    assert chances(*BY_WHAT_MATTERS)["better"] > 0.75


def test_equals_that_always_draw_are_soon_found_not_to_differ() -> None:
    assert chances(0, 1, 0)["no difference"] == 1


@given(tallies)
def test_the_other_bot_gets_the_opposite_answer(tally: ComparisonTally) -> None:
    opposite: dict[Answer | None, Answer | None] = {"better": "worse", "worse": "better"}
    said = answer(tally, ASKED)
    assert answer(tally.turned, ASKED) == opposite.get(said, said)


@pytest.mark.slow
@given(tallies)
def test_the_other_bot_gets_the_opposite_interval(tally: ComparisonTally) -> None:
    low, high = interval(tally, ASKED)
    assert interval(tally.turned, ASKED) == (-high, -low)


@given(tallies)
def test_a_better_duel_moves_the_interval_up(tally: ComparisonTally) -> None:
    before = interval(tally, ASKED)
    level, better = (interval(tally.after(each), ASKED) for each in (0, 1))
    assert before[0] <= better[0] + 1e-9
    assert level[0] <= better[0] + 1e-9
    assert level[1] <= better[1] + 1e-9


@given(tallies)
def test_the_answer_is_what_the_interval_says(tally: ComparisonTally) -> None:
    low, high = interval(tally, ASKED)
    least = ASKED.difference + 1e-9
    said = answer(tally, ASKED)
    assert (said == "better") == (low >= 0)
    assert (said == "worse") == (high <= 0)
    assert (said == "no difference") <= (-least <= low <= high <= least)


def test_before_the_first_duel_nothing_is_known() -> None:
    assert interval(ComparisonTally(), ASKED) == (-1, 1)
    assert answer(ComparisonTally(), ASKED) is None


def test_the_interval_closes() -> None:
    widths = [inf]
    for times in (1, 10, 100, 1000):
        low, high = interval(ComparisonTally(3 * times, 4 * times, 2 * times), ASKED)
        assert low < 1 / 9 < high
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize(
    ("wins", "margin", "faults", "scored"),
    [
        pytest.param(WON, -3.0, (0, 0), 1, id="won"),
        pytest.param(LOST, 3.0, (0, 0), -1, id="lost"),
        pytest.param(DRAWN, 0.5, (0, 0), 1, id="drawn with more points"),
        pytest.param(DRAWN, -0.5, (0, 0), -1, id="drawn with fewer points"),
        pytest.param(DRAWN, 0.0, (0, 0), 0, id="drawn with as many points"),
        pytest.param(DRAWN, 5.0, (0, 1), 0, id="drawn by a fault"),
    ],
)
def test_a_drawn_duel_goes_by_points_unless_there_was_a_fault(
    wins: int, margin: float, faults: tuple[int, int], scored: int
) -> None:
    assert score(Result(1, 2, 0, wins, margin, 20, faults)) == scored


def test_duels_count_in_their_order_whenever_they_come_in() -> None:
    found = set()
    for order in permutations([(0, 1), (1, None), (2, -1), (3, 0)]):
        comparison = Comparison(ASKED)
        for number, scored in order:
            comparison.add(number, scored)
        found.add(comparison.tally)
    assert found == {ComparisonTally(1, 1, 1)}


def test_a_duel_waits_for_those_before_it() -> None:
    comparison = Comparison(ASKED)
    comparison.add(1, 1)
    assert comparison.tally.duels == 0


def test_after_the_answer_no_duel_counts() -> None:
    comparison = Comparison(ASKED)
    for number in range(LONGEST):
        comparison.add(number, 1 if number < LONGEST / 2 else -1)
    assert comparison.answer == "better"
    assert comparison.tally.worse == 0

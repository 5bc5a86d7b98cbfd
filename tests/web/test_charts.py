"""Intervals, histories and the heat of a cell, as numbers before anybody draws them."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import pairwise
from random import Random

import pytest

from referee.league.table import drawn_interval
from referee.ratings.results import Result
from referee.ratings.standings import Standing, standings
from referee.simulation import Stretch
from referee.spread import Spread
from referee.store.models import Snapshot
from referee.web.charts import LINES, branching, heat, history, own_history, rank_changes, whiskers

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
EDGES = (0.03, 0.1, 0.25, 0.5)


def rows(*strengths: int, idle: int = 0) -> tuple[Standing, ...]:
    """Rate entrants, of whom each wins so many duels of eight against all that come after her."""
    numbers = range(1, len(strengths) + 1)
    results = [
        Result(one, other, number, 2 if number < strengths[one - 1] else 0, 1.0, 9, (0, 0))
        for one in numbers
        for other in numbers
        if one < other
        for number in range(8)
    ]
    return standings([*range(1, len(strengths) + 1 + idle)], results).rows


def snapshot(duels: int, **ratings: float) -> Snapshot:
    return Snapshot(NOW, duels, {int(each[1:]): (mean, 0.5) for each, mean in ratings.items()})


def points(path: str) -> list[tuple[float, float]]:
    """Read a path of lines."""
    each = [point.split(",") for point in path.strip("MZ").split()]
    return [(float(across), float(down)) for across, down in each]


def test_whiskers_lie_on_the_scale_and_in_order() -> None:
    for whisker in whiskers(rows(7, 5, 4, 2, 0)).values():
        assert 0 <= whisker.low < whisker.mean < whisker.high <= 100


def test_the_scale_goes_from_the_lowest_end_to_the_highest() -> None:
    drawn = whiskers(rows(7, 5, 4, 2, 0)).values()
    assert min(whisker.low for whisker in drawn) == 0
    assert max(whisker.high for whisker in drawn) == 100


def test_whiskers_are_as_long_as_the_intervals() -> None:
    rated = rows(7, 5, 4, 2, 0)
    ends = [end for row in rated for end in drawn_interval(row)]
    width = max(ends) - min(ends)
    for row in rated:
        whisker = whiskers(rated)[row.entrant]
        low, high = drawn_interval(row)
        share = (high - low) / width
        assert whisker.high - whisker.low == pytest.approx(100 * share, abs=0.11)


def test_who_has_not_played_has_no_whisker() -> None:
    assert {*whiskers(rows(7, 5, idle=1))} == {1, 2}
    assert whiskers(rows(idle=3)) == {}


def test_more_points_are_never_colder() -> None:
    steps = [heat(place / 1000) or 0 for place in range(-700, 701)]
    assert steps == sorted(steps)
    assert {*steps} == {*range(9)}


@pytest.mark.parametrize("won", [*EDGES, 0.0, 0.005, 0.07, 0.3, 7.0])
def test_what_one_wins_the_other_loses(won: float) -> None:
    one, other = heat(won), heat(-won)
    assert one is not None
    assert other == 8 - one


def test_who_has_won_nothing_is_alike() -> None:
    assert (heat(0.0), heat(-0.0)) == (4, 4)


def test_what_is_not_known_has_no_heat() -> None:
    assert heat(None) is None


@pytest.mark.parametrize("drawn", [[], [snapshot(4, n1=25.0, n2=25.0)]])
def test_fewer_than_two_snapshots_are_no_history(drawn: list[Snapshot]) -> None:
    assert history(drawn, [1, 2]) is None
    assert own_history(drawn, 1, 2.0) is None


def test_snapshots_before_anybody_was_rated_are_no_history() -> None:
    assert history([snapshot(0), snapshot(4, n1=25.0)], [1]) is None


def test_a_history_tells_of_at_most_sixty_moments_the_first_and_the_last_among_them() -> None:
    taken = [snapshot(duels, n1=20 + duels / 100) for duels in range(1000)]
    drawn = history(taken, [1])
    assert drawn
    path = points(drawn.lines[0].path)
    assert (len(path), drawn.duels) == (60, 999)
    assert (path[0], path[-1]) == ((0, 100), (100, 0))


def test_a_short_history_is_told_in_full() -> None:
    drawn = history([snapshot(duels, n1=duels) for duels in range(60)], [1])
    assert drawn
    assert [point[0] for point in points(drawn.lines[0].path)] == [
        pytest.approx(100 * duels / 59, abs=0.01) for duels in range(60)
    ]


def test_who_came_late_to_a_long_league_has_all_of_its_own_history() -> None:
    early = [snapshot(duels, n1=25.0) for duels in range(1000)]
    late = [snapshot(1000 + duels, n1=25.0, n2=25.0 + duels) for duels in range(5)]
    drawn = own_history([*early, *late], 2, 2.0)
    assert drawn
    assert len(points(drawn.lines[0].path)) == 5


def test_lines_are_in_the_order_of_the_table_the_best_drawn_last() -> None:
    drawn = history([snapshot(4, n1=20, n2=30, n3=25), snapshot(8, n1=21, n2=31, n3=26)], [2, 3, 1])
    assert drawn
    assert [line.entrant for line in drawn.lines] == [1, 3, 2]


def test_the_best_are_told_apart_and_the_others_are_not() -> None:
    numbers = range(1, LINES + 4)
    ratings = {f"n{number}": 30.0 - number for number in numbers}
    drawn = history([snapshot(4, **ratings), snapshot(8, **ratings)], [*numbers])
    assert drawn
    styles = {line.entrant: line.style for line in drawn.lines}
    assert styles == {number: number if number <= LINES else 0 for number in numbers}


def test_who_is_not_ranked_has_no_line() -> None:
    drawn = history([snapshot(4, n1=20, n2=30), snapshot(8, n1=21, n2=31)], [2])
    assert drawn
    assert [line.entrant for line in drawn.lines] == [2]


def test_a_higher_rating_is_drawn_higher() -> None:
    drawn = history([snapshot(4, n1=20, n2=30), snapshot(8, n1=22, n2=24)], [2, 1])
    assert drawn
    assert (drawn.low, drawn.high) == (20, 30)
    assert [points(line.path) for line in drawn.lines] == [
        [(0, 100), (100, 80)],
        [(0, 0), (100, 60)],
    ]


def test_an_own_history_has_its_interval_around_it() -> None:
    drawn = own_history([snapshot(4, n1=20), snapshot(8, n1=22)], 1, 2.0)
    assert drawn
    assert (drawn.low, drawn.high) == (19, 23)
    assert points(drawn.band) == [(0, 50), (100, 0), (100, 50), (0, 100)]


def test_a_history_stays_within_its_square() -> None:
    random = Random(1)
    taken = [
        snapshot(duels, n1=random.gauss(25, 3), n2=random.gauss(25, 3)) for duels in range(200)
    ]
    for drawn in (history(taken, [1, 2]), own_history(taken, 1, 2.0)):
        assert drawn
        paths = [line.path for line in drawn.lines] + [drawn.band] * bool(drawn.band)
        for across, down in (point for path in paths for point in points(path)):
            assert 0 <= across <= 100
            assert 0 <= down <= 100


def test_time_only_goes_on() -> None:
    drawn = history([snapshot(duels, n1=25.0) for duels in (3, 3, 9, 40)], [1])
    assert drawn
    across = [point[0] for point in points(drawn.lines[0].path)]
    assert all(one <= other for one, other in pairwise(across))


def changes(ranked: Iterable[int], before: dict[str, float], duels: int = 100) -> dict[int, int]:
    by_number = {row.entrant: row for row in rows(7, 5, 3, 1)}
    return {**rank_changes([by_number[each] for each in ranked], [snapshot(4, **before)], duels)}


def test_places_won_are_up_and_places_lost_are_down() -> None:
    then = {"n1": 30.0, "n2": 28.0, "n3": 26.0}
    assert changes([3, 1, 2], then) == {3: 2, 1: -1, 2: -1}


def test_who_is_where_it_was_has_not_moved() -> None:
    assert changes([1, 2], {"n1": 30.0, "n2": 28.0}) == {1: 0, 2: 0}


def test_who_is_new_has_moved_nowhere_and_pushes_nobody_down() -> None:
    assert changes([3, 1, 2], {"n1": 30.0, "n2": 28.0}) == {1: 0, 2: 0}


def test_who_has_left_pulls_nobody_up() -> None:
    assert changes([2, 3], {"n1": 30.0, "n2": 28.0, "n3": 26.0}) == {2: 0, 3: 0}


def test_without_an_earlier_table_nobody_has_moved() -> None:
    assert rank_changes(rows(7, 5), [], 8) == {}
    assert rank_changes(rows(7, 5), [snapshot(8, n1=20.0, n2=30.0)], 8) == {}


def test_the_table_compared_with_is_the_last_that_is_not_this_one() -> None:
    taken = [
        snapshot(4, n1=30.0, n2=20.0),
        snapshot(6, n1=20.0, n2=30.0),
        snapshot(8, n1=30.0, n2=20.0),
    ]
    assert rank_changes(rows(7, 5), taken, 8) == {1: 1, 2: -1}


def stretch(first: int, last: int | None, *choices: int) -> Stretch:
    spread = Spread()
    for number in choices:
        spread.add(number)
    return Stretch(first, last, spread)


def test_the_choices_along_a_hand_are_steps_as_wide_as_their_decisions() -> None:
    chart = branching([stretch(1, 1, 4), stretch(2, 4, 1, 3)])
    assert chart
    assert points(chart.path) == [(0, 0), (25, 0), (25, 50), (100, 50)]
    assert points(chart.band)[:4] == [(0, 0), (25, 0), (25, 25), (100, 25)]
    assert (chart.high, chart.last, chart.is_open) == (4, 4, False)


def test_the_last_step_may_stand_for_all_that_follow() -> None:
    chart = branching([stretch(1, 3, 2), stretch(4, None, 2)])
    assert chart
    assert (chart.last, chart.is_open) == (4, True)


def test_a_game_without_decisions_has_no_chart() -> None:
    assert branching([]) is None

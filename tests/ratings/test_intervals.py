"""Where the true rating of an entrant lies."""

from itertools import combinations
from math import inf

import pytest

from referee.ratings import intervals as module
from referee.ratings.fitting import MEAN, posterior, summary
from referee.ratings.intervals import RatingInterval, intervals
from referee.ratings.pairs import PairCount

WIDTH = 1.959964
SOME = {
    (1, 2): PairCount(5, 3, 2),
    (3, 1): PairCount(1, 4, 9),
    (2, 3): PairCount(4, 4, 1),
    (4, 1): PairCount(1, 0, 7),
}
RUNAWAY = {
    (1, 2): PairCount(10, 20, 8),
    (1, 3): PairCount(38, 0, 0),
    (2, 3): PairCount(38, 0, 0),
}


def found(entrants: int, pairs: dict[tuple[int, int], PairCount]) -> dict[int, RatingInterval]:
    return intervals(posterior(range(1, entrants + 1), pairs))


def ends(interval: RatingInterval) -> tuple[float, float]:
    low, high = interval
    return -inf if low is None else low, inf if high is None else high


def test_an_interval_is_about_the_rating() -> None:
    ratings = summary(posterior(range(1, 5), SOME)).ratings
    for entrant, interval in found(4, SOME).items():
        low, high = ends(interval)
        assert low < ratings[entrant].mean < high


def test_much_play_among_equals_says_as_much_above_as_below() -> None:
    pairs = dict.fromkeys(combinations(range(1, 5), 2), PairCount(300, 400, 300))
    spread = summary(posterior(range(1, 5), pairs)).rating(1).spread
    low, high = ends(found(4, pairs)[1])
    assert high - MEAN == pytest.approx(WIDTH * spread, rel=0.02)
    assert MEAN - low == pytest.approx(WIDTH * spread, rel=0.02)


def test_of_who_lost_everything_only_the_upper_end_is_known() -> None:
    first, _, last = found(3, RUNAWAY).values()
    assert None not in first
    assert last.low is None
    assert last.high is not None
    assert last.high < MEAN


def test_of_who_won_everything_only_the_lower_end_is_known() -> None:
    turned = {
        pairing: PairCount(lost, drawn, won) for pairing, (won, drawn, lost) in RUNAWAY.items()
    }
    best = found(3, turned)[3]
    assert best.high is None
    assert best.low is not None
    assert best.low > MEAN


def test_a_draw_closes_the_interval() -> None:
    drawn = {**RUNAWAY, (2, 3): PairCount(37, 1, 0)}
    assert None not in found(3, drawn)[3]


def test_nearly_all_won_says_less_above_than_below() -> None:
    pairs = {(1, 2): PairCount(37, 1, 0)}
    mean = summary(posterior([1, 2], pairs)).rating(1).mean
    low, high = ends(found(2, pairs)[1])
    assert high - mean > 1.5 * (mean - low)


def test_who_has_not_played_has_no_interval() -> None:
    assert set(found(5, SOME)) == {1, 2, 3, 4}


def test_the_order_of_the_pairings_does_not_matter() -> None:
    shuffled = dict(reversed(SOME.items()))
    assert found(4, shuffled) == found(4, SOME)


def test_where_gaps_change_little_few_nodes_are_as_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [PairCount(9, 8, 4), PairCount(7, 15, 8), PairCount(3, 1, 1)]
    pairs = {(one, two): counts[(one + two) % 3] for one, two in combinations(range(1, 40), 2)}
    few = found(39, pairs)
    monkeypatch.setattr(module, "_NEAR", 0.0)
    many = found(39, pairs)
    for entrant, interval in few.items():
        assert ends(interval) == pytest.approx(ends(many[entrant]), abs=1e-7)
    assert few != many

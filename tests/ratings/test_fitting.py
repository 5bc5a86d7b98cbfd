"""The rating fitted to all duels at once."""

from itertools import combinations
from math import isfinite, sqrt
from random import Random
from statistics import NormalDist

import numpy as np
import pytest
from trueskill import TrueSkill, rate_1vs1  # type: ignore[import-untyped]

from referee.ratings import fitting
from referee.ratings.fitting import BETA, MEAN, SPREAD, Fit, Rating, fit
from referee.ratings.methods import FIRST, METHODS, Method
from referee.ratings.pairs import PairCount, count_pairs
from referee.ratings.results import Result
from tests.ratings.independent import curvature, height, top

Pairs = dict[tuple[int, int], PairCount]

SOME: Pairs = {
    (1, 2): PairCount(5, 3, 2),
    (3, 1): PairCount(0, 4, 9),
    (2, 3): PairCount(4, 4, 1),
    (4, 1): PairCount(1, 0, 7),
    (5, 4): PairCount(12, 0, 0),
}
PRIOR = Rating(MEAN, SPREAD)


def round_robin(entrants: int, pair: PairCount) -> Pairs:
    """Return a round robin in which every entrant does alike against all with a higher number."""
    return dict.fromkeys(combinations(range(1, entrants + 1), 2), pair)


def by_package(drawn: bool, found: Fit) -> tuple[tuple[float, float], tuple[float, float]]:
    package = TrueSkill(MEAN, SPREAD, BETA, 0.0, found.draws)
    fresh = package.create_rating()
    first, second = rate_1vs1(fresh, fresh, drawn=drawn, env=package)
    return (first.mu, first.sigma), (second.mu, second.sigma)


def before_centring(found: Fit, entrant: int) -> tuple[float, float]:
    place = found.places[entrant]
    return MEAN + found.skills[place], sqrt(found.covariance[place][place])


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_duels_does_not_matter(seed: int) -> None:
    random = Random(seed)
    pairs = [random.sample(range(1, 7), 2) for _ in range(80)]
    results = [
        Result(first, second, number, random.randrange(3), 0.0, 0, (0, 0))
        for number, (first, second) in enumerate(pairs)
    ]
    found = fit(range(1, 7), count_pairs(results))
    random.shuffle(results)
    again = fit(range(6, 0, -1), count_pairs(results))
    for entrant in range(1, 7):
        assert again.rating(entrant) == pytest.approx(found.rating(entrant), abs=1e-9)


def test_nor_does_the_order_of_the_entrants_to_the_last_bit() -> None:
    assert fit([4, 2, 5, 1, 3], SOME) == fit(range(1, 6), SOME)


def test_after_one_draw_it_is_the_package_s() -> None:
    found = fit([1, 2], {(1, 2): PairCount(0, 1, 0)}, method=FIRST)
    for entrant, rating in zip((1, 2), by_package(True, found), strict=True):
        assert before_centring(found, entrant) == pytest.approx(rating, abs=0.01)


def test_after_one_win_it_is_the_package_s_but_for_mode_and_mean() -> None:
    found = fit([1, 2], {(1, 2): PairCount(1, 0, 0)}, method=FIRST)
    for entrant, (mean, spread) in zip((1, 2), by_package(False, found), strict=True):
        our_mean, our_spread = before_centring(found, entrant)
        assert our_mean == pytest.approx(mean, abs=1.1)
        assert our_spread == pytest.approx(spread, abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [SOME, {(1, 2): PairCount(3, 0, 0), (2, 3): PairCount(1, 0, 1)}])
def test_another_way_of_climbing_ends_at_the_same_top(pairs: Pairs) -> None:
    entrants = max(max(pairing) for pairing in pairs)
    found = fit(range(1, entrants + 1), pairs, method=FIRST)
    *skills, margin = top(entrants, pairs)
    assert found.skills == pytest.approx(skills, abs=1e-6)
    assert found.draws == pytest.approx(
        1 - 2 * NormalDist().cdf(-margin / (sqrt(2) * BETA)), abs=1e-6
    )


@pytest.mark.slow
def test_the_covariance_is_what_is_left_when_the_margin_is_not_known_either() -> None:
    found = fit(range(1, 6), SOME, method=FIRST)
    *skills, margin = top(5, SOME)
    expected = np.linalg.inv(curvature([*skills, margin], SOME))[:5, :5]
    assert np.array(found.covariance) == pytest.approx(expected, rel=1e-4)


def test_the_model_has_one_top_because_it_is_concave() -> None:
    random = Random(1)
    for _ in range(200):
        one, other = (
            [*(random.gauss(0, 12) for _ in range(5)), 15 * random.random()] for _ in "ab"
        )
        middle = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
        assert height(middle, SOME) > (height(one, SOME) + height(other, SOME)) / 2


def test_means_are_about_25() -> None:
    found = fit(range(1, 6), SOME)
    assert sum(rating.mean for rating in found.ratings.values()) / 5 == pytest.approx(MEAN)


def test_the_spread_is_of_the_distance_from_the_mean() -> None:
    found = fit(range(1, 6), SOME)
    centre = np.eye(5) - 1 / 5
    expected = np.sqrt(np.diag(centre @ np.array(found.covariance) @ centre.T))
    assert [found.rating(entrant).spread for entrant in range(1, 6)] == pytest.approx(expected)


def test_the_spread_shrinks_with_every_duel_though_the_common_level_stays_unknown() -> None:
    found = fit(range(1, 5), round_robin(4, PairCount(3000, 4000, 3000)), method=FIRST)
    assert found.rating(1).spread < 0.1
    assert sqrt(found.covariance[0][0]) > 4


def test_the_conservative_rating_is_three_spreads_down() -> None:
    assert Rating(30.0, 2.0).conservative == 24.0


def test_better_is_about_the_difference_of_two() -> None:
    found = fit(range(1, 6), SOME, method=FIRST)
    skills, covariance = found.skills, found.covariance
    variance = covariance[0][0] + covariance[1][1] - 2 * covariance[0][1]
    assert found.better(1, 2) == pytest.approx(
        NormalDist().cdf((skills[0] - skills[1]) / sqrt(variance))
    )


def test_either_is_the_better_one() -> None:
    found = fit(range(1, 6), SOME)
    assert found.better(1, 4) + found.better(4, 1) == pytest.approx(1)


def test_no_entrant_is_better_than_itself() -> None:
    assert fit([1], {}).better(1, 1) == 0.5


def test_nobody_has_a_table() -> None:
    assert fit([], {}).ratings == {}


@pytest.mark.parametrize("entrants", [1, 2, 5])
def test_without_duels_all_have_the_prior(entrants: int) -> None:
    found = fit(range(1, entrants + 1), {})
    assert [found.rating(entrant) for entrant in range(1, entrants + 1)] == [PRIOR] * entrants


def test_who_has_not_played_has_the_prior_and_moves_nobody() -> None:
    alone, beside = fit(range(1, 6), SOME), fit(range(1, 7), SOME)
    assert beside.rating(6) == PRIOR
    for entrant in range(1, 6):
        assert beside.rating(entrant) == pytest.approx(alone.rating(entrant), abs=1e-9)


def test_the_draw_rate_is_that_of_equals() -> None:
    assert fit([1, 2], {(1, 2): PairCount(300, 400, 300)}).draws == pytest.approx(0.4, abs=0.001)


@pytest.mark.parametrize(
    "pair",
    [
        PairCount(10, 0, 0),
        PairCount(0, 10, 0),
        PairCount(5, 0, 5),
        PairCount(100_000, 0, 0),
        PairCount(0, 100_000, 0),
    ],
)
def test_whatever_is_played_the_table_is_sensible(pair: PairCount) -> None:
    found = fit(range(1, 7), round_robin(6, pair))
    means = [found.rating(entrant).mean for entrant in range(1, 7)]
    assert 0 < found.draws < 1
    assert all(0 < rating.spread < 2 * SPREAD for rating in found.ratings.values())
    if pair.won == pair.lost:
        assert means == pytest.approx([MEAN] * 6)
    else:
        assert means == sorted(means, reverse=True)
        assert all(0.9 < found.better(entrant, entrant + 1) <= 1 for entrant in range(1, 6))


def test_an_upset_out_of_all_proportion_is_fitted_too() -> None:
    """A chain of entrants, each far better than the next, and the last beats the first."""
    chain = {(entrant, entrant + 1): PairCount(100_000, 0, 0) for entrant in range(1, 60)}
    found = fit(range(1, 61), {**chain, (60, 1): PairCount(1, 1, 0)})
    assert found.rating(1).mean - found.rating(60).mean > 500
    assert all(isfinite(value) for rating in found.ratings.values() for value in rating)


def test_the_top_is_found_however_far_off_it_is() -> None:
    """At the top all slopes are flat: the prior's pull on all skills together is none."""
    chain = {(entrant, entrant + 1): PairCount(100_000, 0, 0) for entrant in range(1, 60)}
    found = fit(range(1, 61), {**chain, (60, 1): PairCount(1, 1, 0)})
    assert sum(found.skills) == pytest.approx(0, abs=1e-6)


FAR_APART: Pairs = {(1, 2): PairCount(99, 1, 0), (2, 3): PairCount(99, 1, 0)}
ALIKE: Pairs = dict.fromkeys(combinations(range(1, 7), 2), PairCount(10, 20, 10))


def test_the_width_of_the_prior_is_that_of_the_field() -> None:
    assert fit(range(1, 4), FAR_APART).width > SPREAD > 3 * fit(range(1, 7), ALIKE).width


def test_equals_are_drawn_together_more_than_by_a_width_that_was_given() -> None:
    pairs = {**ALIKE, (1, 2): PairCount(15, 20, 5)}
    fitted, given = fit(range(1, 7), pairs), fit(range(1, 7), pairs, method=FIRST)
    assert MEAN < fitted.rating(1).mean < given.rating(1).mean


def test_duels_that_depend_on_each_other_say_as_much_as_fewer() -> None:
    twice = {pairing: PairCount(*(2 * count for count in pair)) for pairing, pair in SOME.items()}
    found = fit(range(1, 6), twice, dict.fromkeys(SOME, 2.0))
    assert found.skills == pytest.approx(fit(range(1, 6), SOME).skills)


def test_the_chances_of_a_duel_add_up() -> None:
    found = fit(range(1, 6), SOME)
    one, other = found.chances(1, 4), found.chances(4, 1)
    assert one.win + one.draw + other.win == pytest.approx(1)
    assert one.match + other.match == pytest.approx(1)
    assert one.match > 0.5


def test_equals_draw_as_often_as_the_league_s_equals() -> None:
    found = fit(range(1, 7), dict.fromkeys(ALIKE, PairCount(1000, 2000, 1000)))
    assert found.chances(1, 2).draw == pytest.approx(found.draws, abs=0.001)


def test_who_wins_everything_is_surely_better() -> None:
    """The curvature alone calls it 98.7 %, for all that is far above is about as likely."""
    pairs = {(1, 2): PairCount(3, 4, 3), (1, 3): PairCount(8, 0, 0), (2, 3): PairCount(8, 0, 0)}
    assert fit(range(1, 4), pairs).better(1, 3) > 0.999


FIELD: Pairs = {
    (one, two): PairCount(two - one, (one * two) % 3, one % 2)
    for one, two in combinations(range(1, 13), 2)
}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("needed", [0.6, 0.9, 0.999])
def test_all_pairs_at_once_are_told_apart_as_each_is(method: Method, needed: float) -> None:
    found, order = fit(range(1, 13), FIELD, method=method), [*range(1, 13)]
    surely = found.surely_better(order, needed)
    for upper, lower in combinations(range(12), 2):
        assert surely[upper, lower] == (found.better(order[upper], order[lower]) > needed)
        assert not surely[lower, upper]


def test_chances_in_the_field_are_the_mean_of_those_against_each() -> None:
    found = fit(range(1, 13), FIELD)
    each = [found.chances(4, other) for other in range(1, 13) if other != 4]
    expected = [sum(chances) / 11 for chances in zip(*each, strict=True)]
    assert found.chances_in_field(range(1, 13))[4] == pytest.approx(expected)


def test_one_alone_has_no_chances_in_the_field() -> None:
    assert fit([1], {}).chances_in_field([1]) == {}


def a_large_field(entrants: int) -> Pairs:
    outcomes = PairCount(1, 0, 0), PairCount(0, 1, 0), PairCount(0, 0, 1)
    random = Random(3)
    return {
        (one, two): random.choices(outcomes, (two, entrants, one))[0]
        for one, two in combinations(range(1, entrants + 1), 2)
    }


@pytest.mark.slow
def test_a_large_field_is_fitted_as_exactly_by_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = a_large_field(220)
    found = fit(range(1, 221), pairs)
    monkeypatch.setattr(fitting, "_FEW", 1000)
    directly = fit(range(1, 221), pairs)
    assert found.skills == pytest.approx(directly.skills, abs=1e-9)
    assert found.width == pytest.approx(directly.width, abs=1e-9)


def test_the_top_is_found_where_gradients_would_take_long() -> None:
    """All slopes are flat at the top, also where few in a large field have met."""
    chain = {(entrant, entrant + 1): PairCount(1000, 1, 0) for entrant in range(1, 260)}
    found = fit(range(1, 261), chain)
    assert sum(found.skills) == pytest.approx(0, abs=1e-6)
    assert found.rating(1).mean - found.rating(260).mean > 500

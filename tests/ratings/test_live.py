"""The rating while a league runs."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from trueskill import TrueSkill, rate_1vs1  # type: ignore[import-untyped]

from referee.ratings.fitting import BETA, MEAN, SPREAD, Rating
from referee.ratings.live import live
from referee.ratings.results import Result

LINKS = 100


def result(first: int, second: int, wins: int) -> Result:
    return Result(first, second, 0, wins, 0.0, 0, (0, 0))


@pytest.mark.parametrize("draws", [0.02, 0.33, 0.9])
def test_each_duel_moves_the_ratings_as_the_package_does(draws: float) -> None:
    random, entrants = Random(3), range(1, 6)
    pairs = [random.sample(entrants, 2) for _ in range(300)]
    results = [result(first, second, random.randrange(3)) for first, second in pairs]
    package = TrueSkill(MEAN, SPREAD, BETA, 0.0, draws)
    expected = {entrant: package.create_rating() for entrant in entrants}
    for first, second, _, wins, *_ in results:
        ahead, behind = (second, first) if wins == 0 else (first, second)
        expected[ahead], expected[behind] = rate_1vs1(
            expected[ahead], expected[behind], drawn=wins == 1, env=package
        )
    for entrant, rating in live(entrants, results, draws).items():
        assert rating == pytest.approx(tuple(expected[entrant]), abs=1e-9)


def test_who_has_not_played_has_the_prior() -> None:
    assert live([1, 2, 3], [result(1, 2, 2)], 0.3)[3] == Rating(MEAN, SPREAD)


@pytest.mark.parametrize("draws", [0.0, 1e-9])
def test_a_draw_makes_surer_though_none_was_expected(draws: float) -> None:
    assert live([1, 2], [result(1, 2, 1)], draws)[1].spread < SPREAD


@pytest.mark.parametrize("wins", [0, 1, 2])
@pytest.mark.parametrize(("draws", "held"), [(0.0, 0.01), (0.005, 0.01), (0.99, 0.95), (1.0, 0.95)])
def test_the_draw_rate_is_held_where_the_package_computes_well(
    draws: float, held: float, wins: int
) -> None:
    assert live([1, 2], [result(1, 2, wins)], draws) == live([1, 2], [result(1, 2, wins)], held)


@pytest.fixture(scope="module")
def far_apart() -> list[Result]:
    """Chain entrants so that the first is a hundred times the noise above the last."""
    up = [result(entrant, entrant + 1, 2) for entrant in range(LINKS - 1, 0, -1) for _ in range(40)]
    down = [result(one, one + 1, 2) for one in range(LINKS + 1, 2 * LINKS) for _ in range(40)]
    return [*up, *down]


def after(results: list[Result], wins: int) -> tuple[Rating, Rating]:
    last = 2 * LINKS
    ratings = live(range(1, last + 1), [*results, result(1, last, wins)], 0.95)
    return ratings[1], ratings[last]


def test_nothing_is_learnt_from_what_was_certain(far_apart: list[Result]) -> None:
    before = live(range(1, 2 * LINKS + 1), far_apart, 0.95)
    assert after(far_apart, 2) == (before[1], before[2 * LINKS])


@pytest.mark.parametrize("wins", [0, 1])
def test_what_was_impossible_moves_both_and_makes_surer(far_apart: list[Result], wins: int) -> None:
    before = live(range(1, 2 * LINKS + 1), far_apart, 0.95)
    first, last = after(far_apart, wins)
    assert before[1].mean - 30 < first.mean < before[1].mean - 10
    assert before[2 * LINKS].mean + 10 < last.mean < before[2 * LINKS].mean + 30
    assert 0 < first.spread < before[1].spread


@pytest.mark.slow
def test_the_package_is_imported_without_a_warning(tmp_path: Path) -> None:
    """As after an installation that compiled nothing, where the compiler's warnings come late."""
    fresh = f"pycache_prefix={tmp_path}"
    code = "import referee.ratings.live"
    subprocess.run([sys.executable, "-W", "error", "-X", fresh, "-c", code], check=True)


def test_who_does_not_rate_loads_neither_numpy_nor_the_package() -> None:
    code = (
        "import sys; from referee.ratings import points, stopping; "
        "sys.exit(any(name in sys.modules for name in ('numpy', 'trueskill')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

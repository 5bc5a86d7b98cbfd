"""How long a league still takes, and how its duels are cut into visits."""

from math import ceil

import pytest

from referee.league.pace import Pace, smallest_visit, visit_size
from referee.scheduling.round_robin import LARGEST_VISIT, Block

START = 1.6


def play(pace: Pace, pairing: tuple[int, int]) -> None:
    """Play both matches of a duel."""
    pace.half_played(pairing)
    pace.played(pairing)


def block(first: int, second: int, duels: int) -> Block:
    return Block(0, first, second, tuple(range(duels)))


@pytest.mark.parametrize(("duels", "seconds"), [(20, 20.0), (100, 20.0), (400, 5.0), (1000, 2.0)])
def test_bots_that_think_play_ten_rounds(duels: int, seconds: float) -> None:
    assert ceil(duels / visit_size(duels, seconds)) == 10


@pytest.mark.parametrize("duels", [20, 100, 1000, 5000])
@pytest.mark.parametrize("seconds", [2.0, 20.0, 200.0, 2000.0])
def test_no_visit_takes_much_longer_than_five_minutes(duels: int, seconds: float) -> None:
    assert visit_size(duels, seconds) * seconds <= max(300.0, seconds) + seconds


@pytest.mark.parametrize("duels", [1, 4, 20, 100, 128, 129, 400, 1000, 5000])
@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.1, 0.5, 1.5, 5.0])
def test_more_rounds_cost_a_tenth_of_the_time_at_most(duels: int, seconds: float) -> None:
    rounds = ceil(duels / visit_size(duels, seconds))
    fewest = ceil(duels / LARGEST_VISIT)
    assert rounds * START + duels * seconds <= 1.1 * (fewest * START + duels * seconds) + 1e-9


def test_fast_bots_are_started_once() -> None:
    assert visit_size(100, seconds=0.01) == 100


@pytest.mark.parametrize("duels", [1, 100, 1279, 1281, 100_000])
def test_no_visit_is_larger_than_the_largest(duels: int) -> None:
    assert 1 <= visit_size(duels, seconds=0.0) <= LARGEST_VISIT


@pytest.mark.parametrize(("duels", "size"), [(1, 1), (7, 4), (100, 10), (2000, 125)])
def test_before_anything_is_known_visits_are_small(duels: int, size: int) -> None:
    assert smallest_visit(duels) == Pace().visit_size(duels) == size


@pytest.mark.parametrize(("seconds", "size"), [(2.0, 100), (31.6, 10)])
def test_the_first_visits_say_how_large_the_others_are(seconds: float, size: int) -> None:
    pace = Pace()
    pace.began(block(1, 2, 9), 100.0)
    for _ in range(10):
        play(pace, (1, 2))
    pace.ended(block(1, 2, 9), 100.0 + seconds)
    assert pace.visit_size(100) == size


def test_a_visit_without_a_duel_says_nothing() -> None:
    pace = Pace()
    pace.began(block(1, 2, 9), 0.0)
    pace.ended(block(1, 2, 9), 5.0)
    assert not pace.is_known


def test_before_the_first_duel_nobody_knows_how_long_it_takes() -> None:
    pace = Pace()
    pace.planned([block(1, 2, 9)])
    pace.began(block(1, 2, 9), 0.0)
    assert pace.seconds_left(1, now=30.0) is None


def two_pairings(*left: Block) -> Pace:
    """Play ten duels of a fast pairing in 10 s, and two of a slow one in 40 s."""
    pace = Pace()
    for pairing, duels, seconds in (((1, 2), 10, 10.0), ((3, 4), 2, 40.0)):
        pace.began(block(*pairing, 9), 0.0)
        for _ in range(duels):
            play(pace, pairing)
        pace.ended(block(*pairing, 9), seconds)
    pace.planned(left)
    return pace


def test_each_pairing_goes_by_its_own_duels() -> None:
    pace = two_pairings(block(1, 2, 5), block(3, 4, 3))
    assert pace.seconds_left(1, now=50.0) == pytest.approx(5 * 1.0 + 3 * 20.0)


def test_a_pairing_that_has_not_played_goes_by_all_others() -> None:
    assert two_pairings(block(5, 6, 3)).seconds_left(1, now=50.0) == pytest.approx(3 * 50 / 12)


def test_several_are_played_at_the_same_time() -> None:
    pace = two_pairings(block(1, 2, 5), block(3, 4, 3))
    assert pace.seconds_left(2, now=50.0) == pytest.approx(65 / 2)


def test_one_visit_is_played_by_one() -> None:
    assert two_pairings(block(3, 4, 3)).seconds_left(8, now=50.0) == pytest.approx(60)


def test_between_two_duels_the_time_runs_down() -> None:
    pace = two_pairings(block(1, 2, 5), block(3, 4, 3))
    left = [pace.seconds_left(1, now) for now in (50.0, 51.0, 60.0)]
    assert left == pytest.approx([65.0, 64.0, 55.0])


def test_a_duel_that_is_over_is_no_longer_to_come() -> None:
    pace = two_pairings(block(3, 4, 3))
    assert pace.seconds_left(1, now=50.0) == pytest.approx(60.0)
    pace.began(block(3, 4, 3), 50.0)
    play(pace, (3, 4))
    # In all, three duels of it took 60 s.
    assert pace.seconds_left(1, now=70.0) == pytest.approx(2 * 20.0)


def test_a_duel_of_which_one_match_is_over_is_half_to_come() -> None:
    pace = two_pairings(block(3, 4, 3))
    pace.began(block(3, 4, 3), 50.0)
    for _ in range(3):
        pace.half_played((3, 4))
    # Three and a half duels of it took 70 s.
    assert pace.seconds_left(1, now=80.0) == pytest.approx(1.5 * 20.0)


def test_the_time_left_is_known_before_any_duel_is_over() -> None:
    pace = Pace()
    pace.planned([block(1, 2, 4)])
    pace.began(block(1, 2, 4), 0.0)
    for _ in range(2):
        pace.half_played((1, 2))
    assert pace.seconds_left(1, now=5.0) == pytest.approx(15.0)


def test_a_first_match_that_is_played_again_is_to_come() -> None:
    pace = two_pairings(block(3, 4, 1))
    pace.half_played((3, 4))
    pace.lost_half((3, 4))
    # Two and a half duels took 40 s.
    assert pace.seconds_left(1, now=50.0) == pytest.approx(16.0)


def test_time_that_has_run_out_is_estimated_anew() -> None:
    pace = two_pairings(block(3, 4, 1))
    pace.began(block(3, 4, 1), 50.0)
    assert pace.seconds_left(1, now=50.0) == pytest.approx(20.0)
    left = pace.seconds_left(1, now=80.0)
    assert left is not None
    assert left > 20.0

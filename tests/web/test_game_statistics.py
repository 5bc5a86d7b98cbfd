"""What random play finds of a game, and when."""

from itertools import count
from threading import Event
from unittest.mock import patch

import pytest

from referee.engine.recycle import Recycle
from referee.game_files import find_game
from referee.web import game_statistics
from referee.web.game_statistics import GameStatistics
from tests.table import euchre
from tests.waiting import until

POKER = find_game("kuhn-poker").game({"hands": 50})
STUCK = """(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (ACE)))))
  (choice (((== 1 2) (set (game sto OVER) 1))))
  (scoring max ((current player) sto SCORE)))"""


def test_whoever_waits_has_the_statistics_at_once() -> None:
    found = GameStatistics(at_once=True).of(POKER)
    assert found
    assert found.summary.decisions_a_hand.count == 1000
    assert found.graph
    assert found.failure is None


def test_they_are_the_same_each_time() -> None:
    one, other = (GameStatistics(at_once=True).of(POKER) for _ in range(2))
    assert one
    assert other
    assert one.summary.as_json() == other.summary.as_json()


def test_a_game_that_is_built_in_has_no_drawing() -> None:
    found = GameStatistics(at_once=True).of(euchre(target=3))
    assert found
    assert found.graph is None
    assert found.summary.decisions_a_hand.count >= 1000


def test_nobody_waits_for_them_while_pages_are_served() -> None:
    statistics, begins = GameStatistics(), Event()

    def wait(*_: object) -> None:
        begins.wait()

    with patch.object(game_statistics, "_graph", wait):
        assert statistics.of(POKER) is None
        assert statistics.of(POKER) is None
        begins.set()
        until(lambda: statistics.of(POKER) is not None)


def test_they_are_computed_once_however_many_hands_a_match_has() -> None:
    statistics = GameStatistics(at_once=True)
    found = statistics.of(POKER)
    assert statistics.of(find_game("kuhn-poker").game()) is found


def test_they_take_no_longer_than_they_may() -> None:
    seconds = count(step=4)
    found = GameStatistics(at_once=True, clock=lambda: next(seconds)).of(POKER)
    assert found
    assert found.summary.decisions_a_hand.count < 10


def test_a_program_that_cannot_go_on_has_a_failure_that_names_the_line() -> None:
    game = Recycle.with_rules({"name": "stuck", "program": STUCK})
    found = GameStatistics(at_once=True).of(game)
    assert found
    assert found.failure
    assert "line 2" in found.failure
    assert found.graph is None


def test_a_defect_leaves_them_to_be_tried_again() -> None:
    statistics = GameStatistics(at_once=True)
    with (
        patch.object(game_statistics, "_graph", side_effect=ZeroDivisionError),
        pytest.raises(ZeroDivisionError),
    ):
        statistics.of(POKER)
    assert statistics.of(POKER)


def test_only_so_many_games_are_kept() -> None:
    statistics = GameStatistics(at_once=True)
    first = statistics.of(euchre(target=1))
    with patch.object(game_statistics, "_MOST_GAMES", 1):
        statistics.of(POKER)
    assert statistics.of(euchre(target=1)) is not first

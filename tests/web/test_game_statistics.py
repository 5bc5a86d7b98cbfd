"""What random play finds of a game, and when."""

import inspect
from itertools import count
from threading import Event
from unittest.mock import patch

import pytest

from referee.engine.recycle import Recycle
from referee.game_files import find_game
from referee.web import game_statistics
from referee.web.game_statistics import GameStatistics
from tests.rollouts.programs import STUCK, WIDE
from tests.table import euchre
from tests.waiting import until

POKER = find_game("kuhn-poker").game({"hands": 50})
ENDLESS = """(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (ACE)))))
  (stage player (end (== ((current player) sto TURNS) 2000))
    (choice ((inc ((current player) sto TURNS)))))
  (scoring max 0))"""


@pytest.fixture(autouse=True)
def _computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_statistics, "compute", inspect.unwrap(game_statistics.compute))


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

    def wait(*_: object) -> tuple[None, None]:
        begins.wait()
        return None, None

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
    seconds = count(step=0.5)
    found = GameStatistics(at_once=True, clock=lambda: next(seconds)).of(POKER)
    assert found
    assert 0 < found.summary.decisions_a_hand.count < 10
    assert found.graph
    assert found.failure is None


def test_a_hand_that_takes_long_is_not_played_to_its_end() -> None:
    seconds = count()
    game = Recycle.with_rules({"name": "endless", "program": ENDLESS})
    found = GameStatistics(at_once=True, clock=lambda: next(seconds)).of(game)
    assert found
    assert found.summary.decisions_a_hand.count == 0
    assert found.failure == "no hand of random play was over within 10 seconds"
    assert found.undrawn == "a hand of random play was not over within 5 seconds"
    assert next(seconds) < 20


@pytest.mark.slow
def test_a_game_of_many_places_has_no_drawing_but_says_why() -> None:
    game = Recycle.with_rules({"name": "wide", "program": WIDE})
    found = GameStatistics(at_once=True).of(game)
    assert found
    assert found.failure is found.graph is None
    assert found.undrawn
    assert "more than 200 places" in found.undrawn


def test_a_program_that_cannot_go_on_has_a_failure_that_names_the_line() -> None:
    game = Recycle.with_rules({"name": "stuck", "program": STUCK})
    found = GameStatistics(at_once=True).of(game)
    assert found
    assert found.failure
    assert "line 3" in found.failure
    assert found.graph is None


@pytest.mark.parametrize("part", ["_graph", "simulate"])
def test_whatever_fails_is_not_tried_again_for_each_reader(part: str) -> None:
    statistics = GameStatistics(at_once=True)
    with patch.object(game_statistics, part, side_effect=ZeroDivisionError) as failing:
        found = statistics.of(POKER)
        assert statistics.of(POKER) is found
    assert failing.call_count == 1
    assert found
    assert found.failure == "it cannot be played at random"


def test_only_so_many_games_are_kept() -> None:
    statistics = GameStatistics(at_once=True)
    first = statistics.of(euchre(target=1))
    with patch.object(game_statistics, "_MOST_GAMES", 1):
        statistics.of(POKER)
    assert statistics.of(euchre(target=1)) is not first

"""`upcard demo`: real duels, quick enough for somebody who only looks around."""

from pathlib import Path

import pytest

from tests.cli.bots import Ran, run


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run(tmp_path_factory.mktemp("shown"), "demo")


def test_it_plays_both_games_without_a_fault(shown: Ran) -> None:
    assert (shown.code, shown.err) == (0, "")
    assert "euchre: 50 duels" in shown.out
    assert "whist: 50 duels" in shown.out


def test_it_tells_a_hand_and_what_came_of_the_same_deal_in_the_other_room(shown: Ran) -> None:
    assert "turned up" in shown.out
    assert "The same deal in the other room" in shown.out


def test_it_leaves_nothing_behind(shown: Ran) -> None:
    assert list(Path(shown.directory).iterdir()) == []

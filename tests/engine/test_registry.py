"""Finding a game by its name."""

import pytest

from referee.engine.registry import GAMES, PRESETS, kind, preset
from referee.errors import ConfigError
from tests.table import euchre, whist


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="no game 'bridge'; choose euchre, euchre-280 or whist"):
        preset("bridge")


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="no game 'euchre-280'; choose euchre, whist or recycle"):
        kind("euchre-280")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_of_a_registered_game(name: str) -> None:
    assert preset(name).game().name in GAMES


def test_games_with_the_same_rules_are_the_same() -> None:
    assert euchre() == euchre(alone="on")


def test_games_with_other_rules_are_not_the_same() -> None:
    assert euchre() != euchre(alone="off")


def test_two_games_are_not_the_same() -> None:
    assert euchre() != whist()


def test_equal_games_hash_alike() -> None:
    assert len({euchre(), euchre(alone="on")}) == 1


def test_a_built_in_game_is_called_by_its_name() -> None:
    assert preset("euchre-280").game().title == "euchre"

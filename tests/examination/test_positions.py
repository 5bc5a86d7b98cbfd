"""The moments that a bot is asked about."""

import pytest

from referee.engine.registry import PRESETS, Preset
from referee.examination.positions import examined_seat, positions
from referee.game_files import examined_games, find_game

GAMES = [*PRESETS.values(), *examined_games(["recycle"]), find_game("scopa")]


@pytest.mark.parametrize("preset", GAMES, ids=lambda preset: preset.name)
def test_the_seat_that_is_asked_is_one_of_the_game_and_has_decisions(preset: Preset) -> None:
    seat = examined_seat(preset.game())
    found = positions(preset, seat, 2)
    assert {moment.state.actor for moments in found.values() for moment in moments} == {seat}

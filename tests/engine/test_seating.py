"""Who sits where in the rooms of a duel."""

from collections import Counter

import pytest

from referee.engine.game import Game
from referee.engine.seating import entrant_at, room_names, room_title, rooms, sides_of
from tests.games import highest
from tests.table import euchre

GAMES = [(2, 0), (3, 0), (4, 2), (5, 0), (6, 3), (7, 0), (8, 0)]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    players, sides = request.param
    return highest(players=players, sides=sides)


def test_in_euchre_the_rooms_are_the_open_and_the_closed_one() -> None:
    assert rooms(euchre()) == ((0, 1), (1, 0))
    assert room_names(euchre()) == ("open", "closed")


def test_three_sides_are_seated_in_six_rooms() -> None:
    assert rooms(highest()) == ((0, 1, 0), (1, 0, 1), (0, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 1))
    assert room_names(highest())[::5] == ("room 1", "room 6")


def test_each_entrant_plays_each_side_as_often(game: Game) -> None:
    played = Counter(
        (entrant, side)
        for room in range(len(rooms(game)))
        for entrant in (0, 1)
        for side in sides_of(game, room, entrant)
    )
    assert len(played) == 2 * len(game.side_names)
    assert len(set(played.values())) == 1


def test_seats_of_one_side_have_one_entrant(game: Game) -> None:
    for room, seating in enumerate(rooms(game)):
        for seat, side in enumerate(game.sides):
            assert entrant_at(game, room, seat) == seating[side]


def test_a_room_is_called_in_a_sentence_as_people_say_it() -> None:
    assert [room_title(name) for name in ("open", "room 3")] == ["open room", "room 3"]

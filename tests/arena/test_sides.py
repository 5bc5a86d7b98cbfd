"""Duels in games of any number of players and sides."""

import pytest

from referee.arena.duel import Voided
from referee.engine.game import Game
from referee.engine.record import replay
from referee.engine.seating import entrant_at, rooms
from tests.arena.conftest import CRASH, Begin
from tests.breaking import BREAKS, GOES_ON, breaking
from tests.games import highest

GAMES = [(2, 0), (3, 0), (4, 2), (5, 0), (6, 3), (7, 0), (8, 0)]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    players, sides = request.param
    return highest(players=players, sides=sides)


def test_a_duel_is_a_match_in_every_room(begin: Begin, game: Game) -> None:
    scene = begin(duels=3, game=game).join()
    scene.play_on()
    assert [len(result.rooms) for result in scene.results] == [len(rooms(game))] * 3
    for result in scene.results:
        for record in result.rooms:
            assert len(list(replay(record))) == 2


def test_every_room_is_dealt_the_same_cards(begin: Begin, game: Game) -> None:
    scene = begin(game=game).join()
    scene.play_on()
    (result,) = scene.results
    assert len({record.deck(1) for record in result.rooms}) == 1


def test_every_seat_of_a_room_has_a_process(begin: Begin, game: Game) -> None:
    scene = begin(game=game).join()
    assert [bot.place.seat for bot in scene.seated] == [*range(len(game.seats))]
    found = [bot.place.entrant for bot in scene.seated]
    assert found == [entrant_at(game, 0, seat) for seat in range(len(game.seats))]


def test_a_duel_is_half_played_when_half_of_its_rooms_are_over(begin: Begin) -> None:
    scene = begin(game=highest()).join()
    rooms_before: list[int] = []
    while not scene.over:
        room = scene.room.number
        while frames := [bot for bot in scene.seated if bot.place.open]:
            scene.answer(frames[0])
            scene.rest()
        if scene.halves and not rooms_before:
            rooms_before.append(room)
        scene.ask_next()
    assert (scene.halves, rooms_before) == ([0], [2])


def test_a_fault_costs_one_match_of_several(begin: Begin) -> None:
    scene = begin(game=highest()).join()
    bot = scene.asked
    scene.room.failed(bot.place, CRASH)
    scene.rejoin(bot)
    scene.play_on()
    (result,) = scene.results
    assert [record.forfeit is not None for record in result.rooms] == [True, *[False] * 5]


def test_a_duel_in_which_the_rules_cannot_go_on_is_void_with_what_they_say(begin: Begin) -> None:
    scene = begin(duels=3, game=highest(breaks=True)).join()
    bot = scene.asked
    broken = next(iter(bot.place.open.values())).duel
    scene.answer(bot, lambda turn: 2 if turn.turn == bot.asked[0] else 0)
    scene.play_on()
    assert scene.outcomes[0] == Voided(broken, "line 3, column 1: nobody can go on")
    assert len(scene.results) == 2


def test_a_hand_that_a_bot_stops_is_scored_and_its_duel_is_not_void(begin: Begin) -> None:
    scene = begin(duels=3, game=breaking()).join()
    scene.answer(scene.asked, lambda _: GOES_ON)
    while frames := scene.open_frames():
        scene.answer(frames[0], lambda _: BREAKS)
    assert (scene.voided, len(scene.results)) == ([], 3)
    first = scene.results[0].rooms[0].hands
    assert [(hand.result.points, hand.result.notes) for hand in first] == [
        ((0, 1), ("stopped",)),
        ((0, 0), ("stopped",)),
    ]


def test_rules_that_break_in_a_later_room_void_the_duel_once(begin: Begin) -> None:
    scene = begin(game=highest(breaks=True)).join()
    while scene.room.number < 3:
        for bot in scene.open_frames():
            scene.answer(bot)
    while not scene.over and scene.open_frames():
        scene.answer(scene.open_frames()[0], lambda _: 2)
    assert [type(outcome) for outcome in scene.outcomes] == [Voided]


@pytest.mark.slow
def test_matches_without_a_decision_are_over_as_they_are_opened(begin: Begin) -> None:
    scene = begin(duels=2000, game=highest(), at_least=3).join()
    scene.play_on()
    assert len(scene.results) == 2000


def test_who_winds_up_plays_what_was_begun_in_all_rooms(begin: Begin) -> None:
    scene = begin(duels=5, game=highest(), tables=1).join()
    scene.session.wind_up()
    scene.play_on()
    assert [result.duel.number for result in scene.results] == [0]


def test_a_room_whose_processes_stay_voids_what_goes_on(begin: Begin) -> None:
    scene = begin(duels=2, game=highest()).join()
    while scene.room.number < 2:
        for bot in scene.open_frames():
            scene.answer(bot)
    while not scene.room.finished:
        for bot in scene.open_frames():
            scene.answer(bot)
    scene.session.void("it stays")
    scene.next_room()
    assert [voided.reason for voided in scene.voided] == ["it stays"] * 2
    assert scene.over

"""What comes of an entrant that does not start, or has to be started again and again."""

from referee.arena.fault import StartFailure
from referee.arena.limits import (
    MOST_FAILED_STARTS,
    MOST_RESTART_SECONDS,
    MOST_RESTARTS,
    Policy,
    TimeLimits,
)
from tests.arena.conftest import CRASH, Begin, Bot, Scene


def until(scene: Scene, bot: Bot) -> None:
    """Let others play until a bot is asked."""
    while not bot.place.open:
        scene.answer(scene.asked)


def fail(scene: Scene, bot: Bot) -> None:
    """Let a bot fail where it is asked."""
    until(scene, bot)
    scene.room.failed(bot.place, CRASH)
    if not scene.room.finished:
        scene.rejoin(bot)


def start_failures(scene: Scene) -> list[StartFailure]:
    return [outcome for outcome in scene.outcomes if isinstance(outcome, StartFailure)]


def test_who_is_not_ready_three_times_ends_the_session(begin: Begin) -> None:
    scene = begin(duels=3, limits=TimeLimits(ready=5.0))
    silent, *others = scene.seated
    for bot in others:
        scene.room.joined(bot.place, 256)
    for _ in range(MOST_FAILED_STARTS):
        scene.room.started(silent.place)
        scene.wait(5.04)
    scene.play_on()
    (failure,) = scene.outcomes
    assert isinstance(failure, StartFailure)
    assert (failure.kind, failure.entrant, failure.seat) == ("never_ready", 0, 0)
    assert failure.where == "open room, North, before its first turn"
    assert scene.over


def test_who_ends_before_its_first_turn_has_not_started(begin: Begin) -> None:
    scene = begin(duels=3)
    bot = scene.bots[0, 0]
    for _ in range(MOST_FAILED_STARTS):
        scene.room.joined(bot.place, 256)
        scene.room.failed(bot.place, CRASH)
    assert [failure.entrant for failure in start_failures(scene)] == [0]


def test_a_failed_start_is_charged_to_no_match(begin: Begin) -> None:
    scene = begin(duels=3).join()
    idle = next(bot for bot in scene.seated if not bot.place.open)
    for _ in range(MOST_FAILED_STARTS - 1):
        scene.room.failed(idle.place, CRASH)
        scene.rejoin(idle)
    scene.play_on()
    assert (len(scene.results), scene.faults, start_failures(scene)) == (3, [], [])


def test_failed_starts_are_counted_in_a_row(begin: Begin) -> None:
    scene = begin(duels=9, tables=1).join()
    bot = scene.bots[0, 0]
    for _ in range(3):
        fail(scene, bot)
        for _ in range(MOST_FAILED_STARTS - 1):
            scene.room.failed(bot.place, CRASH)
            scene.rejoin(bot)
    scene.play_on()
    assert (len(scene.results), start_failures(scene)) == (9, [])


def test_duels_that_are_over_are_reported_though_an_entrant_starts_no_more(begin: Begin) -> None:
    scene = begin(duels=3, tables=1).join()
    while len(scene.results) < 1:
        scene.answer(scene.open_frames()[0])
        scene.ask_next()
    bot = scene.asked
    fail(scene, bot)
    while not scene.room.finished:
        scene.room.failed(bot.place, CRASH)
    scene.play_on()
    assert [type(outcome).__name__ for outcome in scene.outcomes][-1] == "StartFailure"
    assert len(scene.outcomes) < 4
    assert scene.over


def test_who_does_not_start_in_one_room_plays_no_other(begin: Begin) -> None:
    scene = begin(duels=3)
    for _ in range(MOST_FAILED_STARTS):
        scene.room.failed(scene.seated[0].place, CRASH)
    scene.play_on()
    assert (scene.over, len(scene.bots)) == (True, 4)


def test_answers_that_come_after_the_end_are_dropped(begin: Begin) -> None:
    scene = begin(duels=3).join()
    bot = scene.asked
    turns = bot.asked
    idle = next(each for each in scene.seated if each is not bot)
    for _ in range(MOST_FAILED_STARTS):
        scene.room.failed(idle.place, CRASH)
    scene.room.answered(bot.place, turns, [0] * len(turns))
    assert len(scene.outcomes) == 1


def test_a_place_that_is_started_too_often_ends_its_room(begin: Begin) -> None:
    scene = begin(duels=2 * MOST_RESTARTS, tables=4).join()
    bot = scene.bots[0, 0]
    while not scene.room.finished:
        fail(scene, bot)
    assert bot.restarts == MOST_RESTARTS + 1
    assert 0 < len(scene.halves) < 2 * MOST_RESTARTS


def test_what_is_dropped_is_not_reported(begin: Begin) -> None:
    scene = begin(duels=2 * MOST_RESTARTS, tables=4).join()
    bot = scene.bots[0, 0]
    while not scene.room.finished:
        fail(scene, bot)
    halves = sorted(scene.halves)
    scene.ask_next()
    scene.play_on()
    assert scene.over
    assert sorted(result.duel.number for result in scene.results) == halves
    assert len(scene.outcomes) == len(halves)


def test_what_is_dropped_in_the_second_room_is_void_for_no_reason(begin: Begin) -> None:
    scene = begin(duels=2 * MOST_RESTARTS, tables=4).join()
    while scene.room.number == 0:
        scene.answer(scene.open_frames()[0])
        scene.ask_next()
    bot = scene.bots[0, 1]
    while not scene.room.finished:
        fail(scene, bot)
    scene.session.void("a process could not be ended")
    assert (scene.voided, 0 < len(scene.results) < 2 * MOST_RESTARTS) == ([], True)


def test_a_place_that_catches_up_for_too_long_ends_its_room(begin: Begin) -> None:
    limits = TimeLimits(decision=1000.0)
    scene = begin(duels=9, tables=3, limits=limits).join()
    bot = scene.bots[0, 0]
    while not scene.halves:
        scene.answer(scene.asked)
    fail(scene, bot)
    until(scene, bot)
    scene.now += MOST_RESTART_SECONDS + 1
    scene.answer(bot)
    assert scene.room.finished
    assert 1 <= len(scene.halves) < 9


def test_a_place_that_is_slow_to_start_again_ends_its_room(begin: Begin) -> None:
    scene = begin(duels=9, tables=3).join()
    while not scene.halves:
        scene.answer(scene.asked)
    bot = scene.bots[0, 0]
    until(scene, bot)
    scene.room.failed(bot.place, CRASH)
    scene.wait(MOST_RESTART_SECONDS + 1)
    scene.rejoin(bot)
    assert scene.room.finished


def test_the_first_match_is_played_to_its_end_if_none_is_over(begin: Begin) -> None:
    scene = begin(duels=9, limits=TimeLimits(decision=1000.0), policy=Policy(99)).join()
    bot = scene.bots[0, 0]
    for _ in range(20):
        scene.answer(scene.asked)
    fail(scene, bot)
    until(scene, bot)
    scene.now += MOST_RESTART_SECONDS + 1
    scene.answer(bot)
    assert not scene.room.finished
    scene.play_on()
    assert [result.duel.number for result in scene.results] == [0]


def test_a_match_that_is_played_alone_pays_for_what_happens_in_it_only(begin: Begin) -> None:
    limits = TimeLimits(decision=1000.0)
    scene = begin(duels=9, limits=limits).join()
    bot = next(bot for bot in scene.seated if len(bot.asked) > 2)
    scene.room.failed(bot.place, CRASH)
    scene.rejoin(bot)
    until(scene, bot)
    scene.now += MOST_RESTART_SECONDS + 1
    scene.answer(bot)
    scene.play_on()
    assert ([result.duel.number for result in scene.results], scene.faults) == ([0], [])

"""What comes of an entrant that does not start, or has to be started again and again."""

import pytest

from referee.arena import place
from referee.arena.clock import TICK
from referee.arena.fault import StartFailure
from referee.arena.limits import (
    MOST_FAILED_STARTS,
    MOST_RESTART_SECONDS,
    MOST_RESTARTS,
    Policy,
    TimeLimits,
)
from tests.arena.conftest import CRASH, Begin, Bot, Scene
from tests.table import euchre


def until(scene: Scene, bot: Bot) -> None:
    """Answer for the others until a bot is asked."""
    while not bot.place.open:
        scene.answer(scene.asked)


def answer_too_late(scene: Scene, bot: Bot) -> None:
    """Answer for a bot later than a room allows."""
    until(scene, bot)
    scene.now += MOST_RESTART_SECONDS + 1
    scene.answer(bot)


def fail(scene: Scene, bot: Bot) -> None:
    """Make a bot fail where it is asked."""
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
    assert failure.evidence == "seat 0 in any case"
    assert failure.where(euchre()) == "open room, North, before its first turn"
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
    answer_too_late(scene, bot)
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
    while bot.place.failure:
        scene.answer(scene.asked)
    until(scene, bot)
    assert bot.place.repeated
    scene.now += MOST_RESTART_SECONDS + 1
    scene.answer(bot)
    assert not scene.room.finished
    scene.rest()
    scene.play_on()
    assert [result.duel.number for result in scene.results] == [0]


def several(scene: Scene) -> Bot:
    return next(bot for bot in scene.seated if len(bot.asked) > 2)


def test_who_is_asked_again_for_too_long_pays_for_what_it_failed_by(begin: Begin) -> None:
    scene = begin(duels=9, limits=TimeLimits(decision=1000.0)).join()
    bot = several(scene)
    scene.room.failed(bot.place, CRASH)
    scene.rejoin(bot)
    until(scene, bot)
    scene.answer(bot)
    until(scene, bot)
    (not_answered, *_) = bot.place.suspects[1:]
    scene.now += MOST_RESTART_SECONDS + 1
    scene.answer(bot)
    scene.play_on()
    number = not_answered.duel.number
    assert [result.duel.number for result in scene.results] == [number]
    assert scene.faults == [("crashed", bot.place.entrant, 0, number)]


def test_a_bot_that_gets_ready_too_slowly_pays_for_what_it_failed_by(begin: Begin) -> None:
    scene = begin(duels=9, limits=TimeLimits(ready=1000.0)).join()
    bot = several(scene)
    scene.room.failed(bot.place, CRASH)
    scene.room.started(bot.place)
    scene.wait(MOST_RESTART_SECONDS + 1)
    scene.rejoin(bot)
    scene.play_on()
    assert ([len(scene.results), len(scene.faults)]) == [1, 1]


def test_a_match_that_pays_with_a_substitute_is_played_to_its_end(begin: Begin) -> None:
    limits = TimeLimits(decision=1000.0)
    scene = begin(duels=9, limits=limits, policy=Policy(9)).join()
    bot = several(scene)
    scene.room.failed(bot.place, CRASH)
    scene.rejoin(bot)
    answer_too_late(scene, bot)
    scene.play_on()
    assert ([len(scene.results), len(scene.faults)]) == [1, 1]


def test_who_has_paid_for_failing_again_pays_no_more_for_being_slow(begin: Begin) -> None:
    limits = TimeLimits(decision=1000.0)
    scene = begin(duels=9, limits=limits).join()
    bot = several(scene)
    for _ in range(2):
        until(scene, bot)
        scene.room.failed(bot.place, CRASH)
        scene.rejoin(bot)
    answer_too_late(scene, bot)
    scene.play_on()
    assert len(scene.faults) == 1
    assert scene.over


def test_who_is_started_too_often_pays_for_no_match_that_was_not_asked_again(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    monkeypatch.setattr(place, "MOST_RESTARTS", 0)
    scene.room.failed(bot.place, CRASH)
    scene.rejoin(bot)
    scene.play_on()
    assert ([result.duel.number for result in scene.results], scene.faults) == ([0], [])


def test_who_is_to_pay_still_does_if_nothing_of_it_is_dropped(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    other = next(each for each in scene.seated if each.place.entrant != bot.place.entrant)
    scene.room.failed(bot.place, CRASH)
    first = bot.place.suspects[0]
    monkeypatch.setattr(place, "MOST_RESTARTS", -1)
    for match in bot.place.suspects[1:]:
        scene.room._void(match.duel, "no processor was free for it")  # noqa: SLF001 (a tick's part)
    scene.room.joined(other.place, 256)
    scene.rejoin(bot)
    scene.play_on()
    assert scene.faults == [("crashed", bot.place.entrant, 0, first.duel.number)]


def catching_up(scene: Scene) -> Bot:
    """Return a bot that has paid for a failure, and is asked again what it was asked before."""
    while not scene.halves:
        scene.answer(scene.asked)
    bot = scene.bots[0, 0]
    fail(scene, bot)
    while bot.place.failure or not bot.place.repeated:
        until(scene, bot)
        if bot.place.failure:
            scene.answer(bot)
    return bot


def test_a_place_is_bounded_while_it_answers(begin: Begin) -> None:
    scene = begin(duels=30, tables=9, limits=TimeLimits(decision=1000.0)).join()
    catching_up(scene)
    scene.wait(MOST_RESTART_SECONDS + 1)
    assert scene.room.finished


def test_time_in_which_nothing_is_asked_is_not_spent_on_restarts(begin: Begin) -> None:
    scene = begin(duels=30, tables=9, limits=TimeLimits(decision=1000.0)).join()
    bot = catching_up(scene)
    other = next(each for each in scene.seated if each is not bot)
    scene.room.lost(other.place, "killed")
    scene.room.joined(other.place, 256)
    for seconds in (TICK, MOST_RESTART_SECONDS + 1):
        scene.now += seconds
        scene.room.tick()
    scene.room.failed(bot.place, CRASH)
    assert not scene.room.finished

"""How long a bot may take, and what is not held against it."""

from collections.abc import Callable

import pytest

from referee.arena.clock import TICK, Clock
from referee.arena.limits import CREATED, CREATED_SHARE, GRACE, IDLE_SECONDS, Policy, TimeLimits
from referee.arena.open_match import OpenMatch
from referee.engine.cards import Action, Seat
from tests.arena.conftest import CRASH, Begin, Bot, Scene

LIMITS = TimeLimits(decision=1.0, ready=5.0)


def test_a_turn_may_take_the_decision_limit(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.wait(0.98)
    assert bot.restarts == 0


def test_a_turn_may_not_take_longer(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.wait(1.04)
    scene.rejoin(bot)
    scene.play_on()
    assert scene.faults == [("decision_timeout", bot.place.entrant, bot.place.room, 0)]


def test_a_turn_that_took_too_long_is_the_slowest_decision(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.wait(1.04)
    scene.rejoin(bot)
    scene.play_on()
    slowest = scene.results[0].slowest[bot.place.entrant]
    assert slowest
    assert (round(slowest.seconds, 1), slowest.seat) == (1.0, bot.place.seat)


def test_a_frame_of_several_turns_has_a_little_grace(begin: Begin) -> None:
    scene = begin(duels=8, limits=LIMITS).join()
    bot = next(bot for bot in scene.bots.values() if len(bot.asked) > 1)
    scene.wait(1.0 + GRACE - 0.02)
    assert bot.restarts == 0
    scene.wait(0.04)
    assert bot.restarts == 1


def test_each_piece_starts_the_clock_again(begin: Begin) -> None:
    scene = begin(duels=8, limits=LIMITS).join()
    bot = next(bot for bot in scene.bots.values() if len(bot.asked) > 1)
    for turn in bot.asked[:-1]:
        scene.wait(1.0)
        scene.room.answered(bot.place, [turn], [0])
    assert bot.restarts == 0


def test_an_empty_answer_does_not_start_the_clock_again(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.wait(0.9)
    scene.room.answered(bot.place, [], [])
    scene.wait(0.14)
    assert bot.restarts == 1


def test_time_without_a_processor_is_given_back(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.wait(0.3)
    bot.waited += 0.5
    scene.wait(1.14)
    assert bot.restarts == 0
    scene.wait(0.12)
    assert bot.restarts == 1


def test_a_bot_that_waits_for_its_own_threads_gets_nothing_back(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.wait(0.3)
    bot.waited += 0.7
    bot.cpu += 0.78
    scene.wait(0.74)
    assert bot.restarts == 1


def test_a_bot_that_never_gets_a_processor_costs_nobody_a_match(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    for _ in range(12):
        scene.wait(1.0)
        bot.waited += 1.0
    assert [bot.restarts, len(scene.voided)] == [0, 1]


def test_time_by_which_the_referee_is_late_is_given_back(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.wait(0.5)
    scene.now += 3.0
    scene.room.tick()
    scene.wait(0.4)
    assert bot.restarts == 0


def test_an_overrun_while_the_referee_was_badly_late_is_void(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.now += 3.0
    scene.room.tick()
    scene.wait(1.1)
    assert [bot.restarts, [void.duel.number for void in scene.voided]] == [0, [0]]


@pytest.fixture
def slow_moves(monkeypatch: pytest.MonkeyPatch) -> Callable[[Scene], None]:
    """Return what makes every move of a scene take the referee three seconds."""

    def make(scene: Scene) -> None:
        play = OpenMatch.play

        def slowly(match: OpenMatch, action: Action) -> Seat | None:
            scene.now += 3.0
            return play(match, action)

        monkeypatch.setattr(OpenMatch, "play", slowly)

    return make


def test_time_that_a_move_takes_the_referee_is_given_back(
    begin: Begin, slow_moves: Callable[[Scene], None]
) -> None:
    scene = begin(duels=8, limits=LIMITS).join()
    slow_moves(scene)
    bot = next(bot for bot in scene.bots.values() if len(bot.asked) > 1)
    scene.room.answered(bot.place, bot.asked[:1], [0])
    scene.wait(0.98)
    assert bot.restarts == 0


def test_an_overrun_after_a_move_that_took_the_referee_long_is_a_fault(
    begin: Begin, slow_moves: Callable[[Scene], None]
) -> None:
    scene = begin(duels=8, limits=LIMITS).join()
    slow_moves(scene)
    bot = next(bot for bot in scene.bots.values() if len(bot.asked) > 1)
    scene.room.answered(bot.place, bot.asked[:1], [0])
    scene.wait(1.0 + GRACE + 0.02)
    assert [bot.restarts, scene.voided] == [1, []]


def test_an_overrun_while_the_referee_was_hardly_late_is_a_fault(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    scene.now += 0.2
    scene.room.tick()
    scene.wait(1.1)
    assert [bot.restarts, scene.voided] == [1, []]


def delay(scene: Scene, seconds: float, *work: tuple[Bot, float]) -> None:
    """Make the referee late, and some bots use processor time meanwhile."""
    for bot, spent in work:
        bot.work += spent
    scene.now += seconds + TICK
    scene.room.tick()


def opponent_of(scene: Scene, bot: Bot) -> Bot:
    return next(each for each in scene.seated if each.place.entrant != bot.place.entrant)


def test_who_makes_the_referee_badly_late_is_at_fault_for_that(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    for _ in range(4):
        scene.answer(scene.asked)
    culprit = opponent_of(scene, scene.asked)
    delay(scene, 3.0, (culprit, 2.5))
    scene.rejoin(culprit)
    scene.play_on()
    assert scene.faults == [("cpu_limit", culprit.place.entrant, 0, 0)]
    assert scene.voided == []


def test_the_clock_of_its_opponent_begins_anew(begin: Begin) -> None:
    scene = begin(duels=9, limits=LIMITS).join()
    bot = next(bot for bot in scene.seated if len(bot.asked) > 2)
    culprit = opponent_of(scene, bot)
    scene.wait(0.9)
    delay(scene, 3.0, (culprit, 2.5))
    scene.wait(1.0)
    assert (bot.restarts, scene.voided) == (0, [])
    scene.wait(0.2)
    assert (bot.restarts, scene.voided) == (1, [])


def test_who_is_late_through_its_own_doing_is_given_nothing_back(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    for _ in range(5):  # each too little to be a fault by itself
        delay(scene, 0.2, (bot, 0.2))
    assert (bot.restarts, scene.voided) == (1, [])
    scene.rejoin(bot)
    scene.play_on()
    assert [kind for kind, *_ in scene.faults] == ["decision_timeout"]


@pytest.mark.parametrize("spent", [(0.5, 0.5), (2.5, 0.5), (0.5, 0.0)])
def test_lateness_that_no_entrant_alone_has_caused_is_nobodys_fault(
    begin: Begin, spent: tuple[float, float]
) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    opponent = opponent_of(scene, bot)
    delay(scene, 3.0, (bot, spent[0]), (opponent, spent[1]))
    scene.wait(1.1)
    assert (bot.restarts, opponent.restarts, len(scene.voided)) == (0, 0, 1)


def test_what_was_spent_on_a_bot_before_does_not_count(begin: Begin) -> None:
    scene = begin(limits=LIMITS).join()
    bot = scene.alone()
    bot.work += 5.0
    scene.wait(0.1)
    delay(scene, 3.0)
    assert bot.restarts == 0


def test_a_bot_has_a_limit_for_getting_ready(begin: Begin) -> None:
    scene = begin(limits=LIMITS)
    silent, *others = scene.bots.values()
    for bot in others:
        scene.room.joined(bot.place, 256)
    scene.wait(5.04)
    assert [silent.restarts, others[0].restarts] == [1, 0]


def test_time_without_a_processor_does_not_count_for_getting_ready(begin: Begin) -> None:
    scene = begin(limits=LIMITS)
    starved, *others = scene.bots.values()
    for bot in others:
        scene.room.joined(bot.place, 256)
    starved.waited = 2.0
    scene.wait(6.9)
    assert starved.restarts == 0
    scene.wait(0.2)
    assert starved.restarts == 1


def test_a_bot_may_not_compute_while_nothing_is_asked_of_it(begin: Begin) -> None:
    scene = begin().join()
    idle = next(bot for bot in scene.bots.values() if not bot.place.open)
    for _ in range(50):
        idle.cpu += 0.02
        scene.wait(0.02)
    assert idle.restarts == 1


def test_computing_unasked_shows_though_the_processor_is_hardly_ever_free(begin: Begin) -> None:
    scene = begin(limits=TimeLimits(decision=60)).join()
    idle = next(bot for bot in scene.bots.values() if not bot.place.open)
    for _ in range(100):
        scene.wait(0.08)
        idle.cpu += 0.004
        idle.waited += 0.096
        scene.wait(0.02)
    assert idle.restarts == 1


def play_fast(scene: Scene, *spinning: Bot) -> None:
    """Play the room with answers that come at once, while some bots compute all the time."""
    while scene.room.number == 0 and not scene.room.finished:
        for bot in [bot for bot in scene.seated if bot.place.open]:
            scene.answer(bot)
        scene.now += 0.002
        for bot in spinning:
            bot.cpu += 0.002
        if scene.now >= scene.ticked + TICK:
            scene.ticked = scene.now
            scene.room.tick()
            scene.room.ask_due()
        for bot in scene.seated:
            if not bot.place.ready:
                scene.rejoin(bot)


@pytest.mark.parametrize("duels", [1, 20])
def test_computing_unasked_shows_though_every_bot_answers_at_once(begin: Begin, duels: int) -> None:
    scene = begin(duels=duels, limits=TimeLimits(decision=60)).join()
    spinning = scene.bots[0, 0]
    play_fast(scene, spinning)
    assert spinning.restarts > 0
    assert [bot.restarts for bot in scene.seated if bot is not spinning] == [0, 0, 0]


def test_nobody_is_left_at_rest_for_longer_than_it_takes_to_see_it(begin: Begin) -> None:
    scene = begin(duels=20, limits=TimeLimits(decision=60)).join()
    pauses, since = [], scene.now
    while not scene.room.finished:
        waiting = [bot for bot in scene.seated if bot.place.open]
        if waiting:
            pauses.append(scene.now - since)
            scene.answer(waiting[0])
            since = scene.now
        else:
            scene.wait(TICK)
    assert [round(pause, 2) for pause in pauses if pause] == [0.04]


def test_who_waits_for_a_processor_to_compute_unasked_is_not_at_rest(begin: Begin) -> None:
    scene = begin(duels=20, limits=TimeLimits(decision=60)).join()
    starved = scene.bots[0, 0]
    while scene.room.number == 0 and not starved.restarts:
        waiting = [bot for bot in scene.seated if bot.place.open]
        if waiting:
            scene.answer(waiting[0])
        starved.cpu += 0.002
        starved.waited += 0.018
        scene.wait(TICK)
    assert starved.restarts == 1


def test_who_waits_for_a_processor_in_a_long_rest_is_not_at_rest_either(begin: Begin) -> None:
    scene = begin(duels=20, limits=TimeLimits(decision=60)).join()
    starved = scene.bots[0, 0]
    for _ in range(400):
        waiting = [bot for bot in scene.seated if bot.place.open]
        for _ in range(6):
            starved.cpu += 0 if waiting else 0.002
            starved.waited += TICK if waiting else 0.018
            scene.wait(TICK)
        if waiting and not starved.restarts:
            scene.answer(waiting[0])
    assert starved.restarts == 1


def test_with_a_beat_nobody_is_left_at_rest(begin: Begin) -> None:
    scene = begin(duels=3, beat=0.05).join()
    while not scene.room.finished:
        scene.answer(next(bot for bot in scene.seated if bot.place.open))
    assert scene.now == 100.0


def test_computing_while_asked_is_not_held_against_a_bot_later(begin: Begin) -> None:
    scene = begin(duels=64, limits=TimeLimits(decision=60)).join()
    diligent = scene.bots[0, 0]
    diligent.core_count = 2
    while open_now := scene.open_frames():
        for bot in open_now:
            scene.now += 0.01
            diligent.cpu += 0.02 * (bot is diligent)
            scene.answer(bot)
        scene.room.tick()
    assert diligent.restarts == 0


def test_a_little_tidying_up_is_nobodys_business(begin: Begin) -> None:
    scene = begin(limits=TimeLimits(decision=60)).join()
    idle = next(bot for bot in scene.bots.values() if not bot.place.open)
    for _ in range(10):
        scene.wait(0.02)
        idle.cpu += IDLE_SECONDS / 11
    scene.wait(5.0)
    assert idle.restarts == 0


def test_creating_processes_unasked_is_computing(begin: Begin) -> None:
    scene = begin(limits=TimeLimits(decision=60)).join()
    idle = next(bot for bot in scene.bots.values() if not bot.place.open)
    scene.wait(1.0)
    idle.created += CREATED + 2 * CREATED_SHARE
    scene.wait(0.1)
    assert idle.restarts == 1


def test_a_few_processes_may_be_created_unasked(begin: Begin) -> None:
    scene = begin(limits=TimeLimits(decision=60)).join()
    idle = next(bot for bot in scene.bots.values() if not bot.place.open)
    for _ in range(10):
        scene.wait(1.0)
        idle.created += CREATED_SHARE
    idle.created += CREATED - CREATED_SHARE
    scene.wait(5.0)
    assert idle.restarts == 0


def test_processes_created_in_several_rests_add_up(begin: Begin) -> None:
    bot = begin().join().asked
    clock = Clock(bot, LIMITS)
    clock.start(0.0)
    clock.ready()
    found = []
    for rest in range(3):
        bot.created = 0
        for tick in range(3):
            found.append(clock.tick(rest + tick * TICK, 0.0))
            bot.created = CREATED // 2
        clock.ask(rest + 0.5, 1)
        clock.piece(rest + 0.6)
        clock.settle(rest + 0.6)
    assert [bool(each) for each in found] == [False] * 7 + [True] * 2


def test_a_bot_may_compute_while_it_is_asked(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.alone()
    for _ in range(45):
        bot.cpu += 0.02
        scene.wait(0.02)
    assert bot.restarts == 0


@pytest.mark.parametrize(("increment", "faults"), [(0.0, 1), (0.5, 0)])
def test_the_bank_is_charged_and_the_increment_added(
    begin: Begin, increment: float, faults: int
) -> None:
    scene = begin(limits=TimeLimits(decision=1.0, bank=0.3, increment=increment)).join()
    bot = scene.alone()
    scene.wait(0.5)
    scene.answer(bot)
    scene.play_on()
    assert [kind for kind, *_ in scene.faults] == ["bank_empty"] * faults


def test_all_time_without_a_processor_is_given_back_once_a_bank_is_low(begin: Begin) -> None:
    scene = begin(limits=TimeLimits(decision=4.0, bank=1.0)).join()
    bot = scene.alone()
    (at,) = bot.place.open.values()
    left = []
    for _ in range(2):
        while not bot.place.open:
            scene.answer(scene.asked)
        bot.waited += 0.3
        scene.wait(0.6)  # less than the share of the limit in which nobody looks otherwise
        scene.answer(bot)
        left.append(round(at.banks[bot.place.seat].left, 2))
    assert left == [0.4, 0.1]


def test_a_standstill_of_the_referee_is_not_charged_to_the_bank(begin: Begin) -> None:
    scene = begin(limits=TimeLimits(bank=10.0)).join()
    bot = scene.alone()
    (at,) = bot.place.open.values()
    before = at.banks[bot.place.seat].left
    scene.wait(0.5)
    scene.now += 3.0
    scene.answer(bot)
    assert round(before - at.banks[bot.place.seat].left, 2) == 0.5 + TICK


def test_a_piece_is_charged_to_its_tables_in_equal_parts(begin: Begin) -> None:
    scene = begin(duels=8, limits=TimeLimits(decision=1.0, bank=10.0)).join()
    bot = next(bot for bot in scene.bots.values() if len(bot.asked) == 2)
    tables = list(bot.place.open.values())
    scene.wait(0.5)
    scene.answer(bot)
    assert [round(at.banks[bot.place.seat].left, 2) for at in tables] == [9.75, 9.75]


def test_a_turn_tells_what_is_left_of_the_bank(begin: Begin) -> None:
    scene = begin(limits=TimeLimits(bank=10.0)).join()
    assert scene.asked.frames[0][1][0].time_left == 10.0


def test_an_answer_that_comes_too_late_does_not_thin_the_charge(begin: Begin) -> None:
    scene = begin(duels=9, limits=TimeLimits(bank=10.0)).join()
    bot, closed = scene.close_a_turn()
    open_now = [*bot.place.open]
    bank = bot.place.open[open_now[0]].banks[bot.place.seat]
    before = bank.left
    scene.wait(0.5)
    scene.room.answered(bot.place, [closed, *open_now], [0] * (1 + len(open_now)))
    assert round(before - bank.left, 4) == 0.5 / len(open_now)


def test_the_time_for_getting_ready_runs_from_the_start_of_the_process(begin: Begin) -> None:
    scene = begin(limits=LIMITS, policy=Policy(forfeit_at=9)).join()
    bot = scene.alone()
    scene.room.failed(bot.place, CRASH)
    scene.wait(30.0)
    assert bot.restarts == 1


def test_the_time_of_a_process_that_is_debugged_does_not_count(begin: Begin) -> None:
    scene = begin(untimed=(0, 0), limits=LIMITS._replace(bank=2.0))
    scene.wait(600.0)
    assert [bot.restarts for bot in scene.seated] == [0, 1, 1, 1]


@pytest.mark.slow
def test_while_it_is_looked_into_it_may_decide_as_long_as_it_likes(begin: Begin) -> None:
    scene = begin(untimed=(0, 0), limits=LIMITS._replace(bank=2.0)).join()
    bot = scene.bots[0, 0]
    scene.play_on(but=[bot])
    scene.wait(600.0)
    scene.play_on()
    assert (bot.restarts, scene.faults) == (0, [])


def test_while_it_is_looked_into_it_may_compute_unasked(begin: Begin) -> None:
    scene = begin(untimed=(0, 0), limits=LIMITS).join()
    bot = scene.bots[0, 0]
    scene.alone()
    bot.cpu += 60.0
    scene.wait(TICK)
    assert bot.restarts == 0

"""How long a bot may take, and what is not held against it."""

import pytest

from referee.arena.clock import TICK
from referee.arena.limits import GRACE, IDLE_SECONDS, Policy, TimeLimits
from tests.arena.conftest import CRASH, Seat

LIMITS = TimeLimits(decision=1.0, ready=5.0)


def test_a_turn_may_take_the_decision_limit(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.wait(0.98)
    assert bot.restarts == 0


def test_a_turn_may_not_take_longer(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.wait(1.04)
    table.rejoin(bot)
    table.play_on()
    assert table.faults == [("decision_timeout", bot.place.entrant, bot.place.room, 0)]


def test_a_turn_that_took_too_long_is_the_slowest_decision(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.wait(1.04)
    table.rejoin(bot)
    table.play_on()
    slowest = table.results[0].slowest[bot.place.entrant]
    assert slowest
    assert (round(slowest.seconds, 1), slowest.seat) == (1.0, bot.place.seat)


def test_a_frame_of_several_turns_has_a_little_grace(hall: Seat) -> None:
    table = hall(duels=8, limits=LIMITS).join()
    bot = next(bot for bot in table.bots.values() if len(bot.asked) > 1)
    table.wait(1.0 + GRACE - 0.02)
    assert bot.restarts == 0
    table.wait(0.04)
    assert bot.restarts == 1


def test_each_piece_starts_the_clock_again(hall: Seat) -> None:
    table = hall(duels=8, limits=LIMITS).join()
    bot = next(bot for bot in table.bots.values() if len(bot.asked) > 1)
    for turn in bot.asked[:-1]:
        table.wait(1.0)
        table.session.answered(bot.place, [turn], [0])
    assert bot.restarts == 0


def test_an_empty_answer_does_not_start_the_clock_again(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.wait(0.9)
    table.session.answered(bot.place, [], [])
    table.wait(0.14)
    assert bot.restarts == 1


def test_time_without_a_processor_is_given_back(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.wait(0.3)
    bot.waited += 0.5
    table.wait(1.14)
    assert bot.restarts == 0
    table.wait(0.12)
    assert bot.restarts == 1


def test_a_bot_that_waits_for_its_own_threads_gets_nothing_back(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.wait(0.3)
    bot.waited += 0.7
    bot.cpu += 0.78
    table.wait(0.74)
    assert bot.restarts == 1


def test_a_bot_that_never_gets_a_processor_costs_nobody_a_match(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    for _ in range(12):
        table.wait(1.0)
        bot.waited += 1.0
    assert [bot.restarts, len(table.voided)] == [0, 1]


def test_time_by_which_the_referee_is_late_is_given_back(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.wait(0.5)
    table.now += 3.0
    table.session.tick()
    table.wait(0.4)
    assert bot.restarts == 0


def test_an_overrun_while_the_referee_was_badly_late_is_void(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.now += 3.0
    table.session.tick()
    table.wait(1.1)
    assert [bot.restarts, [void.duel.number for void in table.voided]] == [0, [0]]


def test_an_overrun_while_the_referee_was_hardly_late_is_a_fault(hall: Seat) -> None:
    table = hall(limits=LIMITS).join()
    bot = table.alone()
    table.now += 0.2
    table.session.tick()
    table.wait(1.1)
    assert [bot.restarts, table.voided] == [1, []]


def test_a_bot_has_a_limit_for_getting_ready(hall: Seat) -> None:
    table = hall(limits=LIMITS)
    silent, *others = table.bots.values()
    for bot in others:
        table.session.joined(bot.place, 256)
    table.wait(5.04)
    assert [silent.restarts, others[0].restarts] == [1, 0]
    table.rejoin(silent)
    table.play_on()
    assert table.faults == [("never_ready", 0, 0, 0)]


def test_time_without_a_processor_does_not_count_for_getting_ready(hall: Seat) -> None:
    table = hall(limits=LIMITS)
    starved, *others = table.bots.values()
    for bot in others:
        table.session.joined(bot.place, 256)
    starved.waited = 2.0
    table.wait(6.9)
    assert starved.restarts == 0
    table.wait(0.2)
    assert starved.restarts == 1


def test_a_bot_may_not_compute_while_nothing_is_asked_of_it(hall: Seat) -> None:
    table = hall().join()
    idle = next(bot for bot in table.bots.values() if not bot.place.open)
    for _ in range(50):
        idle.cpu += 0.02
        table.wait(0.02)
    assert idle.restarts == 1


def test_computing_unasked_shows_though_the_processor_is_hardly_ever_free(hall: Seat) -> None:
    table = hall(limits=TimeLimits(decision=60)).join()
    idle = next(bot for bot in table.bots.values() if not bot.place.open)
    for _ in range(100):
        table.wait(0.08)
        idle.cpu += 0.004
        idle.waited += 0.096
        table.wait(0.02)
    assert idle.restarts == 1


def test_computing_unasked_shows_though_frames_follow_one_another(hall: Seat) -> None:
    table = hall(duels=64, limits=TimeLimits(decision=60)).join()
    spinning = table.bots[0, 0]
    for _ in range(1000):
        for bot in [bot for bot in table.bots.values() if bot.place.open]:
            table.now += 0.01
            spinning.cpu += 0.01
            table.answer(bot)
        table.session.tick()
        if spinning.restarts:
            break
    assert spinning.restarts == 1


def test_computing_while_asked_is_not_held_against_a_bot_later(hall: Seat) -> None:
    table = hall(duels=64, limits=TimeLimits(decision=60)).join()
    diligent = table.bots[0, 0]
    diligent.core_count = 2
    while open_now := [bot for bot in table.bots.values() if bot.place.open]:
        for bot in open_now:
            table.now += 0.01
            diligent.cpu += 0.02 * (bot is diligent)
            table.answer(bot)
        table.session.tick()
    assert diligent.restarts == 0


def test_a_little_tidying_up_is_nobodys_business(hall: Seat) -> None:
    table = hall(limits=TimeLimits(decision=60)).join()
    idle = next(bot for bot in table.bots.values() if not bot.place.open)
    for _ in range(10):
        table.wait(0.02)
        idle.cpu += IDLE_SECONDS / 11
    table.wait(5.0)
    assert idle.restarts == 0


def test_a_bot_may_compute_while_it_is_asked(hall: Seat) -> None:
    table = hall().join()
    bot = table.alone()
    for _ in range(45):
        bot.cpu += 0.02
        table.wait(0.02)
    assert bot.restarts == 0


@pytest.mark.parametrize(("increment", "faults"), [(0.0, 1), (0.5, 0)])
def test_the_bank_is_charged_and_the_increment_added(
    hall: Seat, increment: float, faults: int
) -> None:
    table = hall(limits=TimeLimits(decision=1.0, bank=0.3, increment=increment)).join()
    bot = table.alone()
    table.wait(0.5)
    table.answer(bot)
    table.play_on()
    assert [kind for kind, *_ in table.faults] == ["bank_empty"] * faults


def test_a_standstill_of_the_referee_is_not_charged_to_the_bank(hall: Seat) -> None:
    table = hall(limits=TimeLimits(bank=10.0)).join()
    bot = table.alone()
    (at,) = bot.place.open.values()
    before = at.banks[bot.place.seat].left
    table.wait(0.5)
    table.now += 3.0
    table.answer(bot)
    assert round(before - at.banks[bot.place.seat].left, 2) == 0.5 + TICK


def test_a_piece_is_charged_to_its_tables_in_equal_parts(hall: Seat) -> None:
    table = hall(duels=8, limits=TimeLimits(decision=1.0, bank=10.0)).join()
    bot = next(bot for bot in table.bots.values() if len(bot.asked) == 2)
    tables = list(bot.place.open.values())
    table.wait(0.5)
    table.answer(bot)
    assert [round(at.banks[bot.place.seat].left, 2) for at in tables] == [9.75, 9.75]


def test_a_turn_tells_what_is_left_of_the_bank(hall: Seat) -> None:
    table = hall(limits=TimeLimits(bank=10.0)).join()
    assert table.asked.frames[0][1][0].time_left == 10.0


def test_old_turns_in_an_answer_do_not_thin_the_charge(hall: Seat) -> None:
    table = hall(limits=TimeLimits(bank=10.0)).join()
    bot = table.asked
    old = bot.asked
    while bot.asked == old or not bot.place.open:
        table.answer(table.asked)
    (at,) = bot.place.open.values()
    before = at.banks[bot.place.seat].left
    table.wait(0.5)
    table.session.answered(bot.place, [*old * 5, *bot.asked], [0] * 6)
    assert round(before - at.banks[bot.place.seat].left, 2) == 0.5


def test_the_time_for_getting_ready_runs_from_the_start_of_the_process(hall: Seat) -> None:
    table = hall(limits=LIMITS, policy=Policy(forfeit_at=9)).join()
    bot = table.alone()
    table.session.failed(bot.place, CRASH)
    table.wait(30.0)
    assert bot.restarts == 1

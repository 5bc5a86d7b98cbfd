"""What a process is asked that was started in the middle of matches."""

from collections.abc import Sequence

from referee.arena.limits import Policy, TimeLimits
from referee.arena.player import Turn
from tests.arena.conftest import CRASH, Begin, Bot, Scene


def played(scene: Scene, bot: Bot, decisions: int) -> None:
    """Play until a bot is asked, having made so many decisions."""
    while len(bot.frames) <= decisions or not bot.place.open:
        scene.answer(scene.asked)


def until(scene: Scene, bot: Bot) -> None:
    """Answer for the others until a bot is asked."""
    while not bot.place.open:
        scene.answer(scene.asked)


def restart(scene: Scene, bot: Bot) -> None:
    scene.room.failed(bot.place, CRASH)
    scene.rejoin(bot)


def seen(turns: Sequence[Turn]) -> list[object]:
    """Return what turns show, which goes on being played."""
    return [(turn.table, turn.match, turn.state.view(turn.state.actor)) for turn in turns]


def views(scene: Scene, bot: Bot, frames: int) -> list[object]:
    """Return what a bot is shown in the next frames, all first actions first."""
    shown: list[object] = []
    while len(shown) < frames:
        asked = scene.asked
        if asked is bot:
            shown += seen(bot.frames[-1][1])
        scene.answer(asked)
    return shown


def test_a_new_process_is_asked_all_it_was_asked_of_a_match(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=9)).join()
    bot = scene.bots[0, 0]
    before = views(scene, bot, 6)
    while not bot.place.open:
        scene.answer(scene.asked)
    due = seen(bot.frames[-1][1])
    restart(scene, bot)
    asked = views(scene, bot, 7)
    assert asked[:6] == before
    # The decision at which it failed was made for it.
    assert asked[6] != due[0]


def test_a_match_is_opened_with_the_first_turn_a_process_is_asked_of_it(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = next(bot for bot in scene.seated if len(bot.asked) > 2)
    restart(scene, bot)
    opened, turns, _ = bot.frames[-1]
    assert [each.table for each in opened] == [turn.table for turn in turns]


def test_a_process_is_told_of_a_match_only_when_it_is_asked(begin: Begin) -> None:
    scene = begin(duels=9, tables=2).join()
    scene.play_on()
    for bot in scene.bots.values():
        known: set[int] = set()
        for opened, turns, closed in bot.frames:
            known |= {each.table for each in opened}
            assert {each.table for each in opened} <= {turn.table for turn in turns}
            assert {each.table for each in closed} <= known


def test_a_match_that_was_never_opened_to_a_process_is_not_closed_to_it(begin: Begin) -> None:
    scene = begin(duels=2, tables=1).join()
    first = scene.asked
    (table,) = {turn.table for turn in first.frames[-1][1]}
    scene.answer(first, lambda _: 99)
    scene.play_on()
    for bot in scene.bots.values():
        heard = [each.table for _, _, closed in bot.frames for each in closed]
        assert (table in heard) == (bot is first)


def test_what_was_opened_at_the_same_seed_as_before(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=9)).join()
    bot = scene.asked
    before = [each for opened, _, _ in bot.frames for each in opened]
    restart(scene, bot)
    while not bot.place.open:
        scene.answer(scene.asked)
    assert list(bot.frames[-1][0]) == before


def test_the_answers_of_a_bot_that_catches_up_are_not_played(begin: Begin) -> None:
    right, other = begin(policy=Policy(forfeit_at=9)), begin(policy=Policy(forfeit_at=9))
    for scene in (right, other):
        scene.join()
        bot = scene.bots[0, 0]
        played(scene, bot, 5)
        restart(scene, bot)
        scene.play_on(but=[bot])
        while bot.place.repeated:
            scene.answer(bot, lambda _, wrong=scene is other: 99 * wrong)  # type: ignore[misc]
            scene.play_on(but=[bot])
        scene.play_on()
    assert right.results[0].rooms == other.results[0].rooms
    assert right.faults == other.faults


def test_to_catch_up_is_charged_to_no_bank(begin: Begin) -> None:
    scene = begin(limits=TimeLimits(bank=5.0), policy=Policy(forfeit_at=9)).join()
    bot = scene.bots[0, 0]
    played(scene, bot, 5)
    (match,) = bot.place.open.values()
    left = match.time_left(0)
    restart(scene, bot)
    scene.play_on(but=[bot])
    while bot.place.repeated:
        scene.wait(0.5)
        scene.answer(bot)
        scene.play_on(but=[bot])
    assert match.time_left(0) == left


def test_to_catch_up_is_no_slowest_decision(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=9)).join()
    bot = scene.bots[0, 0]
    played(scene, bot, 5)
    (match,) = bot.place.open.values()
    restart(scene, bot)
    scene.play_on(but=[bot])
    while bot.place.repeated:
        scene.wait(0.5)
        scene.answer(bot)
        scene.play_on(but=[bot])
    slowest = match.slowest[0]
    assert slowest is None or slowest.seconds < 0.1


def test_who_takes_too_long_to_catch_up_is_at_fault(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=2)).join()
    bot = scene.bots[0, 0]
    played(scene, bot, 5)
    restart(scene, bot)
    scene.play_on(but=[bot])
    assert bot.place.repeated
    scene.wait(1.1)
    scene.rejoin(bot)
    scene.play_on()
    assert [kind for kind, *_ in scene.faults] == ["crashed", "decision_timeout"]


def test_a_fault_is_in_the_hand_that_was_asked_again(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=9)).join()
    bot = scene.bots[0, 0]
    while not bot.place.open or next(iter(bot.place.open.values())).sheet.match.hand < 2:
        scene.answer(scene.asked)
    for _ in range(2):
        restart(scene, bot)
        until(scene, bot)
    assert bot.place.repeated
    scene.play_on()
    assert [fault.hand for fault in scene.results[0].faults] == [2, 0]


def test_the_numbers_of_turns_go_on(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=9)).join()
    bot = scene.bots[0, 0]
    played(scene, bot, 5)
    restart(scene, bot)
    scene.play_on()
    numbers = [turn.turn for _, turns, _ in bot.frames for turn in turns]
    assert numbers == list(range(1, len(numbers) + 1))


def test_matches_are_caught_up_together(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = next(bot for bot in scene.seated if len(bot.asked) > 2)
    for _ in range(4):
        until(scene, bot)
        scene.answer(bot)
    restart(scene, bot)
    until(scene, bot)
    assert len(bot.place.repeated) == len(bot.asked) > 1

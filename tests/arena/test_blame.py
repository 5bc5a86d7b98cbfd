"""Who pays for what went wrong."""

from referee.arena import fault
from referee.arena.fault import Fault
from referee.arena.limits import MOST_LOSSES, Policy
from tests.arena.conftest import CRASH, Begin, Bot, Scene
from tests.table import euchre


def several(scene: Scene) -> Bot:
    """Return a bot with more than one open turn."""
    return next(bot for bot in scene.bots.values() if len(bot.asked) > 2)


def crash(scene: Scene, bot: Bot) -> None:
    scene.room.failed(bot.place, CRASH)


def test_an_illegal_action_forfeits_its_match(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.asked
    scene.answer(bot, lambda turn: len(turn.state.legal))
    scene.play_on()
    assert scene.faults == [("illegal_action", bot.place.entrant, bot.place.room, 0)]
    forfeit = scene.results[0].rooms[bot.place.room].forfeit
    assert forfeit
    assert forfeit.seat == bot.place.seat


def test_the_other_room_is_played_as_usual(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.asked
    scene.answer(bot, lambda _: 99)
    scene.play_on()
    assert scene.results[0].rooms[1 - bot.place.room].forfeit is None


def test_a_forfeited_match_is_won_by_the_other_entrant(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.asked
    scene.answer(bot, lambda _: 99)
    scene.play_on()
    result = scene.results[0]
    assert result.rooms[bot.place.room].winner != bot.place.seat % 2


def test_an_illegal_action_costs_no_other_table(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    wrong = bot.asked[1]
    scene.answer(bot, lambda turn: 99 if turn.turn == wrong else 0)
    scene.play_on()
    assert [len(scene.faults), len(scene.results), bot.restarts] == [1, 9, 0]


def test_the_author_is_told(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.asked
    turn = bot.frames[-1][1][0]
    scene.answer(bot, lambda _: 99)
    assert bot.faults == [("illegal_action", turn.table, turn.turn)]


def test_an_answer_never_asked_for_is_a_protocol_error(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.asked
    scene.room.answered(bot.place, [bot.asked[-1] + 1], [0])
    scene.rejoin(bot)
    scene.play_on()
    assert [kind for kind, *_ in scene.faults] == ["protocol_error"]


def test_an_answer_given_twice_in_a_frame_is_a_protocol_error(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    scene.room.answered(bot.place, [bot.asked[0], bot.asked[0]], [0, 0])
    assert bot.restarts == 1


def test_an_answer_given_again_in_a_later_frame_is_a_protocol_error(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    old = bot.asked[0]
    scene.answer(bot)
    scene.play_on(but=[bot])
    scene.room.answered(bot.place, [old], [0])
    assert bot.restarts == 1


def test_an_answer_for_a_table_that_was_closed_meanwhile_is_dropped(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot, closed = scene.close_a_turn()
    scene.room.answered(bot.place, [closed], [0])
    assert bot.restarts == 0


def test_an_answer_for_a_table_that_was_closed_is_dropped_in_a_later_frame(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot, closed = scene.close_a_turn()
    for _ in range(2 * len(scene.seated)):
        scene.answer(scene.asked)
    assert closed not in bot.asked
    scene.room.answered(bot.place, [closed], [0])
    assert bot.restarts == 0


def test_an_answer_given_twice_for_a_table_that_was_closed_is_a_protocol_error(
    begin: Begin,
) -> None:
    scene = begin(duels=9).join()
    bot, closed = scene.close_a_turn()
    for _ in range(2):
        scene.room.answered(bot.place, [closed], [0])
    assert bot.restarts == 1


def test_a_flood_of_messages_is_a_protocol_error(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.asked
    for _ in range(20):
        scene.room.answered(bot.place, [], [])
    assert bot.restarts == 1


def test_who_crashes_with_one_turn_open_forfeits_that_match(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.asked
    crash(scene, bot)
    scene.rejoin(bot)
    scene.play_on()
    assert scene.faults == [("crashed", bot.place.entrant, bot.place.room, 0)]


def test_the_clock_of_a_bot_that_is_gone_does_not_run(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.alone()
    scene.room.leaves(bot.place)
    scene.wait(1.1)
    assert bot.restarts == 0


def test_the_clock_of_a_bot_that_came_back_runs(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=9)).join()
    bot = scene.alone()
    scene.room.leaves(bot.place)
    crash(scene, bot)
    scene.rejoin(bot)
    scene.play_on(but=[bot])
    scene.wait(1.1)
    assert bot.restarts == 2


def test_who_crashes_with_several_turns_open_is_asked_again_one_at_a_time(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    crash(scene, bot)
    scene.rejoin(bot)
    assert len(bot.asked) == 1


def test_the_turn_that_fails_again_is_at_fault(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    second = sorted(at.duel.number for at in bot.place.open.values())[1]
    crash(scene, bot)
    scene.rejoin(bot)
    scene.answer(bot)
    scene.play_on(but=[bot])
    crash(scene, bot)
    scene.rejoin(bot)
    scene.play_on()
    assert scene.faults == [("crashed", bot.place.entrant, bot.place.room, second)]


def test_if_none_fails_again_the_first_is_at_fault(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    first = min(at.duel.number for at in bot.place.open.values())
    crash(scene, bot)
    scene.rejoin(bot)
    scene.play_on()
    assert scene.faults == [("crashed", bot.place.entrant, bot.place.room, first)]


def turns_at_fault(scene: Scene) -> list[tuple[int, ...]]:
    return [fault.turns for result in scene.results for fault in result.faults]


def test_a_fault_names_the_turn_with_the_illegal_action(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    wrong = bot.asked[1]
    scene.answer(bot, lambda turn: 99 if turn.turn == wrong else 0)
    scene.play_on()
    assert turns_at_fault(scene) == [(wrong,)]


def test_a_fault_names_the_turn_that_failed_again(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    crash(scene, bot)
    scene.rejoin(bot)
    scene.answer(bot)
    scene.play_on(but=[bot])
    again = tuple(bot.place.open)
    crash(scene, bot)
    scene.rejoin(bot)
    scene.play_on()
    assert turns_at_fault(scene) == [again]


def test_a_fault_names_all_turns_that_were_open_if_none_failed_again(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    answered, *unanswered = bot.asked
    scene.room.answered(bot.place, [answered], [0])
    crash(scene, bot)
    scene.rejoin(bot)
    scene.play_on()
    assert turns_at_fault(scene) == [tuple(unanswered)]


def test_where_a_fault_happened_names_the_turn_or_how_many_were_open() -> None:
    at_turn = Fault(fault.CRASHED, 0, 1, 1, 4, 2, "its process ended", True, None, (7,))
    assert at_turn.where(euchre()) == "duel 5, closed room, hand 3, East, turn 7"
    open_turns = at_turn._replace(turns=(7, 8))
    assert open_turns.where(euchre()) == "duel 5, closed room, hand 3, East, one of 2 open turns"


def test_who_crashes_while_nothing_is_asked_forfeits_the_first_open_match(begin: Begin) -> None:
    scene = begin(duels=3).join()
    bot = scene.asked
    scene.answer(bot)
    crash(scene, bot)
    scene.rejoin(bot)
    scene.play_on()
    assert scene.faults == [("crashed", bot.place.entrant, bot.place.room, 0)]


def test_each_that_fails_again_is_at_fault(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    suspects = sorted(at.duel.number for at in bot.place.open.values())
    crash(scene, bot)
    scene.rejoin(bot)
    for number in suspects:
        scene.play_on(but=[bot])
        (match,) = bot.place.open.values()
        assert match.duel.number == number
        if number in suspects[1:3]:
            crash(scene, bot)
            scene.rejoin(bot)
        else:
            scene.answer(bot)
    scene.play_on()
    failed = [("crashed", bot.place.entrant, bot.place.room, number) for number in suspects[1:3]]
    assert sorted(scene.faults) == failed


def test_an_illegal_action_of_a_match_asked_again_is_what_it_failed_by(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    first = min(at.duel.number for at in bot.place.open.values())
    crash(scene, bot)
    scene.rejoin(bot)
    scene.answer(bot, lambda _: 99)
    scene.play_on()
    assert scene.faults == [("illegal_action", bot.place.entrant, bot.place.room, first)]


def test_no_answer_is_played_before_all_are_asked_again(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    matches = sorted(bot.place.open.values(), key=lambda match: match.duel.number)
    crash(scene, bot)
    scene.rejoin(bot)
    before = [match.sheet.actions for match in matches]
    for _ in matches[1:]:
        scene.play_on(but=[bot])
        scene.answer(bot)
    assert [match.sheet.actions for match in matches] == before


def test_who_leaves_when_its_room_is_finished_is_not_at_fault(begin: Begin) -> None:
    scene = begin().join()
    scene.play_on()
    bot = scene.seated[0]
    crash(scene, bot)
    assert [bot.restarts, scene.faults] == [0, []]


def test_who_fails_again_and_again_forfeits_only_the_matches_it_failed_in(begin: Begin) -> None:
    scene = begin(duels=9, tables=1).join()
    bot = scene.bots[0, 0]
    for _ in range(5):
        while not bot.place.open:
            scene.answer(scene.asked)
        crash(scene, bot)
        scene.rejoin(bot)
    scene.play_on()
    assert len(scene.results) == 9
    assert scene.faults == [("crashed", 0, 0, number) for number in range(5)]


def test_a_sandbox_killed_from_outside_is_nobodys_fault(begin: Begin) -> None:
    scene = begin(duels=3).join()
    scene.room.lost(scene.asked.place, "killed")
    scene.play_on()
    assert [scene.faults, len(scene.voided), scene.over] == [[], 3, True]


def test_a_duel_not_yet_begun_survives_that(begin: Begin) -> None:
    scene = begin(duels=5, tables=2).join()
    bot = scene.asked
    scene.room.lost(bot.place, "killed")
    scene.rejoin(bot)
    scene.play_on()
    assert [len(scene.voided), len(scene.results)] == [2, 3]


def test_a_room_whose_bots_are_killed_again_and_again_ends(begin: Begin) -> None:
    scene = begin(duels=9, tables=2).join()
    bot = scene.asked
    for _ in range(MOST_LOSSES):
        scene.room.lost(bot.place, "killed")
    scene.play_on()
    assert [scene.over, len(scene.voided), len(scene.outcomes)] == [True, 6, 6]


def test_where_nothing_can_be_started_every_duel_is_void(begin: Begin) -> None:
    scene = begin(duels=9, tables=2)
    for _ in range(MOST_LOSSES):
        scene.room.lost(scene.bots[0, 0].place, "no sandbox")
    scene.play_on()
    assert [scene.over, len(scene.voided)] == [True, 9]


def test_a_fault_carries_its_evidence(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.asked
    crash(scene, bot)
    scene.rejoin(bot)
    scene.play_on()
    assert scene.results[0].faults[0].evidence == f"seat {bot.place.seat}"


def test_a_substitute_is_the_first_legal_action(begin: Begin) -> None:
    right, wrong = begin(), begin(policy=Policy(forfeit_at=2))
    right.join().play_on()
    bot = wrong.join().asked
    wrong.answer(bot, lambda _: 99)
    wrong.play_on()
    assert wrong.results[0].rooms == right.results[0].rooms
    assert [f.forfeits for f in wrong.results[0].faults] == [False]


def test_the_fault_after_the_last_substitute_forfeits(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=2)).join()
    bot = scene.asked
    room = bot.place.room
    while waiting := scene.open_frames():
        asked = waiting[0]
        scene.answer(asked, lambda _, wrong=asked is bot: 99 * wrong)  # type: ignore[misc]
    assert [f.forfeits for f in scene.results[0].faults] == [False, True]
    assert scene.results[0].rooms[room].forfeit


def test_a_timeout_can_be_substituted_too(begin: Begin) -> None:
    scene = begin(policy=Policy(forfeit_at=2)).join()
    bot = scene.alone()
    scene.wait(1.1)
    scene.rejoin(bot)
    scene.play_on()
    assert [f.forfeits for f in scene.results[0].faults] == [False]
    assert scene.results[0].rooms[bot.place.room].forfeit is None


def test_a_void_of_the_last_turn_asked_again_lets_the_first_pay(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    first = min(at.duel.number for at in bot.place.open.values())
    crash(scene, bot)
    scene.rejoin(bot)
    while len(bot.place.suspects) > 1:
        scene.answer(next(b for b in scene.bots.values() if b.place.open))
    while not bot.place.open:
        scene.answer(next(b for b in scene.bots.values() if b.place.open))
    while not scene.voided:  # no processor is free for it
        scene.wait(1.0)
        bot.waited += 1.0
    scene.play_on()
    assert [scene.over, bot.restarts] == [True, 1]
    assert scene.faults == [("crashed", bot.place.entrant, bot.place.room, first)]


def test_a_void_of_all_turns_asked_again_costs_nobody(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    crash(scene, bot)
    scene.rejoin(bot)
    other = next(b for b in scene.seated if b is not bot)
    scene.room.lost(other.place, "killed")
    scene.rejoin(other)
    scene.play_on()
    assert [scene.over, len(scene.voided), scene.faults] == [True, 9, []]


def test_a_bot_that_is_gone_is_asked_nothing(begin: Begin) -> None:
    scene = begin(duels=9).join()
    bot = several(scene)
    idle = next(b for b in scene.seated if b is not bot)
    scene.room.leaves(idle.place)
    sent = len(idle.frames)
    scene.play_on()
    assert len(idle.frames) == sent

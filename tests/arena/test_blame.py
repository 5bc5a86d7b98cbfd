"""Who pays for what went wrong."""

from referee.arena import fault
from referee.arena.fault import Fault
from referee.arena.limits import MOST_FAILURES, Policy
from tests.arena.conftest import CRASH, Bot, Hall, Seat


def several(table: Hall) -> Bot:
    """Give a bot with more than one open turn."""
    return next(bot for bot in table.bots.values() if len(bot.asked) > 2)


def crash(table: Hall, bot: Bot) -> None:
    table.session.failed(bot.place, CRASH)


def test_an_illegal_action_forfeits_its_match(hall: Seat) -> None:
    table = hall().join()
    bot = table.asked
    table.answer(bot, lambda turn: len(turn.state.legal))
    table.play_on()
    assert table.faults == [("illegal_action", bot.place.entrant, bot.place.room, 0)]
    forfeit = table.results[0].rooms[bot.place.room].forfeit
    assert forfeit
    assert forfeit.seat == bot.place.seat


def test_the_other_room_is_played_as_usual(hall: Seat) -> None:
    table = hall().join()
    bot = table.asked
    table.answer(bot, lambda _: 99)
    table.play_on()
    assert table.results[0].rooms[1 - bot.place.room].forfeit is None


def test_a_forfeited_match_is_won_by_the_other_entrant(hall: Seat) -> None:
    table = hall().join()
    bot = table.asked
    table.answer(bot, lambda _: 99)
    table.play_on()
    result = table.results[0]
    assert result.rooms[bot.place.room].winner != bot.place.seat % 2


def test_an_illegal_action_costs_no_other_table(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    wrong = bot.asked[1]
    table.answer(bot, lambda turn: 99 if turn.turn == wrong else 0)
    table.play_on()
    assert [len(table.faults), len(table.results), bot.restarts] == [1, 9, 0]


def test_the_author_is_told(hall: Seat) -> None:
    table = hall().join()
    bot = table.asked
    turn = bot.frames[-1][1][0]
    table.answer(bot, lambda _: 99)
    assert bot.faults == [("illegal_action", turn.table, turn.turn)]


def test_an_answer_never_asked_for_is_a_protocol_error(hall: Seat) -> None:
    table = hall().join()
    bot = table.asked
    table.session.answered(bot.place, [bot.asked[-1] + 1], [0])
    table.rejoin(bot)
    table.play_on()
    assert [kind for kind, *_ in table.faults] == ["protocol_error"]


def test_an_answer_given_twice_in_a_frame_is_a_protocol_error(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    table.session.answered(bot.place, [bot.asked[0], bot.asked[0]], [0, 0])
    assert bot.restarts == 1


def test_an_answer_to_a_turn_of_an_older_frame_is_dropped(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    old = bot.asked[0]
    table.answer(bot)
    table.play_on(but=[bot])
    table.session.answered(bot.place, [old], [0])
    assert bot.restarts == 0


def test_an_answer_for_a_table_that_was_closed_meanwhile_is_dropped(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    asked = bot.asked
    other = next(b for b in table.bots.values() if b.place.room == bot.place.room and b is not bot)
    table.session.lost(other.place, "killed")
    table.session.answered(bot.place, asked, [0] * len(asked))
    assert bot.restarts == 0


def test_a_flood_of_messages_is_a_protocol_error(hall: Seat) -> None:
    table = hall().join()
    bot = table.asked
    for _ in range(20):
        table.session.answered(bot.place, [], [])
    assert bot.restarts == 1


def test_who_crashes_with_one_turn_open_forfeits_that_match(hall: Seat) -> None:
    table = hall().join()
    bot = table.asked
    crash(table, bot)
    table.rejoin(bot)
    table.play_on()
    assert table.faults == [("crashed", bot.place.entrant, bot.place.room, 0)]


def test_the_clock_of_a_bot_that_is_gone_does_not_run(hall: Seat) -> None:
    table = hall().join()
    bot = table.alone()
    table.session.leaves(bot.place)
    table.wait(1.1)
    assert bot.restarts == 0


def test_the_clock_of_a_bot_that_came_back_runs(hall: Seat) -> None:
    table = hall(policy=Policy(forfeit_at=9)).join()
    bot = table.alone()
    table.session.leaves(bot.place)
    crash(table, bot)
    table.rejoin(bot)
    table.play_on(but=[bot])
    table.wait(1.1)
    assert bot.restarts == 2


def test_who_crashes_with_several_turns_open_is_asked_again_one_at_a_time(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    crash(table, bot)
    table.rejoin(bot)
    assert len(bot.asked) == 1


def test_the_turn_that_fails_again_is_at_fault(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    second = sorted(at.duel.number for at in bot.place.open.values())[1]
    crash(table, bot)
    table.rejoin(bot)
    table.answer(bot)
    crash(table, bot)
    table.rejoin(bot)
    table.play_on()
    assert table.faults == [("crashed", bot.place.entrant, bot.place.room, second)]


def test_if_none_fails_again_the_first_is_at_fault(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    first = min(at.duel.number for at in bot.place.open.values())
    crash(table, bot)
    table.rejoin(bot)
    table.play_on()
    assert table.faults == [("crashed", bot.place.entrant, bot.place.room, first)]


def turns_at_fault(table: Hall) -> list[tuple[int, ...]]:
    return [fault.turns for result in table.results for fault in result.faults]


def test_a_fault_names_the_turn_with_the_illegal_action(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    wrong = bot.asked[1]
    table.answer(bot, lambda turn: 99 if turn.turn == wrong else 0)
    table.play_on()
    assert turns_at_fault(table) == [(wrong,)]


def test_a_fault_names_the_turn_that_failed_again(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    crash(table, bot)
    table.rejoin(bot)
    table.answer(bot)
    table.play_on(but=[bot])
    again = tuple(bot.place.open)
    crash(table, bot)
    table.rejoin(bot)
    table.play_on()
    assert turns_at_fault(table) == [again]


def test_a_fault_names_all_turns_that_were_open_if_none_failed_again(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    answered, *unanswered = bot.asked
    table.session.answered(bot.place, [answered], [0])
    crash(table, bot)
    table.rejoin(bot)
    table.play_on()
    assert turns_at_fault(table) == [tuple(unanswered)]


def test_where_a_fault_happened_names_the_turn_or_how_many_were_open() -> None:
    at_turn = Fault(fault.CRASHED, 0, 1, 1, 4, 2, "its process ended", True, None, (7,))
    assert at_turn.where == "duel 5, closed room, hand 3, East, turn 7"
    open_turns = at_turn._replace(turns=(7, 8))
    assert open_turns.where == "duel 5, closed room, hand 3, East, one of 2 open turns"


def test_a_restarted_bot_is_told_its_tables_again(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    before = {seat.table for opened, _, _ in bot.frames for seat in opened}
    crash(table, bot)
    table.rejoin(bot)
    opened, _, _ = bot.frames[-1]
    assert {seat.table for seat in opened} == before


def test_who_crashes_while_nothing_is_asked_forfeits_the_first_open_match(hall: Seat) -> None:
    table = hall(duels=3).join()
    idle = next(bot for bot in table.bots.values() if not bot.place.open)
    crash(table, idle)
    table.rejoin(idle)
    table.play_on()
    assert table.faults == [("crashed", idle.place.entrant, idle.place.room, 0)]


def test_who_leaves_when_its_room_is_finished_is_not_at_fault(hall: Seat) -> None:
    table = hall().join()
    table.play_on()
    bot = table.bots[0, 0]
    crash(table, bot)
    assert [bot.restarts, table.faults] == [0, []]


def test_who_fails_three_times_forfeits_the_rest_of_its_room(hall: Seat) -> None:
    table = hall(duels=9, tables=2).join()
    bot = table.bots[0, 0]
    for _ in range(MOST_FAILURES):
        crash(table, bot)
        table.rejoin(bot)
    table.play_on()
    assert len(table.results) == 9
    assert {r.rooms[0].forfeit is not None for r in table.results} == {True}
    assert {r.rooms[1].forfeit is None for r in table.results} == {True}
    assert {(entrant, room) for _, entrant, room, _ in table.faults} == {(0, 0)}


def test_a_forfeited_match_that_never_began_has_no_hands(hall: Seat) -> None:
    table = hall(duels=9, tables=2).join()
    for _ in range(MOST_FAILURES):
        crash(table, table.bots[0, 0])
        table.rejoin(table.bots[0, 0])
    table.play_on()
    last = max(table.results, key=lambda result: result.duel.number).rooms[0]
    assert [last.hands, last.score] == [(), (0, 0)]


def test_a_sandbox_killed_from_outside_is_nobodys_fault(hall: Seat) -> None:
    table = hall(duels=3).join()
    bot = table.asked
    table.session.lost(bot.place, "killed")
    table.rejoin(bot)
    table.play_on()
    assert [table.faults, len(table.voided), bot.restarts] == [[], 3, 1]


def test_a_duel_not_yet_begun_survives_that(hall: Seat) -> None:
    table = hall(duels=5, tables=2).join()
    bot = table.asked
    table.session.lost(bot.place, "killed")
    table.rejoin(bot)
    table.play_on()
    assert [len(table.voided), len(table.results)] == [2, 3]


def test_a_session_whose_bots_are_killed_again_and_again_ends(hall: Seat) -> None:
    table = hall(duels=9, tables=2).join()
    bot = table.asked
    for _ in range(MOST_FAILURES):
        table.session.lost(bot.place, "killed")
    assert [table.session.finished, len(table.voided)] == [True, 9]


def test_a_fault_carries_its_evidence(hall: Seat) -> None:
    table = hall().join()
    bot = table.asked
    crash(table, bot)
    table.rejoin(bot)
    table.play_on()
    assert table.results[0].faults[0].evidence == f"seat {bot.place.seat}"


def test_a_substitute_is_the_first_legal_action(hall: Seat) -> None:
    right, wrong = hall(), hall(policy=Policy(forfeit_at=2))
    right.join().play_on()
    bot = wrong.join().asked
    wrong.answer(bot, lambda _: 99)
    wrong.play_on()
    assert wrong.results[0].rooms == right.results[0].rooms
    assert [f.forfeits for f in wrong.results[0].faults] == [False]


def test_the_fault_after_the_last_substitute_forfeits(hall: Seat) -> None:
    table = hall(policy=Policy(forfeit_at=2)).join()
    bot = table.asked
    room = bot.place.room
    while not table.session.finished:
        asked = table.asked
        table.answer(asked, lambda _, wrong=asked is bot: 99 * wrong)  # type: ignore[misc]
    assert [f.forfeits for f in table.results[0].faults] == [False, True]
    assert table.results[0].rooms[room].forfeit


def test_a_timeout_can_be_substituted_too(hall: Seat) -> None:
    table = hall(policy=Policy(forfeit_at=2)).join()
    bot = table.alone()
    table.wait(1.1)
    table.rejoin(bot)
    table.play_on()
    assert [f.forfeits for f in table.results[0].faults] == [False]
    assert table.results[0].rooms[bot.place.room].forfeit is None


def test_a_void_of_the_last_turn_asked_again_lets_the_first_pay(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    first = min(at.duel.number for at in bot.place.open.values())
    table.play_on(but=[b for b in table.bots.values() if b.place.room == bot.place.room])
    crash(table, bot)
    table.rejoin(bot)
    while len(bot.place.suspects) > 1:
        table.answer(next(b for b in table.bots.values() if b.place.open))
    while not bot.place.open:
        table.answer(next(b for b in table.bots.values() if b.place.open))
    while not table.voided:  # no processor is free for it
        table.wait(1.0)
        bot.waited += 1.0
    table.play_on()
    assert [table.session.finished, bot.restarts] == [True, 1]
    assert table.faults == [("crashed", bot.place.entrant, bot.place.room, first)]


def test_a_void_of_all_turns_asked_again_costs_nobody(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    crash(table, bot)
    table.rejoin(bot)
    other = next(b for b in table.bots.values() if b.place.room != bot.place.room)
    table.session.lost(other.place, "killed")
    table.rejoin(other)
    table.play_on()
    assert [table.session.finished, len(table.voided), table.faults] == [True, 9, []]


def test_a_bot_that_is_gone_is_asked_nothing(hall: Seat) -> None:
    table = hall(duels=9).join()
    bot = several(table)
    idle = next(b for b in table.bots.values() if b.place.room == bot.place.room and b is not bot)
    table.session.leaves(idle.place)
    sent = len(idle.frames)
    table.play_on()
    assert len(idle.frames) == sent

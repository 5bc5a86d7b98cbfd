"""What is asked of whom, and what a duel leaves behind."""

import pytest

from referee.arena.duel import DuelResult
from referee.arena.limits import ASK_FORCED
from referee.arena.open_match import OpenMatch
from referee.duel_checks import counts
from referee.engine.cards import team
from referee.engine.record import replay
from tests.arena.conftest import Begin, Bot, Scene


def by_number(results: list[DuelResult]) -> list[tuple[int, object]]:
    return sorted(((r.duel.number, r.rooms) for r in results), key=lambda pair: pair[0])


def test_a_duel_ends_with_two_matches_that_follow_from_the_rules(begin: Begin) -> None:
    scene = begin(duels=3).join()
    scene.play_on()
    assert [len(list(replay(match))) > 2 for r in scene.results for match in r.rooms] == [True] * 6


def test_the_session_is_over_when_every_duel_is_written_down(begin: Begin) -> None:
    scene = begin(duels=3).join()
    assert not scene.over
    scene.play_on()
    assert scene.over
    assert sorted(result.duel.number for result in scene.results) == [0, 1, 2]


def test_nothing_is_asked_before_the_whole_room_is_ready(begin: Begin) -> None:
    scene = begin()
    for bot in list(scene.bots.values())[:-1]:
        scene.room.joined(bot.place, 1)
    scene.room.ask_due()
    assert not any(bot.frames for bot in scene.bots.values())


def waiting_at(scene: Scene) -> list[OpenMatch]:
    return [match for bot in scene.seated for match in bot.place.queue]


def test_a_sits_north_south_in_the_open_room_only(begin: Begin) -> None:
    scene = begin(duels=4).join()
    scene.play_on()
    assert all(bot.place.room == team(seat) ^ who for (who, seat), bot in scene.bots.items())


def test_only_the_seat_that_is_to_act_is_asked(begin: Begin) -> None:
    scene = begin(duels=4).join()
    while waiting := scene.open_frames():
        for bot in waiting:
            assert {at.sheet.state.actor for at in bot.place.open.values()} == {bot.place.seat}
            scene.answer(bot)


def test_a_frame_has_no_more_turns_than_may_be_and_the_others_follow(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bot, "most_turns", 2)
    scene = begin(duels=5).join()
    scene.play_on()
    assert max(len(turns) for bot in scene.bots.values() for _, turns, _ in bot.frames) == 2
    assert len(scene.results) == 5


def test_both_rooms_play_the_same_deals(begin: Begin) -> None:
    scene = begin().join()
    scene.play_on()
    opened, closed = scene.results[0].rooms
    assert opened.deck(0) == closed.deck(0)
    assert opened.first_dealer == closed.first_dealer


def test_a_bots_random_bits_are_the_same_in_both_rooms(begin: Begin) -> None:
    scene = begin().join()
    scene.play_on()
    seeds = {
        place: [seat.seed for opened, _, _ in bot.frames for seat in opened]
        for place, bot in scene.bots.items()
    }
    assert all(seeds[0, seat] == seeds[1, seat] for seat in range(4))


def test_each_seat_has_random_bits_of_its_own(begin: Begin) -> None:
    duel = begin(duels=1)
    duel.join().play_on()
    assert len({duel.results[0].duel.seed(seat) for seat in range(4)}) == 4


def test_a_place_has_one_open_frame_at_most(begin: Begin) -> None:
    scene = begin(duels=5).join()
    bot = scene.asked
    sent = len(bot.frames)
    for other in scene.bots.values():
        if other is not bot and other.place.open:
            scene.answer(other)
    scene.room.ask_due()
    assert len(bot.frames) == sent


def test_one_bot_of_a_room_is_asked_at_a_time(begin: Begin) -> None:
    scene = begin(duels=9).join()
    while waiting := scene.open_frames():
        assert len(waiting) == len({bot.place.room for bot in waiting})
        scene.answer(waiting[0])


def test_it_is_the_one_with_most_to_decide(begin: Begin) -> None:
    scene = begin(duels=9).join()
    waiting = {bot: len(bot.place.queue) for bot in scene.bots.values() if not bot.place.open}
    assert len(scene.asked.asked) >= max(
        count for bot, count in waiting.items() if bot.place.room == scene.asked.place.room
    )


def test_a_frame_holds_all_that_waits(begin: Begin) -> None:
    scene = begin(duels=9).join()
    assert [len(bot.place.queue) for bot in scene.bots.values() if bot.place.open] == [0]


def test_no_more_tables_are_open_than_every_bot_can_sit_at(begin: Begin) -> None:
    scene = begin(duels=9)
    for (who, seat), bot in scene.bots.items():
        scene.room.joined(bot.place, 2 if (who, seat) == (0, 0) else 256)
    scene.room.ask_due()
    while scene.room.number == 0:
        playing = [*scene.asked.place.open.values(), *waiting_at(scene)]
        assert len({match.number for match in playing}) <= 2
        scene.answer(scene.asked)
        scene.ask_next()


def test_nothing_is_sent_only_to_be_read(begin: Begin) -> None:
    scene = begin(duels=6).join()
    scene.play_on()
    assert all(turns for bot in scene.bots.values() for _, turns, _ in bot.frames)


def test_a_table_is_opened_before_its_first_turn(begin: Begin) -> None:
    scene = begin(duels=6, tables=2).join()
    scene.play_on()
    for bot in scene.bots.values():
        known: set[int] = set()
        for opened, turns, _ in bot.frames:
            known |= {seat.table for seat in opened}
            assert {turn.table for turn in turns} <= known


def test_a_turn_has_a_choice(begin: Begin) -> None:
    scene = begin(duels=3)
    scene.join()
    legal = [
        len(turn.state.legal)
        for bot in scene.bots.values()
        for _, turns, _ in bot.frames
        for turn in turns
    ]
    assert min(legal) >= 2


def test_a_move_without_a_choice_is_made_for_the_bot(begin: Begin) -> None:
    skipped, asked = begin(duels=3), begin(duels=3, at_least=ASK_FORCED)
    for scene in (skipped, asked):
        scene.join().play_on()
    turns = [
        sum(len(turns) for bot in scene.bots.values() for _, turns, _ in bot.frames)
        for scene in (skipped, asked)
    ]
    assert turns[0] < turns[1]
    assert by_number(skipped.results) == by_number(asked.results)


def test_the_result_does_not_depend_on_who_answers_first(begin: Begin) -> None:
    first, last = begin(duels=4).join(), begin(duels=4).join()
    first.play_on()
    while waiting := last.open_frames():
        last.answer(waiting[-1])

    assert by_number(first.results) == by_number(last.results)


def test_wins_are_counted_for_the_entrant_not_the_seats(begin: Begin) -> None:
    scene = begin(duels=6).join()
    scene.play_on()
    # Both rooms are played alike, so each seat wins once for A and once for B.
    assert [counts(result.rooms).wins for result in scene.results] == [1] * 6


def test_the_slowest_decision_is_kept(begin: Begin) -> None:
    scene = begin().join()
    bot = scene.alone()
    scene.wait(0.5)
    scene.answer(bot)
    scene.play_on()
    slowest = scene.results[0].slowest[bot.place.entrant]
    assert slowest
    assert (round(slowest.seconds, 2), slowest.seat) == (0.5, bot.place.seat)


def test_with_a_beat_one_match_is_open_at_a_time(begin: Begin) -> None:
    scene = begin(duels=3, beat=0.05).join()
    while waiting := scene.open_frames():
        assert len(waiting) == 1
        scene.answer(waiting[0])
    assert len(scene.results) == 3


def test_with_a_beat_both_matches_of_a_duel_come_one_after_the_other(begin: Begin) -> None:
    scene = begin(duels=3, beat=0.05).join()
    scene.play_on()
    assert [result.duel.number for result in scene.results] == [0, 1, 2]


def test_with_a_beat_only_who_is_to_move_can_run(begin: Begin) -> None:
    scene = begin(duels=2, beat=0.05).join()
    while waiting := scene.open_frames():
        assert [bot for bot in scene.seated if not bot.frozen] == waiting
        scene.answer(waiting[0])


def test_without_a_beat_nobody_is_frozen(begin: Begin) -> None:
    scene = begin(duels=2).join()
    while waiting := scene.open_frames():
        assert not any(bot.frozen for bot in scene.seated)
        scene.answer(waiting[0])


def test_the_second_room_begins_when_every_match_of_the_first_is_over(begin: Begin) -> None:
    scene = begin(duels=5, tables=2).join()
    while scene.room.number == 0:
        assert (scene.outcomes, len(scene.bots)) == ([], 4)
        scene.answer(scene.open_frames()[0])
        scene.ask_next()
    assert sorted(scene.halves) == [0, 1, 2, 3, 4]
    scene.play_on()
    assert len(scene.results) == 5


def test_no_process_plays_in_both_rooms(begin: Begin) -> None:
    scene = begin(duels=5).join()
    first = scene.seated
    scene.play_on()
    assert not set(map(id, first)) & set(map(id, scene.seated))
    assert [bot.place.room for bot in scene.seated] == [1] * 4


def test_a_duel_that_was_void_in_the_first_room_is_not_played_in_the_second(begin: Begin) -> None:
    scene = begin(duels=5, tables=2).join()
    scene.room.lost(scene.asked.place, "killed")
    scene.rejoin(scene.seated[0])
    for bot in scene.seated:
        if not bot.place.ready:
            scene.rejoin(bot)
    scene.play_on()
    assert [void.duel.number for void in scene.voided] == [0, 1]
    assert sorted(result.duel.number for result in scene.results) == [2, 3, 4]


def test_duels_whose_second_match_cannot_be_begun_are_void(begin: Begin) -> None:
    scene = begin(duels=2).join()
    while not scene.room.finished:
        scene.answer(scene.asked)
    scene.session.void("why")
    scene.play_on()
    assert [(void.duel.number, void.reason) for void in scene.voided] == [(0, "why"), (1, "why")]
    assert scene.over


def test_wound_up_a_session_begins_no_duel_and_ends_those_it_plays(begin: Begin) -> None:
    scene = begin(duels=5, tables=2).join()
    scene.session.wind_up()
    scene.play_on()
    assert [result.duel.number for result in scene.results] == [0, 1]
    assert scene.over


def test_wound_up_a_session_plays_no_second_match_after_a_fault_in_the_first(
    begin: Begin,
) -> None:
    scene = begin(duels=2).join()
    scene.answer(scene.asked, lambda turn: 99 if turn.table == 1000 else 0)
    scene.session.wind_up()
    scene.play_on()
    assert [result.duel.number for result in scene.results] == [1]


def test_wound_up_in_its_second_room_a_session_plays_it_to_the_end(begin: Begin) -> None:
    scene = begin(duels=5, tables=1).join()
    while scene.room.number == 0:
        scene.answer(scene.open_frames()[0])
        scene.ask_next()
    scene.session.wind_up()
    scene.play_on()
    assert [result.duel.number for result in scene.results] == [0, 1, 2, 3, 4]


def test_wound_up_before_anybody_is_ready_a_session_is_over(begin: Begin) -> None:
    scene = begin(duels=5)
    scene.session.wind_up()
    scene.play_on()
    assert (scene.over, scene.outcomes, scene.room.number) == (True, [], 0)

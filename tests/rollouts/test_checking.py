"""What random play says of a program."""

import pytest

from referee.engine.recycle.game import LONGEST_PROGRAM
from referee.rollouts.checking import MOST_FAILED, Level, Rollouts, findings, play_rollouts
from tests.rollouts.programs import SEED, SOUND, first, program, rolled_out, said
from upcard.recycle import read

MOVE_ON = "(choice ((turn pass)))"
ONCE = """\
(stage player
(end (== (game sto ROUNDS) 1))
(choice ((set (game str SAID) YES) (set (game str SAID) NO)))
(do ((inc (game sto ROUNDS) 1))))"""


def test_nothing_is_said_of_a_sound_program() -> None:
    assert findings(rolled_out(read(SOUND))) == []


def test_decisions_and_scores_are_counted() -> None:
    rollouts = rolled_out(read(SOUND))
    assert (rollouts.played, rollouts.failed) == (20, 0)
    assert rollouts.decisions.times == {2: 20}
    assert [(scores.count, scores.least >= 1, scores.most <= 6) for scores in rollouts.scores] == [
        (20, True, True)
    ] * 2


def test_a_rollout_follows_from_the_seed_and_its_number_alone() -> None:
    few, late = Rollouts(read(SOUND), SEED), Rollouts(read(SOUND), SEED)
    for _ in play_rollouts(few, 4):
        pass
    for _ in play_rollouts(late, 1, first=4):
        pass
    alone = late.scores[0].times
    for _ in play_rollouts(late, 3, first=1):
        pass
    assert late.scores == few.scores
    assert alone


def test_partners_who_score_differently_are_an_error() -> None:
    teams = "(create players 4) (create teams (1, 3) (2, 4))"
    text = SOUND.replace("(create players 2)", teams).replace("repeat 2", "repeat 1")
    played = read(text.replace("(size ('P iloc HAND)) 1", "(size ('P vloc SHOWN)) 1"))
    message = said(played, Level.ERROR)[0][1]
    assert ": partners scored differently; score a team by what its team stores" in message


def test_a_part_that_is_never_run_is_told_with_its_line() -> None:
    never = "(stage player\n(end (== 1 1))\n(do ((inc (game sto ROUNDS) 1))))"
    played = program(ONCE, never, score="(size ((current player) iloc HAND))")
    assert (9, "this do was never run") in said(played, Level.WARNING)


def test_a_choice_that_never_comes_up_is_told() -> None:
    never = f"(stage player\n(end (== 1 1))\n{MOVE_ON})"
    assert (9, "this choice never came up") in said(program(ONCE, never), Level.WARNING)


def test_an_entry_that_is_never_legal_is_told() -> None:
    choice = "(choice (\n(set (game str SAID) YES)\n((== 1 2) (set (game str SAID) NO))))"
    warned = said(program(choice), Level.WARNING)
    assert (5, "this entry of a choice was never legal, 20 times that it was asked") in warned


def test_a_choice_without_a_choice_is_told() -> None:
    warned = said(program(MOVE_ON), Level.WARNING)
    assert (3, "this choice had one option, each of 20 times") in warned


def test_a_choice_without_an_option_is_an_error() -> None:
    found = first(program("(choice (\n((== 1 2) (turn pass))))"))
    assert (found.level, found.line) == (Level.ERROR, 3)
    assert found.message.endswith("(10 of 10 rollouts, first 1)")


def test_a_program_that_fails_again_and_again_is_not_played_on() -> None:
    rollouts = rolled_out(program("(choice (((== 1 2) (turn pass))))"), 500)
    assert (rollouts.played, rollouts.failed) == (MOST_FAILED, MOST_FAILED)


def test_a_game_that_does_not_end_is_an_error() -> None:
    found = first(program("(stage player\n(end (== 1 2))\n(do ((turn pass))))"))
    assert found.level is Level.ERROR


def test_a_game_without_any_decision_is_an_error() -> None:
    found = first(program("(do ((shuffle (game iloc STOCK))))"))
    assert (found.level, found.message) == (Level.ERROR, "nobody ever has a decision")


def test_some_hands_without_a_decision_are_a_note() -> None:
    deal = "(do ((shuffle (game iloc STOCK))))"
    sometimes = f"""(stage player
    (end (or (== (game sto ROUNDS) 1) (== (cardatt RANK (top (game iloc STOCK))) ONE)))
    {MOVE_ON} (do ((inc (game sto ROUNDS) 1))))"""
    notes = [message for _, message in said(program(deal, sometimes), Level.NOTE)]
    assert any(message.endswith("of 20 had no decision") for message in notes)


def test_a_program_that_is_too_long_to_be_played_is_an_error() -> None:
    page = f";; {'x' * LONGEST_PROGRAM}\n{SOUND}"
    assert said(read(page), Level.ERROR) == [
        (0, f"the program is longer than {LONGEST_PROGRAM} bytes, too long to be played")
    ]


def test_scores_that_are_always_equal_are_told() -> None:
    warned = said(program(ONCE), Level.WARNING)
    assert (0, "all players always have equal scores") in warned


def test_ties_that_are_drawn_are_a_note() -> None:
    tie = """(do ((move (max (game iloc STOCK) using (game points NONE)) (top (game vloc UP)))))"""
    notes = [message for _, message in said(program(ONCE, tie), Level.NOTE)]
    said_of_ties = "20 ties of max or min, in 20 rollouts of 20: one of the equal cards was drawn"
    assert said_of_ties in notes


def test_what_is_stored_and_never_read_is_a_note() -> None:
    store = "(do ((inc (game sto READ))\n(inc (game sto LOST) (game sto READ))))"
    notes = said(program(store, MOVE_ON), Level.NOTE)
    assert notes == [(4, "sto LOST is stored, and the program never reads it")]


def test_what_is_read_under_a_name_worked_out_in_play_may_be_anything() -> None:
    store = "(do ((set (game str NAMED) READ)\n(inc (game sto READ))))"
    ask = "((== (game sto (game str NAMED)) 1) (shuffle (game iloc STOCK)))"
    assert said(program(store, ask, MOVE_ON), Level.NOTE) == []


def test_warnings_of_the_reader_are_told() -> None:
    played = read(f"{SOUND})\n")
    assert said(played, Level.WARNING) == [
        (warning.line, warning.message) for warning in played.warnings
    ]
    assert played.warnings


@pytest.mark.parametrize("name", ["rollouts", "failed", "decisions", "scores", "findings"])
def test_json_has_everything(name: str) -> None:
    assert name in rolled_out(read(SOUND)).as_json()

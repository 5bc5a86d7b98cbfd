"""A hand that cannot go on, and what each player scores when it is stopped."""

import pytest

from tests.recycle.small import Given, play_out, program, started
from upcard.recycle import Position, ProgramError

DECIDE = "(choice ((do ((inc ((current player) sto SCORE) 7)))))"
BREAK = "(do ((move (top (game iloc NOTHING)) (top (game vloc STOCK)))))"
SCORE = "max ((current player) sto SCORE)"


def broken(*parts: str, scoring: str = SCORE, **options: object) -> Position:
    """Return a hand of which the first move leads to what cannot be done."""
    position = started(DECIDE, *parts, scoring=scoring, **options)  # type: ignore[arg-type]
    with pytest.raises(ProgramError):
        position.play(0)
    return position


def test_each_player_has_what_is_scored_when_the_hand_is_stopped() -> None:
    position = broken(BREAK, "(do ((inc ((current player) sto SCORE) 100)))")
    position.stop()
    assert position.scores == (7, 0)


def test_a_hand_that_is_stopped_is_over() -> None:
    position = broken(f"(stage player (end (== 1 2)) {BREAK})")
    position.stop()
    assert (position.actor, position.options, position.choice) == (None, (), -1)


def test_a_hand_may_be_stopped_at_a_decision() -> None:
    position = started(DECIDE, DECIDE, scoring=SCORE)
    position.play(0)
    position.stop()
    assert position.scores == (7, 0)


def test_nobody_scores_where_that_cannot_be_worked_out() -> None:
    position = broken(BREAK, scoring="max (+ 1 (pid (owner (top (game iloc NOTHING)))))")
    position.stop()
    assert position.scores == (0, 0)


def test_nobody_scores_where_partners_would_score_differently() -> None:
    teams = "(create teams (1, 3) (2, 4))"
    position = started(DECIDE, players=4, teams=teams, scoring=SCORE)
    with pytest.raises(ProgramError, match=r"^line 3, column .+partners scored differently; score"):
        position.play(0)
    position.stop()
    assert position.scores == (0, 0, 0, 0)


def test_scoring_has_work_of_its_own() -> None:
    endless = "(do ((all (range 1 .. 990000) 'N (inc (game sto A))) (repeat 90000 (turn pass))))"
    position = broken(endless, scoring="max (sum (game vloc STOCK) using (game points PM))")
    position.stop()
    assert position.scores == (0, 0)


@pytest.mark.parametrize("score", ["21474837", "(- 0 21474837)"])
def test_a_score_is_within_what_a_hundred_hands_can_add_up(score: str) -> None:
    with pytest.raises(ProgramError, match="a score is more than 21474836, or less than -21474836"):
        started("(do ((turn pass)))", scoring=f"max {score}")


@pytest.mark.parametrize(
    "action",
    [
        "(move (top (game vloc STOCK)) ((game sto BIG) (game iloc FEW)))",
        "(move (bottom (game vloc STOCK)) ((game sto BIG) (game vloc STOCK)))",
        "(remember (top (game vloc STOCK)) ((game sto BIG) (game mem FEW)))",
        "(forget (top (game mem NOTHING)))",
        "(swap (top (game vloc STOCK)) (top (game iloc FEW)))",
        "(inc (game sto BIG) 2147483647)",
        "(dec (game sto SMALL) 2147483647)",
        "(set (game sto BIG) (* (game sto BIG) 2147483647))",
        "(update (game points PM) (((RANK : A) 2147483647) ((SUIT : H) 2147483647)))",
    ],
)
@pytest.mark.parametrize("form", ["(do ({}))", "(choice ({}))"])
def test_an_action_that_cannot_be_done_changes_nothing(action: str, form: str) -> None:
    stored = "(do ((set (game sto BIG) 9) (set (game sto SMALL) (- 0 9))))"
    game = program(stored, DECIDE, form.format(action), scoring=SCORE)
    position, before = game.start(Given()), game.start(Given())
    with pytest.raises(ProgramError):
        play_out(position)
    position.stop()
    assert (position.places(), position.maps) == (before.places(), before.maps)
    assert position.numbers == {**before.numbers, (1, "SCORE"): 7}

"""The end of a hand, and what each player scores."""

from tests.recycle.small import program, started

SCORE = "(do ((all player 'P (set ('P sto S) (- (pid 'P) 2)))))"


def test_each_player_is_scored_as_the_current_one() -> None:
    position = started(SCORE, scoring="max ((current player) sto S)", players=3)
    assert position.scores == (-1, 0, 1)


def test_several_may_score_the_same() -> None:
    assert started(SCORE, scoring="max 7", players=3).scores == (7, 7, 7)


def test_a_team_s_score_is_that_of_all_its_members() -> None:
    position = started(
        "(do ((set ((2 team) sto S) 5)))",
        scoring="max ((team (current player)) sto S)",
        players=4,
        teams="(create teams (1, 3) (2, 4))",
    )
    assert position.scores == (0, 5, 0, 5)


def test_the_lowest_may_win() -> None:
    assert program(SCORE, scoring="min 0").lowest_wins
    assert not program(SCORE, scoring="max 0").lowest_wins


def test_nothing_that_was_queued_is_left_while_scoring() -> None:
    position = started("(do ((cycle next current)))", scoring="max (pid (next player))", players=3)
    assert position.scores == (2, 3, 1)


def test_scoring_leaves_the_cycles_as_they_were() -> None:
    position = started("(do ((cycle current next)))", players=3)
    assert position.flow == (1, 1, 1, -1, 0, -1)


def test_a_hand_that_is_over_has_no_actor_and_no_options() -> None:
    position = started(SCORE)
    assert (position.actor, position.options, position.choice) == (None, (), -1)


def test_there_are_no_scores_before_the_end() -> None:
    assert started("(choice ((turn pass)))").scores is None

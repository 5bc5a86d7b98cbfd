"""A program as a game: what it takes from the program, what it adds, and how it fails."""

import ast
import re
from pathlib import Path

import pytest

from referee.engine import recycle
from referee.engine.cards import Action, Card
from referee.engine.game import HandResult, State
from referee.engine.record import SeededDeal, play_match
from referee.engine.recycle import Recycle, RecycleView, opened
from referee.errors import ConfigError, GameError, IllegalAction
from upcard.recycle import bounds

SEED = "00" * 32
NUMBERED = """
(game
  (setup (create players {players}) {teams}
    (create deck (game iloc STOCK) (deck (RANK (A, B, C, D, E, F, G, H)))))
  (do ((shuffle (game iloc STOCK))))
  (stage player (end (== ((current player) sto DONE) 1))
    (choice (
      (do ((set ((current player) sto DONE) 1) (inc ((current player) sto SCORE) 3)))
      {other})))
  (scoring {best} {score}))
"""


def program(
    players: int = 3,
    teams: str = "",
    best: str = "max",
    score: str = "((current player) sto SCORE)",
    other: str = "(turn pass)",
) -> str:
    return NUMBERED.format(players=players, teams=teams, best=best, score=score, other=other)


def described(text: str, hands: int = 1, name: str = "numbered") -> Recycle:
    return Recycle.with_rules({"name": name, "program": text, "hands": hands})


def start(game: Recycle, dealer: int | None = None) -> State:
    return game.start((Card(SEED),), len(game.seats) - 1 if dealer is None else dealer)


def over(game: Recycle, dealer: int | None = None) -> State:
    state = start(game, dealer)
    while state.actor is not None:
        state = state.play(state.legal[0])
    return state


def test_it_has_a_seat_for_each_player_and_a_side_for_each_too() -> None:
    game = described(program(5))
    assert (game.seats, game.sides) == (("1", "2", "3", "4", "5"), (0, 1, 2, 3, 4))
    assert game.side_names[4] == game.seat_names[4] == "Player 5"


def test_partners_are_of_one_side() -> None:
    game = described(program(4, "(create teams (1, 2) (3, 4))"))
    assert (game.sides, game.side_names) == ((0, 0, 1, 1), ("Team 1", "Team 2"))


@pytest.mark.parametrize(
    ("teams", "rotation"),
    [("", 1), ("(create teams (1, 3) (2, 4))", 1), ("(create teams (1, 2) (3, 4))", 2)],
)
def test_the_deal_moves_on_so_that_partners_stay_partners(teams: str, rotation: int) -> None:
    assert described(program(4, teams)).rotation == rotation


def test_the_first_player_sits_to_the_left_of_the_dealer() -> None:
    assert [start(described(program()), dealer).actor for dealer in range(3)] == [1, 2, 0]


def test_a_seat_sees_which_player_it_is_in_this_hand() -> None:
    view = start(described(program()), 0).view(1)
    assert isinstance(view, RecycleView)
    assert (view.seen.player, list(view.sides)) == (0, [1, 2, 0])


def test_a_match_is_over_after_its_hands() -> None:
    game = described(program(), hands=2)
    assert [game.is_over((0, 0, 0), hands) for hands in range(4)] == [False, False, True, True]
    assert game.longest_match == 2


def test_more_points_are_better() -> None:
    result = over(described(program())).result
    assert result is not None
    assert result.points == (3, 0, 0)


def test_points_are_turned_round_where_the_lowest_score_wins() -> None:
    result = over(described(program(best="min"))).result
    assert result is not None
    assert result.points == (-3, 0, 0)


def test_a_hundred_hands_of_the_highest_scores_add_up_to_a_number_of_the_protocol() -> None:
    result = over(described(program(score=str(bounds.SCORE)))).result
    assert result is not None
    assert 100 * max(map(abs, result.points)) < 2**31


def test_partners_who_score_as_a_team_have_its_score() -> None:
    score = "((team (current player)) sto SCORE)"
    result = over(described(program(4, "(create teams (1, 3) (2, 4))", score=score))).result
    assert result is not None
    assert result.points == (0, 0)


def test_a_program_that_breaks_as_it_is_dealt_ends_the_hand_with_line_and_reason() -> None:
    broken = described(
        program().replace(
            "(shuffle (game iloc STOCK))", "(move (top (game iloc X)) (top (game iloc STOCK)))"
        )
    )
    with pytest.raises(GameError, match=r"^line 5, column "):
        start(broken)


BREAKS = "(do ((move (top (game iloc NOTHING)) (top (game iloc STOCK)))))"


def broken() -> State:
    """Return a hand in which nothing can be done after the first move."""
    state = start(described(program().replace("(scoring", f"{BREAKS} (scoring")))
    return state.play(state.legal[0])


def test_a_hand_that_cannot_go_on_is_over_and_scored_as_it_stands() -> None:
    state = broken()
    assert (state.actor, state.legal) == (None, ())
    assert state.result == HandResult((3, 0, 0), (), ("stopped",))


def test_a_hand_that_cannot_go_on_says_why_with_line_and_column() -> None:
    stopped = opened(broken()).stopped
    assert stopped is not None
    assert re.match(r"line 10, column .+ there is no card", stopped)


def test_a_copy_of_a_hand_that_cannot_go_on_is_the_same() -> None:
    state = broken()
    assert state.copy().result == state.result
    assert opened(state.copy()) == opened(state)


def test_partners_who_score_differently_score_nothing() -> None:
    result = over(described(program(4, "(create teams (1, 3) (2, 4))"))).result
    assert result == HandResult((0, 0), (), ("stopped",))


ENDLESS = program(2, score="(- 0 ((current player) sto DONE))", other="(turn pass)")


def passed(game: Recycle) -> tuple[State, int]:
    """Return a hand in which both pass as often as they may, and how often that was."""
    state, count = start(game), 0
    while state.actor is not None:
        state = state.play(Action("pass"))
        count += 1
    return state, count


def test_a_hand_is_over_after_so_many_decisions_and_scored_as_it_stands() -> None:
    state, count = passed(described(ENDLESS))
    assert count == bounds.DECISIONS + 1
    assert state.result == HandResult((0, 0), (), ("stopped",))


def test_a_hand_is_over_when_its_moves_take_its_share_of_a_record() -> None:
    endless = program(7, score="(- 0 ((current player) sto DONE))", other="(turn pass)")
    state, count = passed(described(endless, hands=18))
    assert count < bounds.DECISIONS
    assert opened(state).stopped == "the moves of the hand take more than its share of a record"


def test_a_match_has_no_more_hands_than_there_is_room_for_in_a_record() -> None:
    assert described(program(7), hands=18).longest_match == 18
    with pytest.raises(ConfigError, match="has 14 rooms: a match has at most 18 hands, not 19"):
        described(program(7), hands=19)


def test_hands_that_cannot_go_on_are_counted_for_each_side() -> None:
    game = described(program().replace("(scoring", f"{BREAKS} (scoring"), hands=2)
    record = play_match(game, 2, SeededDeal(bytes(32), "duel"), lambda state: state.legal[0])
    assert [tally["stopped"] for tally in game.tally(record.hands[0])] == [1, 1, 1]


@pytest.mark.parametrize("text", ["", "(game", "no program", "(game (setup (create players 9)))"])
def test_what_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        described(text)


@pytest.mark.parametrize("deck", [(), ("00",), (SEED, SEED), ("AC", "JD")])
def test_a_hand_is_dealt_from_one_seed_only(deck: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError):
        described(program()).start(tuple(map(Card, deck)), 0)


def test_an_action_is_its_own_words() -> None:
    assert described(program()).say(Action("pass")) == "pass"


def test_it_is_called_by_its_name_or_what_it_is() -> None:
    assert described(program()).title == "numbered"
    assert described(program(), name="").title == "recycle"


def test_an_action_of_nobody_is_refused_by_the_name_of_the_seat() -> None:
    with pytest.raises(IllegalAction, match="Player 1 is to act"):
        start(described(program())).play(Action("resign"))


def test_of_the_sdk_only_the_core_is_imported() -> None:
    directory = Path(recycle.__file__).parent
    for file in directory.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("upcard"):
                assert (node.module or "").startswith("upcard.recycle")

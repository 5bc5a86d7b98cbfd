"""Stages and cycles: whose turn it is."""

from tests.recycle.small import play, program, started, texts
from upcard.recycle import Position

COUNT = "(inc (game sto PASSES) 1)"
NOTE = "(set ((current player) sto TURN) (game sto PASSES))"


def after(position: Position, *names: str) -> list[int]:
    """Return the numbers the table has under those names."""
    return [position.numbers.get((0, name), 0) for name in names]


def turns(position: Position) -> list[int]:
    """Return in which pass each player last had his turn."""
    players = range(1, position.program.players + 1)
    return [position.numbers.get((player, "TURN"), 0) for player in players]


def ends_at(passes: int) -> str:
    return f"(end (== (game sto PASSES) {passes}))"


def test_a_stage_goes_round_from_the_first_player() -> None:
    position = started(f"(stage player {ends_at(5)} (do ({COUNT} {NOTE})))", players=3)
    assert turns(position) == [4, 5, 3]


def test_a_stage_that_ends_at_once_is_not_run() -> None:
    position = started(f"(stage player (end (== 1 1)) (do ({COUNT})))")
    assert after(position, "PASSES") == [0]


def test_a_stage_that_ends_at_once_leaves_the_cycle_as_it_was() -> None:
    position = started(
        "(do ((cycle next (previous player))))",
        "(stage player (end (== 1 1)) (do ((turn pass))))",
        "(choice ((set (game sto A) (pid (next player)))))",
        players=3,
    )
    assert texts(position) == ["set the table's A 3"]


def test_the_end_is_tested_before_the_turn_goes_on() -> None:
    mover = "(end (== ((current player) sto MOVED) 1))"
    position = started(
        f"(stage player {mover} (do ((inc ((current player) sto MOVED) 1) {COUNT})))"
    )
    assert after(position, "PASSES") == [1]


def test_the_end_is_not_tested_between_the_parts_of_a_pass() -> None:
    position = started(
        f"(stage player (end (>= (game sto PASSES) 1)) (do ({COUNT})) (do ({COUNT})))"
    )
    assert after(position, "PASSES") == [2]


def test_all_parts_of_a_pass_are_of_one_player() -> None:
    note = "(set ((current player) sto SECOND) 1)"
    position = started(f"(stage player {ends_at(1)} (do ({COUNT} {NOTE})) (do ({note})))")
    assert position.numbers == {(0, "PASSES"): 1, (1, "SECOND"): 1, (1, "TURN"): 1}


def test_a_nested_stage_begins_with_the_outer_player_and_forgets_its_own_movement() -> None:
    inner = "(stage player (end (== (game sto INNER) 3)) (do ((inc (game sto INNER) 1))))"
    note = "(do ((set ((current player) sto AFTER) 1)))"
    position = started(f"(stage player {ends_at(1)} (do ({COUNT})) {inner} {note})", players=4)
    assert position.numbers[1, "AFTER"] == 1


def test_what_is_queued_in_the_inner_stage_is_lost() -> None:
    queue = "(do ((inc (game sto INNER) 1) (cycle next previous)))"
    inner = f"(stage player (end (== (game sto INNER) 1)) {queue})"
    position = started(f"(stage player {ends_at(2)} (do ({COUNT} {NOTE})) {inner})", players=4)
    assert turns(position) == [1, 2, 0, 0]


def test_what_is_queued_on_the_outer_cycle_is_used() -> None:
    position = started(
        f"(stage player {ends_at(2)} (do ({COUNT} {NOTE} (cycle next previous))))", players=4
    )
    assert turns(position) == [1, 0, 0, 2]


def test_what_is_queued_holds_for_one_turn() -> None:
    queue = "((== (game sto PASSES) 1) (cycle next current))"
    position = started(f"(stage player {ends_at(3)} (do ({COUNT} {NOTE} {queue})))", players=4)
    assert turns(position) == [2, 3, 0, 0]


def test_the_last_player_queued_is_next() -> None:
    queue = "(cycle next previous) (cycle next current)"
    position = started(f"(stage player {ends_at(2)} (do ({COUNT} {NOTE} {queue})))", players=4)
    assert turns(position) == [2, 0, 0, 0]


def test_the_next_player_is_the_queued_one() -> None:
    position = started("(do ((cycle next previous) (set ((next player) sto A) 1)))", players=4)
    assert position.numbers == {(4, "A"): 1}


def test_the_previous_player_is_the_neighbour_and_not_who_moved_before() -> None:
    position = started(
        "(do ((cycle current next) (cycle current next) (cycle current next)"
        " (set ((previous player) sto A) 1)))",
        players=4,
    )
    assert position.numbers == {(3, "A"): 1}


def test_cycle_current_changes_the_turn_within_a_pass() -> None:
    position = started(
        f"(stage player {ends_at(2)} (do ((cycle current next) {COUNT} {NOTE})))", players=4
    )
    assert turns(position) == [0, 1, 0, 2]


def test_a_player_may_be_queued_by_what_he_owns() -> None:
    position = started(
        "(do ((move (top (game vloc STOCK)) (top ((1 player) iloc HAND)))"
        " (cycle next (owner (top ((1 player) iloc HAND)))) (set ((next player) sto A) 1)))",
        players=3,
    )
    assert position.numbers == {(2, "A"): 1}


def test_players_and_teams_cycle_apart() -> None:
    position = started(
        "(stage team (end (>= (game sto PASSES) 2))"
        f" (do ({COUNT})) (stage team (end (== (game sto PASSES) 2)) (do ({COUNT}))))",
        "(stage team (end (== (game sto PASSES) 4))"
        f" (do ({COUNT} (inc ((current team) sto A) 1) (inc ((current player) sto B) 1))))",
        players=4,
        teams="(create teams (0, 2) (1, 3))",
    )
    assert position.numbers == {(-2, "A"): 1, (-1, "A"): 1, (0, "PASSES"): 4, (1, "B"): 2}


def test_a_choice_outside_of_any_stage_is_the_first_player_s() -> None:
    position = started("(choice ((turn pass)))", players=3)
    assert position.actor == 0


def test_the_parts_that_were_run_are_known() -> None:
    game = program(
        "(stage player (end (== 1 1)) (do ((turn pass))))",
        "(choice ((turn pass)))",
        "(do ((turn pass)))",
    )
    position = game.start(None)  # type: ignore[arg-type]  # nothing is drawn
    assert position.reached == {0, 2}
    assert play(position, "pass").reached == {0, 2, 3}

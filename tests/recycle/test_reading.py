"""What is refused when a program is read, and what gives a warning."""

import pickle

import pytest

from tests.recycle.small import page, program, refusal, started
from upcard.recycle import Entry, ProgramError, read


def block(*actions: str) -> str:
    return page(f"(do ({' '.join(actions)}))")


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("(put points 'V 1)", "there is no construct (put …)"),
        ("(shuffel (game vloc STOCK))", "there is no construct (shuffel …); did you mean shuffle?"),
        ("(shuffle faro (game vloc STOCK))", "(shuffle faro …) is not supported"),
        ("(create deck (game vloc A) (deck (R (A))))", "(create …) is supported in (setup …) only"),
        ("(choice ((turn pass)))", "(choice …) has to be a part of the game or of a stage"),
        ("(stage player (end (== 1 1)) (turn pass))", "(stage …) has to be a part of the game"),
        ("(move 'C (top (game vloc A)))", "'C is not bound here"),
        ("(all player 'P (inc ('Q sto A)))", "'Q is not bound here; what is bound is 'P"),
        ("(move (top player) (top (game vloc A)))", "expected cards or a collection of card"),
        ("(move (top (game vloc A)) (game vloc B))", "expected a card, found a place"),
        (
            "(move (top (game vloc A)) (top (union (game vloc B))))",
            "expected (top X), (bottom X) or (INT X), where X is a place, as the target",
        ),
        ("(move (top (game vloc A)) (top (game mem B)))", "where X is a place, as the target"),
        ("(move (top (game mem A)) (top (game vloc B)))", "takes no card out of a memory place"),
        ("(forget (top (game vloc A)))", "takes a card of a memory place"),
        ("(set (game sto A) HIGH)", "expected an integer, found a string: HIGH"),
        ("(set (game str A) 1)", "expected a string, found an integer: 1"),
        ("(set (game vloc A) 1)", "expected (set (OWNER sto NAME) VALUE)"),
        ("(inc (game str A) X)", "expected (inc (OWNER sto NAME) VALUE)"),
        ("(set (game points A) (RANK (A)))", "expected a list of awards"),
        ("(set (game points A) ((RANK A)))", "expected (KEY : VALUE) in an award, found RANK"),
        ("(set (game points A) (((RANK : A))))", "expected an award"),
        ("(update (game sto A) 1)", "expected (update (OWNER points NAME) (AWARD …))"),
        ("(turn over)", "expected (turn pass), found (turn over)"),
        ("(size (game vloc A))", "expected an action, found an integer"),
        ("(all player 'P (owner (top (game vloc A))))", "expected a condition or an action, cards"),
        ("(any player 'P ('P vloc A))", "expected a condition or an action in (any …)"),
        ("((== 1 A) (turn pass))", "(== …) compares an integer with a string"),
        (
            "(all player 'P ((== 'P (current team)) (turn pass)))",
            "(== …) compares a player with a team",
        ),
        ("((== (game vloc A) (game vloc A)) (turn pass))", "does not compare a place"),
        ("((and (== 1 1)) (turn pass))", "expected (and …) of at least two"),
        ("((team (current player)) (turn pass))", "expected (OWNER sto NAME)"),
        ("(set ((current team) vloc A) 1)", "teams own no cards"),
        ("(HEARTS (turn pass))", "expected ',' between the strings of a list"),
        ("(set (game sto A 1) 1)", "expected (OWNER sto NAME), found (game sto A 1)"),
        ("(repeat all (turn pass))", "as (move (top X) …)"),
        ("(do (turn pass))", "expected a list of actions in parentheses of their own"),
        ("(set (game sto A) (// 1 0))", "(// …): division by zero"),
        ("(set (game sto A) (* 65536 65536))", "(* …): the result is beyond 32 bits"),
        ("()", "expected an action, found ()"),
        ("(cycle last (current player))", "expected (cycle next PLAYER) or (cycle current PLAYER)"),
        ("(swap (top (game vloc A)) (game vloc B))", "expected a card, found a place"),
        ("(all (indexed game mem A) 'M (turn pass))", "expected vloc, iloc, hloc or oloc"),
        ("(inc (game sto A) (size 3))", "expected a collection, found an integer"),
    ],
)
def test_a_construct_that_cannot_be_run_is_refused_by_name(action: str, why: str) -> None:
    assert why in refusal(block(action))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(game)", "expected (setup …)"),
        ("(game (setup))", "expected (create players INT)"),
        ("(game (setup (create players 2)))", "expected (create deck …)"),
        (page(), "expected an action block or a stage"),
        (page("(do ())").replace("(scoring max 0)", ""), "expected (scoring max|min INT)"),
        (page("(do ())", scoring="most 0"), "expected (scoring max|min INT)"),
        (page("(do ())", scoring="max 0) (do ()"), "expected the end of the game"),
        (page("(stage player (do ()))"), "expected (stage player|team (end BOOL) PART…)"),
        (page("(stage deck (end (== 1 1)) (do ()))"), "expected (stage player|team"),
        (page("(stage player (ends (== 1 1)) (do ()))"), "expected (end BOOL)"),
        (page("(choice ())"), "(choice …) has nothing to choose from"),
        (page("(turn pass)", declared="(declare (game sto A) 'X)"), "is not known before"),
        (page("(turn pass)", declared="(declare player 'X)"), "expected an integer or a string"),
        (page("(turn pass)", declared="(declare (+ 1 (random 2)) 'X)"), "is not known before"),
        (page("(turn pass)", declared="(declare 1 X)"), "expected a variable, as 'C"),
        (
            page("(let (random 3) 'N (choice ((inc (game sto A) 'N))))"),
            "(let …) around a choice must not be random",
        ),
    ],
)
def test_a_program_has_its_parts_in_their_order(text: str, why: str) -> None:
    assert why in refusal(text)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("(do ())", "this block is empty"),
        ("(any player 'P (inc ('P sto A)))", "outside a choice (any …) acts on every item"),
        (
            "(all player 'P (all player 'P (inc ('P sto A))))",
            "this 'P hides another 'P",
        ),
        ("(shuffle (union (game vloc A)))", "shuffling anything but a place has no effect"),
    ],
)
def test_what_is_hardly_meant_gives_a_warning(part: str, message: str) -> None:
    (warning,) = program(part).warnings
    assert message in warning.message
    assert warning.line == 2


def test_a_variable_is_known_in_its_own_construct_only() -> None:
    assert "'P is not bound here" in refusal(
        block("(all player 'P (inc ('P sto A)))", "(inc ('P sto A))")
    )


def test_an_inner_variable_hides_an_outer_one_for_a_while() -> None:
    hiding = "(all player 'P (do ((all (A, B) 'P (set (game str 'P) 'P)) (inc ('P sto N)))))"
    assert started(hiding).numbers == {(1, "N"): 1, (2, "N"): 1}


def test_every_choice_and_every_part_is_listed_where_it_stands() -> None:
    game = program("(stage player (end (== 1 1))\n (choice (\n  (turn pass) (turn pass))))")
    assert [part.construct for part in game.parts] == ["stage", "choice"]
    (choice,) = game.choices
    assert (choice.line, choice.column) == (3, 2)
    assert choice.entries == (Entry(4, 3), Entry(4, 15))


def test_declared_values_are_known_everywhere() -> None:
    game = program(
        "(do ((all 'SUITS 'S (set (game str 'S) 'S)) ('LONG (turn pass))))",
        declared="(declare 3 'N) (declare (H, S) 'SUITS) (declare (> 'N 2) 'LONG)",
        players="'N",
    )
    assert game.players == 3


def test_an_error_can_be_sent_to_another_process() -> None:
    error = ProgramError("no", 3, 4)
    copied = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert (str(copied), copied.line, copied.column) == ("line 3, column 4: no", 3, 4)


def test_a_program_can_be_sent_to_another_process() -> None:
    game = read(page("(do ((turn pass)))"), 1)
    copied = pickle.loads(pickle.dumps(game))  # noqa: S301 (our own)
    assert (copied.text, copied.numbering) == (game.text, 1)

"""Choices: which options there are, what they are called, and that listing them changes nothing."""

import pytest

from tests.recycle.small import (
    Given,
    names,
    play,
    program,
    started,
    texts,
)
from upcard.recycle import Place, Position, ProgramError, Step

DEAL = "(do ((repeat 3 (move (top (game vloc STOCK)) (top ((current player) iloc HAND))))))"
HAND = Place(1, "iloc", "HAND")
OWN = "((current player) iloc HAND)"
TABLE = "(top (game vloc TABLE))"


def choice(*entries: str, before: str = DEAL, **options: object) -> Position:
    """Return a position at a choice; the first player has Q-S, Q-H and K-S."""
    return started(before, f"(choice ({' '.join(entries)}))", **options)  # type: ignore[arg-type]


def test_options_come_in_the_order_of_the_entries_and_of_the_items() -> None:
    position = choice("(turn pass)", f"(any {OWN} 'C (move 'C {TABLE}))", "(set (game sto A) 1)")
    assert texts(position) == [
        "pass",
        "move Q-S HAND > the table's TABLE",
        "move Q-H HAND > the table's TABLE",
        "move K-S HAND > the table's TABLE",
        "set the table's A 1",
    ]
    assert position.entries == (0, 1, 1, 1, 2)


def test_a_false_condition_gives_no_option() -> None:
    assert texts(choice("((== 1 2) (turn pass))", "((== 1 1) (turn pass))")) == ["pass"]


def test_an_option_that_does_nothing_is_none() -> None:
    position = choice(
        "(do (((== 1 2) (turn pass))))",
        "(all (game vloc B) 'C (move 'C (top (game vloc A))))",
        "(turn pass)",
    )
    assert texts(position) == ["pass"]


def test_what_a_condition_leaves_out_leaves_the_rest() -> None:
    position = choice("(do (((== 1 2) (turn pass)) (inc (game sto A) 1)))")
    assert texts(position) == ["inc the table's A 1"]


def test_two_choices_in_a_sequence_multiply_with_the_effects_of_the_first() -> None:
    take = f"(any {OWN} '{{0}} (move '{{0}} {TABLE}))"
    position = choice(f"(do ({take.format('C')} {take.format('D')}))")
    assert len(position.options) == 3 * 2
    assert texts(position)[0] == (
        "move Q-S HAND > the table's TABLE; move Q-H HAND > the table's TABLE"
    )


def test_choices_inside_each_other_multiply() -> None:
    ranks = "(any (A, B) 'N (set (game str 'N) 'S))"
    position = choice(f"(any (X, Y) 'S {ranks})")
    assert texts(position) == [
        "set the table's A X",
        "set the table's B X",
        "set the table's A Y",
        "set the table's B Y",
    ]


def test_any_of_nothing_in_a_sequence_leaves_the_rest() -> None:
    position = choice(
        "(do ((any (game vloc B) 'C (move 'C (top (game vloc A)))) (inc (game sto A) 1)))"
    )
    assert texts(position) == ["inc the table's A 1"]


def test_any_of_nothing_alone_gives_no_option() -> None:
    position = choice("(any (game vloc B) 'C (move 'C (top (game vloc A))))", "(turn pass)")
    assert texts(position) == ["pass"]


def test_a_condition_after_a_move_in_the_same_option_sees_the_move() -> None:
    position = choice(
        f"(any {OWN} 'C (do ((move 'C {TABLE})"
        " ((== (cardatt RANK (top (game vloc TABLE))) K) (inc (game sto KINGS) 1)))))"
    )
    assert [";" in text for text in texts(position)] == [False, False, True]


def test_all_in_a_choice_takes_every_item_in_order() -> None:
    position = choice(f"(all {OWN} 'C (move 'C {TABLE}))")
    (option,) = position.options
    assert [step.face for step in option.steps] == [5, 4, 3]


def test_equal_options_are_kept_and_numbered() -> None:
    two = "(repeat 2 (create deck (game vloc STOCK) (deck (RANK (A)))))"
    position = choice(
        "(turn pass)",
        "(any (game vloc STOCK) 'C (move 'C (top (game vloc B))))",
        "(turn pass)",
        before="(turn pass)",
        deck=two,
    )
    move = "move A the table's STOCK > the table's B"
    assert texts(position) == ["pass", move, f"{move} #2", "pass #2"]


LISTED = "(any 'HAND 'C (move 'C (top (game vloc TABLE))))"
TRIED = "(do ((shuffle (game vloc TABLE)) (move (top 'HAND) (top (game vloc TABLE)))))"


@pytest.mark.parametrize(("entry", "options"), [(LISTED, 3), (TRIED, 1)])
@pytest.mark.parametrize("count", [1, 120])
def test_a_choice_may_have_many_entries_inside_a_let(entry: str, options: int, count: int) -> None:
    position = started(DEAL, f"(let {OWN} 'HAND (choice ({entry * count} (turn pass))))")
    assert len(position.options) == count * options + 1
    assert position.entries[-1] == count
    position.play(0)
    assert names(position, HAND) == ["Q-S", "Q-H", "K-S"][1 if options > 1 else 0 :][:2]


def test_one_option_is_a_decision() -> None:
    position = choice("(turn pass)")
    assert (position.actor, len(position.options)) == (0, 1)


def test_no_option_is_an_error_that_names_the_choice_and_the_player() -> None:
    game = program("(turn pass)", "(choice (((== 1 2) (turn pass))))")
    wanted = (
        r"line 3, column 3: \(choice \(\(\(== 1 2\) \(turn pass\)\)\)\): player 1 has no option"
    )
    with pytest.raises(ProgramError, match=wanted):
        game.start(Given())


def test_listing_options_changes_nothing() -> None:
    position = choice(
        f"(do ((any {OWN} 'C (move 'C {TABLE})) (shuffle (game vloc STOCK)) (cycle next current)))",
        "(set (game sto A) (random 5))",
        f"(move (max {OWN} using (game points NONE)) {TABLE})",
    )
    before = position.copy()
    first = position.options
    again = position.copy()
    again.stand(again.flow)
    assert again.options == first
    assert (again.places(), again.numbers, again.flow) == (
        before.places(),
        before.numbers,
        before.flow,
    )
    assert (position.shuffles, position.draws, position.ties) == (0, 0, 0)


def test_an_option_does_what_it_says() -> None:
    position = choice(f"(any {OWN} 'C (move 'C (bottom (game vloc STOCK))))")
    play(position, "move Q-H HAND > the table's STOCK at the bottom")
    assert names(position, Place(0, "vloc", "STOCK")) == ["Q-H", "A-H", "A-S", "K-H"]


def test_a_card_may_be_put_in_at_an_index() -> None:
    position = choice(f"(move (top {OWN}) (1 (game vloc STOCK)))")
    assert texts(position) == ["move K-S HAND > the table's STOCK at 1"]
    position.play(0)
    assert names(position, Place(0, "vloc", "STOCK")) == ["A-H", "K-S", "A-S", "K-H"]


def test_owners_are_named_unless_they_are_the_actor() -> None:
    position = choice(
        "(do ((set ((current player) str A) X) (set ((next player) str A) X)"
        " (set ((current team) str A) X) (set (game str A) X)))"
    )
    assert texts(position) == ["set A X; set player 2's A X; set team 1's A X; set the table's A X"]


def test_places_of_one_name_are_told_apart_by_their_kinds() -> None:
    position = choice(
        "(move (top (game vloc STOCK)) (top ((current player) vloc HAND)))",
        "(move (top (game vloc STOCK)) (top ((current player) iloc HAND)))",
    )
    assert texts(position) == [
        "move K-H the table's STOCK > vloc HAND",
        "move K-H the table's STOCK > iloc HAND",
    ]


def test_places_of_an_index_show_it() -> None:
    position = choice(
        "(any (range 0 .. 1) 'N (move (top (game vloc STOCK)) (top (game vloc T 'N))))"
    )
    assert texts(position) == [
        "move K-H the table's STOCK > the table's T",
        "move K-H the table's STOCK > the table's T[1]",
    ]


@pytest.mark.parametrize(
    ("action", "text", "step"),
    [
        ("(inc (game sto A) 2)", "inc the table's A 2", Step("inc", owner=0, name="A", value=2)),
        ("(dec (game sto A) 2)", "dec the table's A 2", Step("dec", owner=0, name="A", value=2)),
        (
            "(set (game str A) (game str B))",
            "set the table's A nothing",
            Step("set", owner=0, name="A", value=""),
        ),
        ("(cycle next previous)", "next player 2", Step("next", owner=2)),
        ("(cycle current next)", "current player 2", Step("current", owner=2)),
        (
            "(shuffle (game vloc STOCK))",
            "shuffle the table's STOCK",
            Step("shuffle", source=Place(0, "vloc", "STOCK")),
        ),
        (
            "(swap (game vloc STOCK) ((current player) iloc HAND))",
            "exchange the table's STOCK with HAND",
            Step("exchange", source=Place(0, "vloc", "STOCK"), target=HAND),
        ),
        (
            "(swap (top (game vloc STOCK)) (top ((current player) iloc HAND)))",
            "swap K-H the table's STOCK with K-S HAND",
            Step("swap", 2, Place(0, "vloc", "STOCK"), HAND, value=3),
        ),
        (
            "(remember (top (game vloc STOCK)) (game mem SEEN))",
            "remember K-H the table's STOCK > the table's SEEN",
            Step("remember", 2, Place(0, "vloc", "STOCK"), Place(0, "mem", "SEEN")),
        ),
    ],
)
def test_every_action_has_a_step_and_a_text(action: str, text: str, step: Step) -> None:
    position = choice(action)
    assert texts(position) == [text]
    assert position.options[0].steps == (step,)

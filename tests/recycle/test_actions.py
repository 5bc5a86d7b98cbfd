"""Actions outside of choices: what each changes, and when it cannot be done."""

import pytest

from tests.recycle.small import (
    POINTS,
    STOCK,
    cards,
    done,
    failure,
    holds,
    names,
    number,
    page,
    refusal,
    started,
    text,
)
from upcard.recycle import Place

TOP = "(top (game vloc STOCK))"
STOCK_PLACE = Place(0, "vloc", "STOCK")
TABLE = Place(0, "vloc", "TABLE")


def at(name: str, *actions: str, index: int = 0) -> list[str]:
    """Return the cards of a place of the table after actions."""
    return names(done(*actions), Place(0, "vloc", name, index))


def test_a_card_moves_from_the_top_to_the_top() -> None:
    move = f"(move {TOP} (top (game vloc TABLE)))"
    assert at("TABLE", move, move) == ["Q-S", "Q-H"]
    assert at("STOCK", move, move) == STOCK[:4]


def test_a_card_may_be_put_at_the_bottom() -> None:
    assert at("STOCK", f"(move {TOP} (bottom (game vloc STOCK)))") == ["Q-S", *STOCK[:5]]


def test_a_card_may_be_put_before_the_card_of_an_index() -> None:
    assert at("STOCK", f"(move {TOP} (1 (game vloc STOCK)))") == ["A-H", "Q-S", *STOCK[1:5]]


def test_a_card_may_be_taken_from_the_bottom_or_an_index() -> None:
    assert at("TABLE", "(move (bottom (game vloc STOCK)) (top (game vloc TABLE)))") == ["A-H"]
    assert at("TABLE", "(move (1 (game vloc STOCK)) (top (game vloc TABLE)))") == ["A-S"]


def test_a_card_taken_from_what_was_worked_out_is_the_real_one() -> None:
    kings = "(filter (game vloc STOCK) 'C (== (cardatt RANK 'C) K))"
    assert at("STOCK", f"(move (top {kings}) (top (game vloc TABLE)))") == [
        card for card in STOCK if card != "K-S"
    ]


def test_a_card_moved_out_of_a_bound_collection_is_gone_from_it() -> None:
    kings = "(filter (game vloc STOCK) 'C (== (cardatt RANK 'C) K))"
    move = "(repeat all (move (top 'K) (top (game vloc TABLE))))"
    assert at("TABLE", f"(let {kings} 'K {move})") == ["K-S", "K-H"]


def test_a_bound_place_is_the_place_and_not_its_cards_of_now() -> None:
    move = f"(move {TOP} (top (game vloc TABLE)))"
    let = f"(let (game vloc TABLE) 'T (do ({move} (set (game sto A) (size 'T)))))"
    assert done(let).numbers == {(0, "A"): 1}


def test_a_bound_collection_is_that_of_now() -> None:
    move = f"(move {TOP} (top (game vloc TABLE)))"
    let = f"(let (union (game vloc TABLE)) 'T (do ({move} (set (game sto A) (size 'T)))))"
    assert done(let, "(inc (game sto B) 1)").numbers == {(0, "B"): 1}


def test_a_bound_card_is_that_card_wherever_it_lies() -> None:
    move = f"(move {TOP} (top (game vloc TABLE)))"
    let = f"(let {TOP} 'C (do ({move} {move} (move 'C (top (game vloc HERE))))))"
    assert at("HERE", let) == ["Q-S"]


@pytest.mark.parametrize("count", [3, 250])
def test_a_block_may_be_long(count: int) -> None:
    block = "(inc ('P sto A) 1) ((== (size 'H) 0) (inc ('P sto B) 1))" * count
    let = f"(all player 'P (let ('P iloc HAND) 'H (do ({block}))))"
    assert done(let).numbers == {(owner, name): count for owner in (1, 2) for name in ("A", "B")}


def test_repeat_all_counts_the_cards_once() -> None:
    assert at("STOCK", f"(repeat all (move {TOP} (bottom (game vloc STOCK))))") == STOCK


def test_repeat_all_from_an_empty_place_does_nothing() -> None:
    assert at("TABLE", "(repeat all (move (top (game vloc A)) (top (game vloc TABLE))))") == []


def test_repeat_does_one_thing_after_the_other() -> None:
    assert number("(game sto A)", "(repeat 3 (inc (game sto A) (+ (game sto A) 1)))") == 7


@pytest.mark.parametrize("times", ["0", "(- 0 2)"])
def test_repeating_no_times_does_nothing(times: str) -> None:
    assert number("(game sto A)", f"(repeat {times} (inc (game sto A) 1))") == 0


def test_all_goes_through_the_items_there_were() -> None:
    each = "(all (game vloc STOCK) 'C (move 'C (top (game vloc TABLE))))"
    assert at("TABLE", each) == STOCK


def test_any_outside_of_a_choice_acts_on_every_item() -> None:
    assert at("TABLE", "(any (game vloc STOCK) 'C (move 'C (top (game vloc TABLE))))") == STOCK


def test_shuffling_brings_the_cards_into_order_first() -> None:
    mix = f"(move {TOP} (bottom (game vloc STOCK)))"
    assert at("STOCK", mix, "(shuffle (game vloc STOCK))") == STOCK


def test_shuffling_a_collection_does_nothing() -> None:
    mix = f"(move {TOP} (bottom (game vloc STOCK)))"
    assert at("STOCK", mix, "(shuffle (union (game vloc STOCK)))") == ["Q-S", *STOCK[:5]]


def test_every_shuffle_is_counted_even_of_nothing() -> None:
    assert done("(shuffle (game vloc A))", "(shuffle (game vloc STOCK))").shuffles == 2


def test_amounts_may_be_left_out() -> None:
    assert number("(game sto A)", "(set (game sto A) 5)", "(inc (game sto A))") == 6
    assert number("(game sto A)", "(set (game sto A) 5)", "(dec (game sto A))") == 4


def test_swapping_cards_keeps_their_places() -> None:
    swap = f"(swap {TOP} (bottom (game vloc STOCK)))"
    assert at("STOCK", swap) == ["Q-S", "A-S", "K-H", "K-S", "Q-H", "A-H"]


def test_swapping_places_exchanges_all_their_cards() -> None:
    position = done(
        f"(move {TOP} (top (game vloc TABLE)))", "(swap (game vloc STOCK) (game vloc TABLE))"
    )
    assert (names(position, STOCK_PLACE), names(position, TABLE)) == (["Q-S"], STOCK[:5])


def test_memory_refers_to_cards_and_does_not_hold_them() -> None:
    memory = (f"(remember {TOP} (game mem SEEN))", f"(move {TOP} (top (game vloc TABLE)))")
    position = done(*memory)
    assert names(position, Place(0, "mem", "SEEN")) == ["Q-S"]
    assert names(position, TABLE) == ["Q-S"]
    assert text("(cardatt RANK (top (game mem SEEN)))", *memory) == "Q"
    assert holds("(== (top (game mem SEEN)) (top (game vloc TABLE)))", *memory)


def test_what_was_remembered_can_be_forgotten() -> None:
    twice = (f"(remember {TOP} (game mem A))", f"(remember {TOP} (game mem A))")
    assert number("(size (game mem A))", *twice, "(forget (top (game mem A)))") == 1
    assert number("(size (game mem A))", *twice, "(all (game mem A) 'C (forget 'C))") == 0
    assert number("(size (game mem A))", *twice, "(repeat all (forget (top (game mem A))))") == 0


def test_kinds_of_places_are_apart() -> None:
    move = f"(move {TOP} (top (game iloc STOCK)))"
    assert number("(size (game iloc STOCK))", move) == 1
    assert number("(size (game vloc STOCK))", move) == 5


def test_places_of_one_name_are_apart_by_index_and_none_is_index_0() -> None:
    moves = (f"(move {TOP} (top (game vloc T)))", f"(move {TOP} (top (game vloc T 1)))")
    assert at("T", *moves) == ["Q-S"]
    assert at("T", *moves, index=1) == ["Q-H"]
    assert cards("(game vloc T 0)", *moves) == ["Q-S"]


def test_names_may_be_worked_out() -> None:
    suit = "(cardatt SUIT (top (game vloc STOCK)))"
    position = done(f"(move {TOP} (top (game vloc {suit})))", f"(set (game str {suit}) X)")
    assert names(position, Place(0, "vloc", "S")) == ["Q-S"]
    assert position.texts == {(0, "H"): "X"}


def test_a_name_that_was_worked_out_is_the_one_in_the_text() -> None:
    word = "(set (game str NAME) STOCK)"
    assert number("(size (game vloc (game str NAME)))", word) == 6
    assert number("(game sto (game str NAME))", word, "(set (game sto STOCK) 3)") == 3


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (
            "(move (top (game vloc A)) (top (game vloc B)))",
            "line 2, column 8: (move (top (game vloc A)) (top (game vloc B))): there is no card in",
        ),
        (
            "(move (bottom (game vloc A)) (top (game vloc B)))",
            "(bottom (game vloc A)): there is no",
        ),
        ("(repeat 7 (move (top (game vloc STOCK)) (top (game vloc A))))", "no card in the table's"),
        ("(move (9 (game vloc STOCK)) (top (game vloc B)))", "there is no item 9, of 6 from 0"),
        ("(move (top (game vloc STOCK)) (2 (game vloc B)))", "cannot be put at index 2 of"),
        ("(move (top (game vloc STOCK)) ((- 0 1) (game vloc B)))", "there is no index -1"),
        ("(set (game sto A) (score (top (game vloc A)) using (game points P)))", "(top (game vloc"),
        ("(cycle next (owner (top (game vloc STOCK))))", "the card is the table's"),
        ("(cycle next (owner (top (game vloc A))))", "there is no card"),
        (
            "(move (max (game vloc A) using (game points P)) (top (game vloc B)))",
            "there is no card",
        ),
        (
            "(move (min (game vloc A) using (game points P)) (top (game vloc B)))",
            "there is no card",
        ),
        ("(set (game sto A) (scoremax (game vloc A) using (game points P)))", "there is no card"),
        ("(set (game sto A) (// 1 (game sto B)))", "(// 1 (game sto B)): division by zero"),
        ("(set (game sto A) (% 1 (game sto B)))", "division by zero"),
        ("(set (game sto A) (^ 2 (- (game sto B) 1)))", "the exponent -1 is negative"),
        ("(set (game sto A) (random 3 .. (game sto B)))", "there is no number between 3 and 0"),
        ("(set (game sto A) (size (top 7 (game vloc STOCK))))", "there are no 7 cards among 6"),
        ("(set (game sto A) (size (0 (partition SUIT (game vloc A)))))", "there is no item 0"),
        ("(set (game sto A) (size (bottom (subsets (filter (game vloc A) 'C (== 1 1))))))", ""),
        ("(all (game vloc STOCK) 'C (forget 'C))", "the card is in no memory place"),
        ("(set (((size player) player) sto A) 1)", "there is no 2; they are 0 to 1"),
        ("(let (top (game vloc A)) 'C (move 'C (top (game vloc B))))", "'C: there is no card"),
    ],
)
def test_what_cannot_be_done_is_an_error_at_its_place(action: str, why: str) -> None:
    if why:
        assert why in failure(action)
    else:
        done(action)


def test_an_action_must_be_an_action() -> None:
    assert "expected an action" in refusal(page("player"))


def test_numbers_are_within_32_bits() -> None:
    most = "(set (game sto A) 2147483647)"
    assert "the result is beyond 32 bits" in failure(most, "(inc (game sto A) 1)")
    assert number("(+ (game sto A) 0)", most) == 2147483647
    least = "(set (game sto A) (- (- 0 2147483647) 1))"
    assert "the result is beyond 32 bits" in failure(least, "(dec (game sto A) 1)")


def test_max_takes_the_one_highest_card() -> None:
    move = "(move (max (game vloc STOCK) using (game points PM)) (top (game vloc TABLE)))"
    points = "(set (game points PM) (((RANK : K) 2) ((SUIT : S) 1)))"
    assert at("TABLE", points, move) == ["K-S"]


def test_a_tie_is_drawn_uniformly_and_counted() -> None:
    move = "(do ((move (max (game vloc STOCK) using (game points PM)) (top (game vloc TABLE)))))"
    for drawn, card in enumerate(["A-H", "A-S"]):
        position = started(f"(do ({POINTS}))", move, draws=[drawn])
        assert (names(position, TABLE), position.ties, position.draws) == ([card], 1, 1)


def test_one_card_twice_is_no_tie() -> None:
    both = "(union (game vloc A) (game vloc A))"
    move = f"(move (max {both} using (game points PM)) (top (game vloc TABLE)))"
    position = done(f"(move {TOP} (top (game vloc A)))", move)
    assert (position.ties, position.draws) == (0, 0)


def test_scores_below_zero_have_a_highest_too() -> None:
    points = "(set (game points PM) (((SUIT : H) (- 0 5)) ((SUIT : S) (- 0 9)) ((RANK : K) 1)))"
    move = "(move (max (game vloc STOCK) using (game points PM)) (top (game vloc TABLE)))"
    assert at("TABLE", points, move) == ["K-H"]


def test_a_failure_quotes_neither_comments_nor_control_characters() -> None:
    comment = ";; (hidden \x1b[2J\n"
    told = failure(f"(move (top {comment} (game \x0b\u2028 vloc NONE)) (top (game vloc B)))")
    assert "(move (top (game vloc NONE)) (top (game vloc B))): there is no card" in told

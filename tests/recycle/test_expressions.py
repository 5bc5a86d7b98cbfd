"""Numbers, conditions, texts, cards and collections of them."""

import pytest

from tests.recycle.small import POINTS, STOCK, cards, done, failure, holds, number, sets, text
from upcard.recycle import Award

ALL = "(game vloc STOCK)"
HEARTS = f"(filter {ALL} 'C (== (cardatt SUIT 'C) H))"
KINGS = f"(filter {ALL} 'C (== (cardatt RANK 'C) K))"
NOTHING = "(game vloc NOTHING)"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(+ 1 2)", 3),
        ("(+ 1 2 3 4)", 10),
        ("(* 2 3 4)", 24),
        ("(- 1 3)", -2),
        ("(// 7 2)", 3),
        ("(// (- 0 7) 2)", -3),
        ("(// 7 (- 0 2))", -3),
        ("(% 7 3)", 1),
        ("(% (- 0 7) 3)", -1),
        ("(% 7 (- 0 3))", 1),
        ("(^ 2 10)", 1024),
        ("(^ (- 0 2) 3)", -8),
        ("(^ 0 0)", 1),
        ("(^ 1 1000000)", 1),
        ("(^ (- 0 1) 1000001)", -1),
        ("(tri 4)", 10),
        ("(fib 1)", 1),
        ("(fib 2)", 1),
        ("(fib 10)", 55),
        ("(size player)", 2),
        (f"(size {ALL})", 6),
        (f"(size {NOTHING})", 0),
        ("(size (A, B, C))", 3),
        ("(size (range 1 .. 5))", 5),
        ("(size (range 5 .. 1))", 0),
        ("(size (current team))", 1),
        ("(size (other player))", 1),
        ("(size (filter player 'P (== 'P (current player))))", 1),
        ("(all player 'P (pid 'P))", 3),
        ("(all (range 1 .. 4) 'N (* 'N 'N))", 30),
    ],
)
@pytest.mark.parametrize("is_known", [True, False], ids=["folded", "worked out"])
def test_numbers(expression: str, value: int, is_known: bool) -> None:
    if not is_known:
        expression = expression.replace(" 2)", " (+ 2 (game sto ZERO)))")
    assert number(expression, "(cycle next (current player))") == value


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("(and (== 1 1) (== 2 2) (== 3 3))", True),
        ("(and (== 1 1) (== 2 3))", False),
        ("(or (== 1 2) (== 2 3) (== 3 3))", True),
        ("(not (== 1 1))", False),
        ("(< 1 2)", True),
        ("(> 1 2)", False),
        ("(<= 2 2)", True),
        ("(>= 1 2)", False),
        ("(!= A B)", True),
        ("(== (current player) (next player))", False),
        ("(== (team (current player)) (current team))", True),
        (f"(all {NOTHING} 'C (== 1 2))", True),
        (f"(any {NOTHING} 'C (== 1 1))", False),
        ("(all player 'P (== ('P sto A) 0))", True),
        ("(any player 'P (== 'P (next player)))", True),
        ("(any (A, B) 'S (== 'S B))", True),
        ("(== (game str UNSET) NONE)", False),
        (f"(== (game str UNSET) (cardatt SUIT (top {NOTHING})))", True),
        (f"(== (cardatt COLOR (top {ALL})) (game str UNSET))", True),
        (f"(== (top {ALL}) (5 {ALL}))", True),
        (f"(== (top {ALL}) (bottom {ALL}))", False),
        (f"(== (top {NOTHING}) (top {NOTHING}))", False),
        (f"(!= (top {NOTHING}) (top {NOTHING}))", True),
    ],
)
def test_conditions(condition: str, value: bool) -> None:
    assert holds(condition) == value


def test_later_conditions_are_not_asked_once_the_answer_is_known() -> None:
    fails = f"(== (score (top {NOTHING}) using (game points P)) 0)"
    assert not holds(f"(and (== 1 2) {fails})")
    assert holds(f"(or (== 1 1) {fails})")


def test_equal_cards_are_different_cards() -> None:
    deck = "(repeat 2 (create deck (game vloc STOCK) (deck (RANK (A)))))"
    assert not holds(f"(== (top {ALL}) (bottom {ALL}))", deck=deck)


def test_attributes_of_no_card_are_empty() -> None:
    assert text(f"(cardatt SUIT (top {NOTHING}))") == ""
    assert (
        text("(cardatt (game str KEY) (top (game vloc STOCK)))", "(set (game str KEY) SUIT)") == "S"
    )


def test_random_numbers_include_both_ends() -> None:
    drawn = [
        done("(set (game sto A) (random 2))", draws=[n]).numbers.get((0, "A"), 0) for n in range(3)
    ]
    assert drawn == [0, 1, 2]
    drawn = [
        done("(set (game sto A) (random 4 .. 5))", draws=[n]).numbers[0, "A"] for n in range(2)
    ]
    assert drawn == [4, 5]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        (ALL, STOCK),
        (f"(union {HEARTS} {KINGS})", ["A-H", "K-H", "Q-H", "K-H", "K-S"]),
        (
            f"(union (all (H, S) 'S (filter {ALL} 'C (== (cardatt SUIT 'C) 'S))))",
            [*STOCK[::2], *STOCK[1::2]],
        ),
        (f"(intersect {HEARTS} {KINGS})", ["K-H"]),
        (f"(intersect (all (H) 'S {KINGS}))", ["K-H", "K-S"]),
        (f"(disjunction {HEARTS} {KINGS})", ["A-H", "Q-H", "K-S"]),
        (f"(top 2 {ALL})", ["Q-S", "Q-H"]),
        (f"(bottom 2 {ALL})", ["A-H", "A-S"]),
        (f"(top 0 {ALL})", []),
        (f"(sort {ALL} using (game points PM))", ["Q-H", "Q-S", "K-H", "K-S", "A-H", "A-S"]),
        (f"(run top 1 {HEARTS} using (game points PM))", ["Q-H", "K-H", "A-H"]),
        (f"(run bottom 2 (bottom 2 {HEARTS}) using (game points PM))", ["K-H", "A-H"]),
        (f"(top 2 {KINGS} using (game points PM))", []),
        (f"(run top 4 {HEARTS} using (game points PM))", []),
        (f"(top (partition RANK {ALL}))", ["A-H", "A-S"]),
        (f"(bottom (partition RANK {ALL}))", ["Q-H", "Q-S"]),
        (f"(1 (partition RANK {ALL}))", ["K-H", "K-S"]),
        (f"(filter {NOTHING} 'C (== 1 1))", []),
    ],
)
def test_collections_of_cards(expression: str, found: list[str]) -> None:
    assert cards(expression, POINTS) == found


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        (
            f"(tuples 2 {ALL} using (game points PM))",
            [["Q-H", "Q-S"], ["K-H", "K-S"], ["A-H", "A-S"]],
        ),
        (f"(tuples 3 {ALL} using (game points PM))", []),
        (f"(partition SUIT {ALL})", [STOCK[::2], STOCK[1::2]]),
        (f"(partition RANK {HEARTS} {KINGS})", [["A-H"], ["K-H", "K-H", "K-S"], ["Q-H"]]),
        (f"(partition SUIT (all (H) 'S {KINGS}))", [["K-H"], ["K-S"]]),
        (f"(partition COLOR {KINGS})", [["K-H", "K-S"]]),
        (f"(subsets {KINGS})", [[], ["K-H"], ["K-S"], ["K-H", "K-S"]]),
        (f"(runs largest 3 {HEARTS} using (game points PM))", [["Q-H", "K-H", "A-H"]]),
        (
            f"(runs largest 2 (bottom 3 {ALL}) using (game points PM))",
            [["K-H", "A-H"], ["K-H", "A-S"]],
        ),
        (f"(runs largest 2 {KINGS} using (game points PM))", []),
        (
            f"(runs all 2 {HEARTS} using (game points PM))",
            [["Q-H", "K-H"], ["Q-H", "K-H", "A-H"], ["K-H", "A-H"]],
        ),
        (f"(all (H, S) 'S (filter {KINGS} 'C (== (cardatt SUIT 'C) 'S)))", [["K-H"], ["K-S"]]),
        (f"(filter (partition RANK {HEARTS}) 'G (== (cardatt RANK (top 'G)) K))", [["K-H"]]),
        (f"(filter (subsets {KINGS}) 'G (< (size 'G) 1))", [[]]),
    ],
)
def test_collections_of_collections(expression: str, found: list[list[str]]) -> None:
    assert sets(expression, POINTS) == found


def test_the_top_of_the_topmost_cards_is_the_deepest_of_them() -> None:
    assert text(f"(cardatt RANK (top (top 3 {ALL})))") == "K"


def test_all_players_are_listed_from_the_first_whoever_is_current() -> None:
    note = "(do ((inc (game sto N) 1) (set ('P sto ORDER) (game sto N))))"
    position = done("(cycle current next)", f"(all player 'P {note})", players=3)
    assert position.numbers == {(0, "N"): 3, (1, "ORDER"): 1, (2, "ORDER"): 2, (3, "ORDER"): 3}


def test_the_other_players_are_listed_from_the_first_too() -> None:
    note = "(do ((inc (game sto N) 1) (set ('P sto ORDER) (game sto N))))"
    position = done("(cycle current next)", f"(all (other player) 'P {note})", players=3)
    assert position.numbers == {(0, "N"): 2, (1, "ORDER"): 1, (3, "ORDER"): 2}


def test_a_team_is_the_collection_of_its_players_as_listed() -> None:
    note = "(do ((inc (game sto N) 1) (set ('P sto ORDER) (game sto N))))"
    position = done(f"(all (next team) 'P {note})", players=4, teams="(create teams (0, 2) (3, 1))")
    assert position.numbers == {(0, "N"): 2, (2, "ORDER"): 2, (4, "ORDER"): 1}


def test_the_other_teams_are_all_but_the_current_one() -> None:
    position = done("(all (other team) 'T (set ('T sto A) 1))", players=3)
    assert position.numbers == {(-2, "A"): 1, (-3, "A"): 1}


def test_indexed_places_are_those_that_ever_had_a_card_and_are_real_places() -> None:
    fill = "(all (range 0 .. 2) 'N (move (top (game vloc STOCK)) (top (game vloc T 'N))))"
    empty = "(move (top (game vloc T 1)) (top (game vloc STOCK)))"
    add = "(do ((inc (game sto N)) (move (top (game vloc STOCK)) (top 'T))))"
    each = f"(all (indexed game vloc T) 'T {add})"
    position = done(fill, empty, each)
    assert position.numbers == {(0, "N"): 3}
    sizes = {
        place.index: len(found) for place, found in position.places().items() if place.name == "T"
    }
    assert sizes == {0: 2, 1: 1, 2: 2}


def test_the_points_of_equal_awards_add_up() -> None:
    suits = "((SUIT : (game str LED)) 100) ((SUIT : (game str TRUMP)) 200)"
    points = f"(set (game points P) ({suits} ((RANK : K) 1)))"
    words = ("(set (game str LED) S)", "(set (game str TRUMP) S)")
    assert number(f"(score (3 {ALL}) using (game points P))", *words, points) == 301


def test_awards_are_fixed_when_they_are_set() -> None:
    points = "(set (game points P) (((SUIT : (game str LED)) 5)))"
    before = ("(set (game str LED) S)", points, "(set (game str LED) H)")
    assert number(f"(score (top {ALL}) using (game points P))", *before) == 5


def test_an_award_needs_all_its_attributes() -> None:
    points = "(set (game points P) (((RANK : K) (SUIT : S) 7)))"
    assert number(f"(sum {ALL} using (game points P))", points) == 7


def test_an_award_for_no_value_is_for_the_cards_that_lack_the_attribute() -> None:
    points = "(set (game points P) (((SUIT : (game str UNSET)) 1) ((COLOR : (game str UNSET)) 10)))"
    deck = (
        "(create deck (game vloc STOCK) (deck (RANK (A, K)) (SUIT (H))))"
        "(create deck (game vloc STOCK) (deck (RANK (JOKER))))"
    )
    assert number(f"(sum {ALL} using (game points P))", points, deck=deck) == 31


def test_update_adds_awards_and_replaces_those_of_the_same_attributes() -> None:
    first = "(set (game points P) (((SUIT : S) 1) ((RANK : K) 10)))"
    position = done(first, "(update (game points P) (((RANK : K) 20) ((RANK : A) 5)))")
    assert position.maps == {
        (0, "P"): (
            Award((("SUIT", "S"),), 1),
            Award((("RANK", "K"),), 20),
            Award((("RANK", "A"),), 5),
        )
    }


def test_an_unset_map_gives_no_card_a_point() -> None:
    assert number(f"(sum {ALL} using (game points UNSET))") == 0


@pytest.mark.parametrize(("word", "value"), [("sum", 12), ("scoremax", 3), ("scoremin", 1)])
def test_scores_of_several_cards(word: str, value: int) -> None:
    assert number(f"({word} {ALL} using (game points PM))", POINTS) == value


def test_scores_are_within_32_bits() -> None:
    points = "(set (game points P) (((SUIT : S) 2147483647) ((RANK : K) 1)))"
    assert "the result is beyond 32 bits" in failure(points)

"""Whatever a program asks for, it ends soon, and with a clear error if it asks for too much."""

import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from string import ascii_uppercase
from typing import Any, TypeVar

import pytest

from tests.recycle.small import (
    DECK,
    Given,
    done,
    failure,
    page,
    play_out,
    program,
    refusal,
    started,
    texts,
)
from upcard.recycle import ProgramError, bounds, read, seen, world
from upcard.recycle.unit import Unit

_Result = TypeVar("_Result")
ENDLESS = "(stage player (end (== 1 2)) {})"


DOUBLED = "(let (union 'A 'A) 'A {})"


def words(count: int) -> list[str]:
    """Return so many different names."""
    letters = ("".join(found) for found in product(ascii_uppercase, repeat=4))
    return [next(letters) for _ in range(count)]


def nested(depth: int, form: str = "(not {})", inner: str = "(== 1 1)") -> str:
    """Return a form inside itself, so deep that there are so many parentheses in all."""
    for _ in range(depth):
        inner = form.format(inner)
    return inner


def deeper(frames: int, call: Callable[[], _Result]) -> _Result:
    """Call from that many frames down the stack."""
    return deeper(frames - 1, call) if frames else call()


def test_a_page_has_so_many_characters_at_most() -> None:
    text = page("(do ((turn pass)))")
    assert read(text.ljust(bounds.TEXT)).players == 2
    assert "a program has at most 262144 characters" in refusal(text.ljust(bounds.TEXT + 1))


DEEPEST = bounds.NESTING - 5
"""Around the expression are the game, the block and the condition."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "inner"),
    [
        ("(not {})", "(== 1 1)"),
        ("(and (== 1 1) {})", "(== 1 1)"),
        ("(== 1 (+ 1 (size (filter player 'P {}))))", "(== 1 1)"),
        ("(all player 'P {})", "(== 1 1)"),
        ("(any (game vloc STOCK) 'C {})", "(== 1 2)"),
        (
            "(== 1 (all player 'P (size (union (all player 'Q (filter ('Q vloc A) 'C {}))))))",
            "(== 1 1)",
        ),
    ],
)
def test_conditions_may_be_nested_as_deep_as_parentheses_may(form: str, inner: str) -> None:
    levels = form[: form.index("{}")].count("(") - form[: form.index("{}")].count(")")
    depth = DEEPEST // levels
    game = deeper(150, lambda: program(f"(do (({nested(depth, form, inner)} (turn pass))))"))
    # So many loops inside each other may look at too many items.
    with suppress(ProgramError):
        deeper(150, lambda: game.start(Given()))


@pytest.mark.parametrize(
    "form",
    [
        "(do ({}))",
        "((== 1 1) {})",
        "(repeat 1 {})",
        "(all (A) 'S {})",
        "(let (top (game vloc STOCK)) 'C {})",
    ],
)
@pytest.mark.parametrize("part", ["(do ({}))", "(choice ({}))"])
def test_actions_may_be_nested_as_deep_as_parentheses_may(form: str, part: str) -> None:
    levels = form[: form.index("{}")].count("(")
    action = nested((bounds.NESTING - 5) // levels, form, "(inc (game sto A) 1)")
    position = deeper(150, lambda: started(part.format(action)))
    if position.actor is not None:
        assert texts(position) == ["inc the table's A 1"]
        position.play(0)
    assert position.numbers == {(0, "A"): 1}


def test_stages_may_be_nested_as_deep_as_parentheses_may() -> None:
    stage = "(stage player (end (== (game sto A) 1)) {})"
    position = started(nested(bounds.NESTING - 5, stage, "(do ((inc (game sto A) 1)))"))
    assert position.numbers == {(0, "A"): 1}


def test_deeper_nesting_is_refused() -> None:
    text = page(f"(do (({nested(bounds.NESTING)} (turn pass))))")
    assert "more than 200 parentheses are nested" in refusal(text)


def test_a_hundred_thousand_parentheses_are_refused() -> None:
    assert "more than 200 parentheses are nested" in refusal("(game " + "(setup " * 10_000)


def test_a_name_has_so_many_letters_at_most() -> None:
    assert "a word has at most 256 characters" in refusal(
        page(f"(do ((set (game str A) {'A' * 257})))")
    )


@pytest.mark.parametrize("copies", ["{}", "(repeat 2000000000 {})"])
def test_there_are_so_many_cards_at_most(copies: str) -> None:
    keys = (4 if copies == "{}" else 1) * ["X"]
    attributes = "".join(
        f"({key * (n + 1)} (A, B, C, D, E, F, G, H, I, J, K))" for n, key in enumerate(keys)
    )
    deck = copies.format(f"(create deck (game vloc STOCK) (deck {attributes}))")
    assert "there are at most 10000 cards" in refusal(page("(do ((turn pass)))", deck=deck))


def test_several_decks_have_so_many_cards_together() -> None:
    deck = f"(repeat 1000 {DECK}) (repeat 1000 {DECK})"
    assert "there are at most 10000 cards" in refusal(page("(do ((turn pass)))", deck=deck))


def test_cards_have_so_many_attributes_at_most() -> None:
    attributes = "".join(f"({word} (X))" for word in words(33))
    deck = f"(create deck (game vloc STOCK) (deck {attributes}))"
    assert "cards have at most 32 different attributes" in refusal(page("(turn pass)", deck=deck))


def test_a_stage_that_never_ends_is_an_error() -> None:
    with pytest.raises(ProgramError, match="100000 parts are run without a decision"):
        started(ENDLESS.format("(do ((turn pass)))"))


def test_decisions_that_never_end_are_an_error() -> None:
    position = started(ENDLESS.format("(choice ((turn pass)))"))
    with pytest.raises(ProgramError, match=r"there are more than 5000 decisions"):
        play_out(position)
    assert position.decisions == 5001


@pytest.mark.slow
@pytest.mark.parametrize(
    "action",
    [
        "(repeat 2000000000 (turn pass))",
        "(all (range 1 .. 2000000000) 'N (turn pass))",
        "(set (game sto A) (size (filter (range 1 .. 2000000000) 'N (> 'N 3))))",
        nested(9, "(all (range 1 .. 10) 'N {})", "(inc (game sto A) 1)"),
        nested(1, "({} (turn pass))", nested(40, "(all player 'P {})")),
        nested(1, "(let (game vloc STOCK) 'A {})", nested(30, DOUBLED, "(turn pass)")),
        "(repeat 99999 (set (game sto A) (size (union (game vloc STOCK) (game vloc STOCK)))))",
        f"(repeat 90000 (do ({'(turn pass) ' * 20_000})))",
    ],
    ids=["repeat", "range", "filter", "loops", "players", "unions", "copies", "a long block"],
)
def test_work_without_end_is_an_error(action: str) -> None:
    assert "more than 1000000 items are looked at without a decision" in failure(action)


def test_work_of_a_hand_without_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "HAND_WORK", 100_000)
    busy = ENDLESS.format("(choice ((turn pass))) (do ((repeat 10000 (turn pass))))")
    position = started(busy)
    with pytest.raises(ProgramError, match="more than 100000 items are looked at in the hand"):
        play_out(position)


@pytest.mark.parametrize(
    "entry",
    [
        "(any (range 1 .. 10001) 'N (set (game sto A) 'N))",
        "(any (range 1 .. 101) 'N (any (range 1 .. 101) 'M (set (game sto A) (+ 'N 'M))))",
        "(any (range 1 .. 10001) 'N (do ((inc (game sto A) 'N) (inc (game sto A) (game sto A)))))",
        "(do (" + "(any (A, B, C) 'S (set (game str A) 'S)) " * 9 + "))",
    ],
)
def test_a_decision_has_so_many_options_at_most(entry: str) -> None:
    with pytest.raises(ProgramError, match="there are more than 10000 options"):
        started(f"(choice ({entry}))")


def test_ten_thousand_options_are_listed() -> None:
    position = started("(choice ((any (range 1 .. 10000) 'N (set (game sto A) 'N))))")
    assert len(position.options) == 10_000


def test_options_that_lead_to_nothing_end_too() -> None:
    nothing = nested(6, "(any (range 1 .. 100) 'N {})", "((== 1 2) (turn pass))")
    with pytest.raises(ProgramError, match="items are looked at"):
        started(f"(choice ({nothing}))")


def test_subsets_are_of_few_cards() -> None:
    deck = f"(repeat 3 {DECK})"
    few = "(set (game sto A) (size (subsets (top {} (game vloc STOCK)))))"
    assert done(few.format(13), deck=deck).numbers == {(0, "A"): 8192}
    assert "there are 14 cards; it takes at most 13" in failure(few.format(14), deck=deck)


@pytest.mark.parametrize(
    "collection",
    [
        "(tuples 9 (game vloc STOCK) using (game points P))",
        "(runs all 1 (game vloc STOCK) using (game points P))",
    ],
)
def test_collections_of_collections_are_not_endless(collection: str) -> None:
    deck = f"(repeat 100 {DECK})"
    points = "(set (game points P) (((RANK : K) 1) ((RANK : A) 2)))"
    assert "items are looked at" in failure(
        points, f"(set (game sto A) (size {collection}))", deck=deck
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "test",
    [
        "(== ((current player) sto {}) 0)",
        "(== ((current player) str {}) A)",
        "(== (size ('P vloc {})) 0)",
    ],
)
def test_a_program_names_so_much_at_most(test: str) -> None:
    tests = "".join(f"({test.format(word)} (turn pass))" for word in words(5001))
    text = page(f"(do ((all player 'P (do ({tests})))))")
    assert "the program names more than 10000 places or things to store" in refusal(text)


def test_a_hand_has_so_many_places_at_most() -> None:
    use = "(all (range 0 .. 9999) 'N ((== (size ({} vloc T 'N)) 1) (turn pass)))"
    both = [use.format("game"), use.format("(current player)")]
    assert "there are more than 10000 places" in failure(*both)


def test_an_index_is_below_the_number_of_places() -> None:
    assert "the index 10000 is not within 0 to 9999" in failure(
        "(all (range 9999 .. 10000) 'N ((== (size (game vloc T 'N)) 1) (turn pass)))"
    )


def test_a_points_map_has_so_many_awards_at_most() -> None:
    awards = "".join(f"((RANK : {word}) 1)" for word in words(1001))
    assert "a points map has at most 1000 awards" in failure(f"(set (game points P) ({awards}))")


def test_points_maps_have_so_many_scores_at_most() -> None:
    deck = f"(repeat 1600 {DECK})"
    maps = "".join(f"(set (game points {word}) ())" for word in words(105))
    assert "points maps have more than 1000000 scores" in refusal(page(f"(do ({maps}))", deck=deck))


REMEMBER = "(repeat {} (remember (top (game vloc STOCK)) (game mem {})))"
TOO_MANY_REFERENCES = "memory places have 10000 references together already"


@pytest.mark.parametrize("places", [1, 2, 100])
def test_memory_places_have_so_many_references_at_most(places: int) -> None:
    remember = [REMEMBER.format(10_000 // places, word) for word in words(places)]
    done(*remember)
    assert TOO_MANY_REFERENCES in failure(*remember, REMEMBER.format(1, "A"))


def test_what_is_forgotten_makes_room_for_another_reference() -> None:
    forget = "(forget (top (game mem A)))"
    done(REMEMBER.format(10_000, "A"), forget, REMEMBER.format(1, "B"))


def test_a_world_has_the_references_that_were_seen() -> None:
    before, after = (f"(do ({REMEMBER.format(times, 'A')}))" for times in (10_000, 1))
    position = started(before, "(choice ((turn pass)))", after)
    view = seen(position, position.actor)
    with pytest.raises(ProgramError, match=TOO_MANY_REFERENCES):
        world(position.program, view, lambda _: 0, Given()).play(0)


def test_constants_stand_for_so_much_at_most() -> None:
    declared = "(declare (== 1 1) 'A)" + "(declare (and 'A 'A) 'A)" * 13
    assert read(page("(do (('A (turn pass))))", declared=declared)).players == 2
    declared += "(declare (and 'A 'A) 'A)" * 40
    assert "'A: constants stand for more than 200000 expressions" in refusal(
        page("(do (('A (turn pass))))", declared=declared)
    )


def test_a_long_constant_is_not_used_without_end() -> None:
    declared = f"(declare ({', '.join(words(10_000))}) 'L)"
    uses = "(set (game sto A) (size 'L))" * 30
    assert "constants stand for more than" in refusal(page(f"(do ({uses}))", declared=declared))


@pytest.mark.parametrize("first", ["", "(turn pass) ", "(any (A, B) 'S (set (game str A) 'S)) "])
def test_conditions_one_after_the_other_are_read_in_no_time(first: str) -> None:
    tests = "".join(f"((== 1 {n % 2}) (set (game sto A) {n})) " for n in range(60))
    position = started(f"(choice ((do ({first}{tests}))))")
    steps = 30 + bool(first)
    assert {len(option.steps) for option in position.options} == {steps}


@pytest.mark.parametrize("nothing", ["(do ())", "(do ((do ()) (do ())))"])
def test_a_condition_and_an_empty_block_are_no_option_where_it_is_false(nothing: str) -> None:
    entry = f"(do (((== 1 2) (set (game sto A) 1)) {nothing}))"
    assert texts(started(f"(choice ({entry} (turn pass)))")) == ["pass"]


def test_many_actions_after_an_any_are_listed() -> None:
    many = "(turn pass) " * 1900
    entry = f"(do ((any (A, B) 'S (set (game str A) 'S)) {many}))"
    position = deeper(100, lambda: started(f"(choice ({entry}))"))
    assert [len(option.steps) for option in position.options] == [1901, 1901]


def test_cards_of_which_there_are_no_copies_are_few_too() -> None:
    attributes = "".join(f"({word} (A, B, C, D, E, F, G, H, I, J))" for word in words(30))
    deck = f"(repeat 0 (create deck (game vloc STOCK) (deck {attributes}))) {DECK}"
    assert "there are at most 10000 cards" in refusal(page("(do ((turn pass)))", deck=deck))


@pytest.mark.slow
def test_a_card_has_so_many_attributes_at_most() -> None:
    many = "".join(f"({word} (X))" for word in words(10_000))
    numbers = ", ".join(words(10_000))
    deck = f"(create deck (game vloc STOCK) (deck (N ({numbers})) {many}))"
    assert "cards have at most 32 different attributes" in refusal(page("(turn pass)", deck=deck))
    nested_one = nested(33, "(A (X {}))", "(A (X))")
    deck = f"(create deck (game vloc STOCK) (deck {nested_one}))"
    assert "cards have at most 32 different attributes" in refusal(page("(turn pass)", deck=deck))


def test_decks_are_not_made_after_there_are_too_many_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "CARDS", 20)
    text = page("(turn pass)", deck=f"{DECK}\n{DECK}\n{DECK}\n{DECK}\n{DECK}")
    assert refusal(text).startswith("line 4, ")


def test_what_python_cannot_compile_is_an_error_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = page("(do ((turn pass)))")
    for problem in (SyntaxError, RecursionError, MemoryError):

        def refuse(_: object, problem: type[Exception] = problem) -> None:
            raise problem

        monkeypatch.setattr(Unit, "compiled", refuse)
        assert refusal(text) == ("line 1, column 1: the program is nested too deep to be compiled")


@pytest.mark.parametrize(
    ("form", "inner", "last"),
    [
        ("(all player 'P {})", "(== 1 1)", "({} (turn pass))"),
        ("(all player 'P {})", "(turn pass)", "{}"),
    ],
    ids=["conditions", "actions"],
)
def test_no_path_leads_past_all_functions(form: str, inner: str, last: str) -> None:
    height = 1 if "turn" in inner else 2
    # Of several parts it is the deepest that has the height at which there is a function.
    while height < 120:
        if (height + 1) % 12:
            inner = form.format(inner)
            height += 1
        elif "turn" not in inner:
            inner = f"(or {nested(height - 1)} {inner})"
            height += 2
        else:
            inner = f"(do (({nested(height - 2)} (turn pass)) {inner}))"
            height += 2
    read(page(f"(do ({last.format(inner)}))"))


@pytest.mark.parametrize("index", ["(- 0 5)", "10000", "2147483647"])
@pytest.mark.parametrize("whose", ["game", "(current player)", "(0 player)"])
def test_an_index_in_the_text_is_below_the_number_of_places(whose: str, index: str) -> None:
    message = refusal(page(f"(do ((move (top (game vloc STOCK)) (top ({whose} vloc D {index})))))"))
    assert "is not within 0 to 9999" in message
    assert message.startswith("line 2, ")
    deck = DECK.replace("STOCK", f"STOCK {index}")
    assert "is not within 0 to 9999" in refusal(page("(do ((turn pass)))", deck=deck))


def test_the_size_of_a_range_is_a_number_too() -> None:
    size = "(set (game sto A) (size (range {} .. 2147483647)))"
    assert done(size.format(1)).numbers == {(0, "A"): bounds.INTEGER}
    assert "the result is beyond 32 bits" in failure(size.format(0))


HUNDRED = f"({' '.join(f'((RANK : {word}) 1)' for word in words(100))})"
UPDATE = "(update (game points P) (((RANK : A) 1)))"


@pytest.mark.parametrize(
    "action",
    [
        f"(do ((update (game points P) {HUNDRED}) (repeat 30 {UPDATE})))",
        "(all (range 1 .. 700) 'N (set (game points P) (((RANK : A) 'N) ((RANK : K) 1))))",
    ],
    ids=["update", "set"],
)
def test_points_maps_without_end_are_an_error(monkeypatch: pytest.MonkeyPatch, action: str) -> None:
    monkeypatch.setattr(bounds, "WORK", 50_000)
    deck = f"(repeat 50 {DECK})"
    assert "more than 50000 items are looked at" in failure(action, deck=deck)


def test_a_points_map_that_was_made_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "WORK", 5_000)
    action = f"(set (game points P) {HUNDRED})"
    done(f"(repeat 60 {action})", deck=f"(repeat 50 {DECK})")


@pytest.mark.parametrize(
    "entry",
    [
        "(any (range 1 .. 100) 'N (do ((set (game sto A) 'N) {})))",
        "(any (range 1 .. 100) 'N (do ((inc (game sto A) 'N) (inc (game sto A) (game sto A)) {})))",
        "(any (range 1 .. 100) 'N (do ((set (game sto A) 'N) (repeat 64 (do ({}))))))",
        "(any (range 1 .. 100) 'N (repeat 64 (do ((set (game sto A) 'N) {}))))",
    ],
    ids=["listed", "tried", "repeated", "repeated only"],
)
def test_a_decision_has_so_many_steps_at_most(monkeypatch: pytest.MonkeyPatch, entry: str) -> None:
    monkeypatch.setattr(bounds, "WORK", 20_000)
    part = f"(choice ({entry.format('(turn pass) ' * 500)}))"
    with pytest.raises(ProgramError, match="more than 20000 items are looked at"):
        started(part)
    position = started(f"(choice ({entry.format('(turn pass)')}))")
    assert len(position.options) == 100


MANY_REFERENCES = "(repeat 900 (remember (top (game vloc STOCK)) (game mem M)))"


@pytest.mark.parametrize(
    "collection",
    [
        "(all (range 1 .. 100) 'N (union (game mem M)))",
        "(all (range 1 .. 100) 'N (game mem M))",
        f"(union {'(game mem M) ' * 100})",
    ],
    ids=["unions", "snapshots", "union"],
)
def test_collections_of_references_are_not_endless(
    monkeypatch: pytest.MonkeyPatch, collection: str
) -> None:
    monkeypatch.setattr(bounds, "WORK", 50_000)
    size = f"(set (game sto A) (size {collection}))"
    assert "more than 50000 items are looked at" in failure(MANY_REFERENCES, size)
    few = size.replace("100)", "10)").replace("(game mem M) " * 100, "(game mem M) " * 10)
    assert done(MANY_REFERENCES, few).numbers


def test_a_union_is_counted_before_it_is_made() -> None:
    remember = "(repeat 10000 (remember (top (game vloc STOCK)) (game mem M)))"
    size = f"(set (game sto A) (size (union {'(game mem M) ' * 500})))"
    game = program(f"(do ({remember} {size}))")
    tracemalloc.start()
    try:
        with pytest.raises(ProgramError, match="items are looked at"):
            game.start(Given())
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_the_texts_of_options_have_a_bound() -> None:
    long = "N" * bounds.NAME
    stores = " ".join(f"(set (game str {long}) {long})" for _ in range(5))
    position = started(
        f"(choice ((any (range 1 .. 1000) 'I (do ({stores} (set (game sto A) 'I))))))"
    )
    with pytest.raises(ProgramError, match=r"^line \d+, column \d+: .*options take more than"):
        _ = position.options


def test_of_a_long_option_only_the_beginning_is_told() -> None:
    long = "N" * bounds.NAME
    store = f"(set (game str {long}) {long})"
    entry = f"(repeat 3000 {store})"
    told = texts(started(f"(choice ({entry} {entry} {store}))"))
    assert max(map(len, told)) <= bounds.OPTION_TEXT
    assert [text[-20:] for text in told[:2]] == ["NNNNN; and 2993 more", "NN; and 2993 more #2"]


def test_options_with_points_maps_are_not_remembered_without_end() -> None:
    set_one = "(any (range 1 .. 100) 'N (set (game points P) (((RANK : A) (+ 'N (game sto A))))))"
    game = program(
        ENDLESS.format(f"(choice ({set_one})) (do ((inc (game sto A) 100)))"),
        deck=f"(repeat 300 {DECK})",
    )
    position = game.start(Given())
    sizes = []
    for _ in range(5):
        assert len(position.options) == 100
        sizes.append(sum(map(len, game.describer._described)))  # noqa: SLF001 (nothing else tells)
        position.play(0)
    assert max(sizes) == 100


@pytest.mark.parametrize(
    "action",
    [
        "(move (bottom (game vloc STOCK)) (top (game vloc STOCK)))",
        "(move (top (game vloc STOCK)) (bottom (game vloc STOCK)))",
        "(swap (bottom (game vloc STOCK)) (top (game vloc STOCK)))",
        "(swap (game vloc STOCK) (game vloc OTHER))",
        "(do ((remember (top (game mem M)) (game mem M)) (forget (bottom (game mem M)))))",
        "(do ((remember (top (game mem M)) (game mem M)) (forget ((game sto A) (game mem M)))))",
    ],
)
def test_what_is_done_in_a_large_place_is_work(
    monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    monkeypatch.setattr(bounds, "WORK", 20_000)
    remember = "(all (game vloc STOCK) 'C (remember 'C (game mem M)))"
    deck = f"(repeat 500 {DECK})"
    done(remember, f"(repeat 20 {action})", deck=deck)
    assert "items are looked at" in failure(remember, f"(repeat 1000 {action})", deck=deck)


def test_a_trial_counts_what_it_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "WORK", 50_000)
    tried = "(do ((inc (game sto A) 'N) (inc (game sto A) (game sto A))))"
    choice = f"(choice ((any (range 1 .. 500) 'N {tried})))"
    remember = "(do ((repeat 9000 (remember (top (game vloc STOCK)) (game mem M)))))"
    assert len(started(choice).options) == 500
    with pytest.raises(ProgramError, match="items are looked at"):
        started(remember, choice)


@pytest.fixture
def code_sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the characters of the functions of each program that will be compiled."""
    sizes: list[int] = []
    compiled = Unit.compiled

    def measured(unit: Unit) -> dict[str, Any]:
        sizes.append(sum(map(len, unit._functions)))  # noqa: SLF001 (nothing else tells)
        return compiled(unit)

    monkeypatch.setattr(Unit, "compiled", measured)
    return sizes


def test_values_around_a_choice_are_not_written_into_every_entry(code_sizes: list[int]) -> None:
    entry = "(do ((inc (game sto A) 'N) (inc (game sto A) (game sto A))))"
    choice = f"(choice ({entry * 200}))"
    for number in range(100):
        value = f"(+ {number} (size (game vloc STOCK)))"
        choice = f"(let {value} '{'M' if number else 'N'} {choice})"
    position = started(choice)
    position.play(0)
    assert position.numbers == {(0, "A"): 12}
    assert code_sizes[0] < 200_000


@pytest.mark.slow
@pytest.mark.parametrize("length", [0, 3, 50])
@pytest.mark.parametrize("conditions", [0, 1, 3])
@pytest.mark.parametrize("ways", [1, 3, 8])
def test_an_entry_is_not_written_out_for_all_its_ways(
    code_sizes: list[int], ways: int, conditions: int, length: int
) -> None:
    chosen = [
        nested(conditions, "((any player 'P (== ('P sto A) 1)) {})", f"(any (A, B) 'S {word})")
        for word in (f"(set (game str {name}) 'S)" for name in words(ways))
    ]
    entry = f"(do ({' '.join(chosen)} {'(set (game sto Z) 1) ' * length}))"
    program(f"(choice ({entry * 9}))")
    assert code_sizes[0] < 9 * 40 * len(entry)

"""Where a program begins and ends in its page, and what is wrong with its words."""

import pytest

from tests.recycle.small import DECK, page, refusal
from upcard.recycle import ProgramWarning, read

GAME = page("(do ((turn pass)))")


def test_a_program_is_found_in_a_page_of_prose() -> None:
    prose = f"A game for two (see below).\n\n{GAME}\nThat was it.\n"
    assert read(prose).text == GAME


def test_a_line_that_quotes_a_place_of_the_table_begins_no_program() -> None:
    assert read(f"(game vloc STOCK) is the stock.\n{GAME}").text == GAME


def test_the_comment_before_a_program_belongs_to_it_and_begins_with_its_title() -> None:
    program = read(f"Rules\n\n;; War\n;; for two\n\n{GAME}")
    assert (program.title, program.text) == ("War", f";; War\n;; for two\n{GAME}")


def test_a_program_without_a_comment_has_no_title() -> None:
    assert read(GAME).title == ""


def test_a_program_that_was_cut_out_reads_the_same() -> None:
    cut = read(f"Some words\n;; War\n{GAME}more").text
    assert read(cut).text == cut


def test_text_after_a_program_gives_a_warning() -> None:
    line = GAME.count("\n") + 1
    behind = "this text after the end of the program is ignored"
    assert read(f"{GAME})\n").warnings == (ProgramWarning(line, 1, behind),)


def test_a_comment_after_a_program_gives_no_warning() -> None:
    assert read(f"{GAME}\n;; the end\n").warnings == ()


def test_a_page_without_a_program_is_refused() -> None:
    wanted = "line 1, column 1: there is no program: expected a line that begins with '(game'"
    assert refusal("Once upon a time") == wanted


def test_a_byte_order_mark_and_other_line_ends_are_no_part_of_a_program() -> None:
    assert read("\ufeff" + GAME.replace("\n", "\r\n")).text == GAME


def test_comments_and_white_space_may_stand_between_any_two_words() -> None:
    spaced = GAME.replace("(", " ( ;; (((\n\t").replace(")", " \r\n)").lstrip()
    assert read(spaced).players == 2


def test_a_missing_parenthesis_is_named_by_the_one_that_is_open() -> None:
    unclosed = GAME.rstrip()[:-1]
    assert refusal(unclosed).endswith("expected ')' for the '(' at line 1, column 1, found the end")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("(turn pass) ; no", "unexpected character ';': a comment begins with two semicolons"),
        ("((= 1 1) (turn pass))", "unexpected character '=': equality is '=='"),
        ("((!1 1) (turn pass))", "unexpected character '!': inequality is '!='"),
        ("(set (game sto A) (/ 1 1))", "unexpected character '/': division is '//'"),
        (
            "(all player ’P (turn pass))",
            "unexpected character '’': a variable begins with a straight apostrophe, as 'C",
        ),
        ('(set (game str A) "X")', "'\"': text is written without quotes, in capital letters"),
        (
            "(set (game str Foo) X)",
            "Foo is neither a name (capital letters), a keyword (small letters) nor a number",
        ),
        ("(set (game str A1) X)", "A1 is neither a name"),
        (
            "(all player 'p (turn pass))",
            "expected a name in capital letters after the apostrophe: 'p",
        ),
        ("(all player ' P (turn pass))", "a variable is an apostrophe directly before a name"),
        ("(set (game sto A) 2147483648)", "2147483648 is above the largest number, 2147483647"),
        ("(set (game str A B) X)", "expected (OWNER str NAME), found (game str A B)"),
        ("(set (game str A) X Y)", "expected (set (OWNER sto NAME) VALUE), found"),
    ],
)
def test_a_wrong_word_is_refused_by_what_it_should_be(words: str, why: str) -> None:
    assert why in refusal(page(f"(do ({words}\n))"))


def test_an_error_names_line_and_column() -> None:
    text = "\n".join(
        ["(game", f" (setup (create players 2) {DECK})", " (do (", "  (turn around)))", ")"]
    )
    assert refusal(text) == "line 4, column 3: expected (turn pass), found (turn around)"


def test_white_space_before_a_colon_and_a_range_without_any_are_read() -> None:
    awards = "(set (game points P) (((RANK   :   A) 1) (( SUIT:H) 2)))"
    assert read(page(f"(do ({awards} (all (range 1..3) 'N (inc (game sto A) 'N))))")).players == 2

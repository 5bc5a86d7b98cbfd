"""What is counted, and what strangers wrote, in words."""

import pytest

from referee.text import close_names, counted, plain


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (counted(0, "duel"), "0 duels"),
        (counted(1, "duel"), "1 duel"),
        (counted(2, "match", "es"), "2 matches"),
        (counted(1, "match", "es"), "1 match"),
    ],
)
def test_only_one_thing_is_singular(words: str, said: str) -> None:
    assert words == said


@pytest.mark.parametrize("letter", ["\x1b", "\n", "\x00", "\x9b", "\u202e", "\u2028", "\ud800"])
def test_a_letter_that_does_something_becomes_a_question_mark(letter: str) -> None:
    assert plain(f"a{letter}b") == "a?b"


@pytest.mark.parametrize("words", ["", "ada@1 5f0c", "Zoë ♠ 黒", "<b>&amp;"])
def test_what_can_be_printed_stays_as_it_is(words: str) -> None:
    assert plain(words) == words


@pytest.mark.parametrize(
    ("name", "close"), [("Steady", ["steady"]), ("staedy", ["steady"]), ("whist", [])]
)
def test_a_name_is_close_whatever_its_case(name: str, close: list[str]) -> None:
    assert close_names(name, ["random", "steady", "zircon"]) == close

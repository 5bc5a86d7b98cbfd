"""The data of the replay in the page of a duel."""

import json

import pytest

from referee.web.duel_page import script_json

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>&amp;&lt;",
    "\u2028\u2029\u202e",
    "'\"\\</SCRIPT\n>",
    "\ud800 alone",
    "z" * 10_000,
)
DATA = {"names": HOSTILE, **dict.fromkeys(HOSTILE, 1.5), "none": None, "list": [True, {"a": -1}]}


def test_a_script_reads_back_what_was_script_json() -> None:
    assert json.loads(script_json(DATA)) == {**DATA, "names": [*HOSTILE]}


@pytest.mark.parametrize("letter", [*"<>&", "\u2028", "\u2029"])
def test_nothing_that_a_browser_could_take_for_markup_is_left(letter: str) -> None:
    assert letter not in script_json(DATA)


def test_a_template_leaves_it_as_it_is() -> None:
    assert script_json("<").__html__() == '"\\u003c"'

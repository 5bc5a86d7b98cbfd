"""The names of strangers on a page."""

import pytest

from referee.web.names import called, shown

LONG = "n" * 10_000


def test_a_short_name_stays_as_it_is() -> None:
    assert shown("Ada’s 2. bot, “bower” (左)") == "Ada’s 2. bot, “bower” (左)"


@pytest.mark.parametrize("length", [47, 48])
def test_a_name_that_fits_is_shown_in_full(length: int) -> None:
    assert shown("n" * length) == "n" * length


@pytest.mark.parametrize("length", [49, 50, 10_000])
def test_a_name_that_is_too_long_is_cut_and_says_so(length: int) -> None:
    assert shown("n" * length) == "n" * 47 + "…"


@pytest.mark.parametrize("letter", ["\u202e", "\u2066", "\u200b", "\x1b", "\0", "\n", "\ue000"])
def test_what_is_not_to_be_seen_is_replaced(letter: str) -> None:
    assert shown(f"a{letter}b") == "a?b"


def test_a_name_on_a_page_is_text_apart_from_its_neighbours() -> None:
    assert called("<b>&'\"") == "<bdi>&lt;b&gt;&amp;&#39;&#34;</bdi>"


def test_a_name_is_cut_before_it_is_escaped() -> None:
    assert called("&" * 60) == f"<bdi>{'&amp;' * 47}…</bdi>"

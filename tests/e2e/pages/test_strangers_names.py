"""What strangers call their bots, and what these bots say: it harms no page and moves nothing."""

import pytest
from playwright.sync_api import expect

from tests.e2e.pages.conftest import Reader
from tests.e2e.pages.scene import HEBREW, HEBREW_DUEL, OF_THE_CLUB, PAGES

MARKUP = """[
    ...[...document.scripts].filter((each) => each.textContent.startsWith('alert')),
    ...[...document.images].filter((each) => each.getAttribute('src') === 'x'),
].map((each) => each.outerHTML)"""
LOOSE = """name => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), loose = [];
    while (texts.nextNode()) {
        const parent = texts.currentNode.parentElement;
        if (texts.currentNode.data.includes(name) && !parent.closest('bdi, script, .aloud, .words'))
            loose.push(parent.outerHTML);
    }
    return loose;
}"""
FROM_LEFT_TO_RIGHT = """heading => {
    const place = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect().left;
    };
    const places = [...heading.childNodes].filter((each) => each.textContent.trim()).map(place);
    return places.every((each, number) => !number || places[number - 1] < each);
}"""


@pytest.mark.parametrize("page", OF_THE_CLUB)
def test_markup_in_words_of_strangers_is_only_words(reader: Reader, page: str) -> None:
    assert reader.open(PAGES[page]).evaluate(MARKUP) == []


@pytest.mark.parametrize("page", OF_THE_CLUB)
def test_a_long_name_is_shortened_wherever_it_is(reader: Reader, page: str) -> None:
    expect(reader.open(PAGES[page]).get_by_text("n" * 48)).to_have_count(0)


def test_a_heading_shows_as_much_of_a_long_name_as_can_be_read(reader: Reader) -> None:
    expect(reader.open(PAGES["long entrant"]).locator("h1")).to_have_text(f"{'n' * 47}…")


@pytest.mark.parametrize("page", OF_THE_CLUB)
def test_a_name_in_another_direction_stands_apart_from_its_neighbours(
    reader: Reader, page: str
) -> None:
    assert reader.open(PAGES[page]).evaluate(LOOSE, HEBREW) == []


def test_a_name_in_another_direction_does_not_turn_the_score_beside_it(reader: Reader) -> None:
    heading = reader.open(HEBREW_DUEL).locator("h1")
    assert heading.evaluate(FROM_LEFT_TO_RIGHT)

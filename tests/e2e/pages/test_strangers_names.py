"""What strangers call their bots, and what these bots say: it harms no page and moves nothing."""

from playwright.sync_api import expect

from tests.e2e.pages.conftest import Reader
from tests.e2e.pages.scene import HEBREW_DUEL, PAGES

FROM_LEFT_TO_RIGHT = """heading => {
    const place = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect().left;
    };
    const places = [...heading.childNodes].filter((each) => each.textContent.trim()).map(place);
    return places.every((each, number) => !number || places[number - 1] < each);
}"""


def test_a_heading_shows_as_much_of_a_long_name_as_can_be_read(reader: Reader) -> None:
    expect(reader.open(PAGES["long entrant"]).locator("h1")).to_have_text(f"{'n' * 47}…")


def test_a_name_in_another_direction_does_not_turn_the_score_beside_it(reader: Reader) -> None:
    heading = reader.open(HEBREW_DUEL).locator("h1")
    assert heading.evaluate(FROM_LEFT_TO_RIGHT)

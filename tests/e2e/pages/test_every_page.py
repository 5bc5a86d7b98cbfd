"""Every page, whatever it has to tell: nothing goes wrong in it, and everybody can read it.

To open a page takes a third of a second of processor time, and nothing here changes it: each is
opened once, and looked at in every way before the next one is.
"""

from typing import NamedTuple

import pytest

from tests.e2e.pages.conftest import Reader, complaints_of_axe, show
from tests.e2e.pages.scene import HEBREW, PAGES

WIDTHS = (1280, 2560, 360)
"""Of windows: the one in which pages are opened, and at last that of a telephone."""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
OPEN_ALL = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
OUT_OF_REACH = """[...document.querySelectorAll('body *')].filter((each) => {
    const { overflowX, overflowY } = getComputedStyle(each);
    const scrolls = /auto|scroll/.test(overflowX) && each.scrollWidth > each.clientWidth
        || /auto|scroll/.test(overflowY) && each.scrollHeight > each.clientHeight;
    return scrolls && each.tabIndex < 0 && !each.querySelector('a[href], [tabindex="0"]');
}).map((each) => each.outerHTML.slice(0, 200))"""
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

every_page = pytest.mark.parametrize("page", PAGES)


class Look(NamedTuple):
    """What was seen of a page."""

    too_wide: dict[int, int]
    """By how many pixels, in a window of each width."""
    out_of_reach: list[str]
    """What scrolls in a narrow window, and cannot be scrolled by keyboard."""
    markup: list[str]
    """What strangers wrote and a browser took for more than words."""
    long_names: int
    loose: list[str]
    """Where a name in another direction does not stand apart from its neighbours."""
    light: str
    """What keeps people from reading it."""
    dark: str
    """The same in the dark, on a telephone."""


def look_at(reader: Reader, address: str) -> Look:
    page = reader.open(address)
    too_wide = {}
    for width in WIDTHS:
        show(page, width=width)
        too_wide[width] = page.evaluate(TOO_WIDE)
    out_of_reach, markup = page.evaluate(OUT_OF_REACH), page.evaluate(MARKUP)
    long_names, loose = page.get_by_text("n" * 48).count(), page.evaluate(LOOSE, HEBREW)
    page.evaluate(OPEN_ALL)
    show(page, width=360, dark=True)
    dark = complaints_of_axe(page)
    show(page)
    light = complaints_of_axe(page)
    return Look(too_wide, out_of_reach, markup, long_names, loose, light, dark)


@pytest.fixture(scope="module")
def looks() -> dict[str, Look]:
    return {}


@pytest.fixture
def look(reader: Reader, looks: dict[str, Look], page: str) -> Look:
    """Look at a page, unless that was done already."""
    if page not in looks:
        looks[page] = look_at(reader, PAGES[page])
    return looks[page]


@every_page
def test_nothing_keeps_anybody_from_reading_it(look: Look) -> None:
    assert look.light == ""


@every_page
def test_nothing_keeps_anybody_from_reading_it_in_the_dark_on_a_telephone(look: Look) -> None:
    assert look.dark == ""


@every_page
def test_it_is_no_wider_than_any_window(look: Look) -> None:
    assert look.too_wide == dict.fromkeys(WIDTHS, 0)


@every_page
def test_whatever_scrolls_can_be_scrolled_by_keyboard(look: Look) -> None:
    assert look.out_of_reach == []


@every_page
def test_markup_in_words_of_strangers_is_only_words(look: Look) -> None:
    assert look.markup == []


@every_page
def test_a_long_name_is_shortened_wherever_it_is(look: Look) -> None:
    assert look.long_names == 0


@every_page
def test_a_name_in_another_direction_stands_apart_from_its_neighbours(look: Look) -> None:
    assert look.loose == []

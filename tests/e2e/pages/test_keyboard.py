"""A reader who has no mouse: where the first key leads."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pages.conftest import Reader
from tests.e2e.pages.scene import DUEL, PAGES


@pytest.mark.parametrize("page", ["home", "league", "duel", "nowhere"])
def test_the_first_tab_leads_to_the_skip_link(reader: Reader, page: str) -> None:
    opened = reader.open(PAGES[page])
    opened.keyboard.press("Tab")
    expect(opened.locator(".skip")).to_be_focused()


def test_the_skip_link_can_be_seen_once_it_is_focused(reader: Reader) -> None:
    opened = reader.open(DUEL)
    opened.keyboard.press("Tab")
    expect(opened.locator(".skip")).to_be_in_viewport()


def test_the_skip_link_leads_past_the_top_of_the_page(reader: Reader) -> None:
    opened = reader.open(PAGES["league"])
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    expect(opened).to_have_url(re.compile("#main$"))
    opened.keyboard.press("Tab")
    expect(opened.locator("main :focus")).to_have_count(1)

"""A league written as pages, opened from where it lies: no server, and nothing is missing."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urldefrag

import pytest
from playwright.sync_api import expect

from tests.cli.bots import run
from tests.e2e.pages.conftest import Reader
from tests.e2e.pages.scene import CLUB, DUEL


@pytest.fixture(scope="module")
def site(store: Path) -> Iterator[Path]:
    """Write a league as pages."""
    with TemporaryDirectory(prefix="upcard-e2e-") as directory:
        place = Path(directory, "site")
        ran = run(store.parent, "league", "export", CLUB, "--site", place, "--db", store)
        assert ran.code == 0, ran.err
        yield place


@pytest.fixture(scope="module")
def home(site: Path) -> str:
    """Return its path."""
    return f"{site.as_uri()}/"


class Links(HTMLParser):
    """What a page leads to and is made of."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.page = page
        self.links: list[str] = []
        self.anchors = {""}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        attributes = dict(attrs)
        self.anchors.add(attributes.get("id") or "")
        self.links += [
            link for name in ("href", "src") if (link := attributes.get(name)) is not None
        ]

    def broken(self) -> list[str]:
        """Return those at whose end nothing is."""
        return [f"{self.page}: {link}" for link in self.links if not self._leads_somewhere(link)]

    def _leads_somewhere(self, link: str) -> bool:
        path, anchor = urldefrag(link)
        if path:
            return (self.page.parent / unquote(path)).is_file()
        return anchor in self.anchors or anchor.startswith(("hand=", "room="))


def test_every_link_of_every_page_leads_somewhere(site: Path) -> None:
    pages = [Links(page) for page in site.rglob("*.html")]
    assert len(pages) > 40
    assert [link for page in pages for link in page.broken()] == []


def test_one_page_leads_to_the_next_from_the_first_to_a_duel(reader: Reader) -> None:
    page = reader.open("index.html")
    for link in (CLUB, "Crosstable"):
        page.get_by_role("link", name=link, exact=True).click()
    page.locator("a[href='1-2.html']").first.click()
    page.get_by_role("link", name="1-2/1", exact=True).click()
    expect(page).to_have_url(reader.home + DUEL)


def test_the_replay_goes_on_by_keyboard(reader: Reader) -> None:
    page = reader.open(DUEL)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay-table")).to_have_attribute("data-play", "1")
    expect(page).to_have_url(f"{reader.home}{DUEL}#hand=1&play=1")


def test_a_link_to_a_card_leads_to_it(reader: Reader) -> None:
    page = reader.open(f"{DUEL}#hand=3&play=7")
    expect(page.locator("#replay-table")).to_have_attribute("data-hand", "3")
    expect(page.locator("#replay-table")).to_have_attribute("data-play", "7")


def test_the_pictures_of_its_cards_lie_beside_it(reader: Reader) -> None:
    page = reader.open(DUEL)
    page.wait_for_function(
        "[...document.images].every((each) => each.complete && each.naturalWidth > 0)"
    )

"""Every page, whatever it has to tell: nothing goes wrong in it, and everybody can read it."""

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

from tests.e2e.pages.conftest import Reader
from tests.e2e.pages.scene import PAGES

AXE = Axe()
WIDTHS = (360, 1280, 2560)
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)], ids=["light", "dark"])
def test_nothing_keeps_anybody_from_reading_it(
    reader: Reader, page: str, width: int, *, dark: bool
) -> None:
    opened = reader.open(PAGES[page], width=width, dark=dark)
    opened.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = AXE.run(opened)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("page", PAGES)
def test_it_is_no_wider_than_any_window(reader: Reader, page: str) -> None:
    opened = reader.open(PAGES[page])
    found = {}
    for width in WIDTHS:
        opened.set_viewport_size({"width": width, "height": 900})
        found[width] = opened.evaluate(TOO_WIDE)
    assert found == dict.fromkeys(WIDTHS, 0)

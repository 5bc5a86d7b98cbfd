"""What a bot logged, in the replay that its author watches."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from tests.e2e.pages.conftest import Reader, serving
from tests.web import scenes


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("logged") / "upcard.db"
    scenes.write_logged(place)
    return place


@pytest.fixture(scope="module")
def home(place: Path) -> Iterator[str]:
    with serving(place, "--logs", place.parent / "logs") as home:
        yield home


def test_it_is_shown_while_its_move_is_and_to_who_sees_that_seat(
    reader: Reader, place: Path
) -> None:
    move, seat = scenes.logged_move(place)
    page = reader.open(f"{scenes.LOGGED_DUEL}#hand=1&play={move}")
    logged = page.locator("#replay-logged")
    expect(logged).to_have_text(scenes.LOGGED)
    assert Axe().run(page, context="#replay").response["violations"] == []
    page.locator("#replay-see").select_option(label=seat)
    expect(logged).to_have_text(scenes.LOGGED)
    page.locator("#replay-see").select_option(label="East")
    expect(logged).to_be_hidden()
    page.locator("#replay-see").select_option(label="All cards")
    page.locator("#replay-forward").click()
    expect(logged).to_be_hidden()

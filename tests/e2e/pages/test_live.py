"""The page of a league that is played tells how it goes on, as long as it is open."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Frame, expect

from referee.web import addresses
from tests.e2e.conftest import DUELS, SEED
from tests.e2e.pages.conftest import Reader, serving
from tests.soak.blows import Coordinator
from tests.soak.comparing import last_line
from tests.soak.scene import NAME, Scene, progress, run
from tests.waiting import PATIENCE, until


@pytest.fixture(scope="module")
def league(fresh: Scene) -> Scene:
    """Return a league of which nothing is played."""
    return fresh.copy(fresh.place.with_name("live"))


@pytest.fixture(scope="module")
def home(league: Scene) -> Iterator[str]:
    """Serve it."""
    with serving(league.store) as address:
        yield address


@contextmanager
def playing(league: Scene, log: Path) -> Iterator[Coordinator]:
    """Play it."""
    coordinator = run(league, SEED, 1, log)
    try:
        yield coordinator
    finally:
        coordinator.kill()
        coordinator.wait()


def test_an_open_page_follows_a_league_to_its_end_and_is_not_loaded_again(
    reader: Reader, league: Scene, tmp_path: Path
) -> None:
    page, log, loads = reader.open(addresses.league(NAME)), tmp_path / "log", list[Frame]()
    page.on("framenavigated", lambda frame: loads.append(frame))  # noqa: PLW0108 (a method cannot)
    page.evaluate("window.opened = 'once'")
    expect(page.locator("#played")).to_have_text("0")
    with playing(league, log) as coordinator:
        until(lambda: progress(league).duels > 0 or coordinator.poll() is not None)
        coordinator.send_signal(signal.SIGINT)
        assert coordinator.wait(PATIENCE) == 130, last_line(log)
    played = progress(league).duels
    assert 0 < played < DUELS
    expect(page.locator("#played")).to_have_text(str(played))
    with playing(league, log) as coordinator:
        assert coordinator.wait(PATIENCE) == 0, last_line(log)
    expect(page.locator(".progress")).to_contain_text(f"Complete: {DUELS} duels")
    assert page.evaluate("window.opened") == "once"
    assert loads == []

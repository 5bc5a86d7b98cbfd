"""The pages as a reader has them: from the real command, in a real browser.

Playwright's own event loop counts as running in the thread that started it, for as long as it is
not stopped, and `asyncio.run` refuses to run within another. So a module starts its own browser and
stops it at its end, before the next test of another module.
"""

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import pytest
from axe_playwright_python.base import (  # type: ignore[import-untyped]
    AXE_SCRIPT,
    AxeResults,
)
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.cli.bots import UPCARD, environment
from tests.e2e.pages import scene
from tests.waiting import until

PATIENCE = 180.0
"""Seconds in which a page shows what is waited for, on a machine that is busy."""
INSTALL = (
    "the pages are tested in a browser: apt-get install --no-install-recommends "
    "chromium fonts-dejavu-core"
)
RUN_AXE = "([context, options]) => axe.run(context ?? document, options)"
GO_TO = """(place) => new Promise((arrived) => {
    addEventListener('hashchange', arrived, { once: true });
    location.hash = place;
})"""
GAME_PAGES = (scene.PAGES["game"], scene.PAGES["described game"])
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
    *("--disable-component-update", "--disable-sync", "--in-process-gpu"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def show(page: Page, *, width: int = 1280, dark: bool = False, calm: bool = False) -> None:
    """Show pages in another window, or as another reader prefers them."""
    page.emulate_media(
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if calm else "no-preference",
    )
    page.set_viewport_size({"width": width, "height": 900})


def complaints_of_axe(page: Page, context: str | None = None) -> str:
    """Return what keeps people from reading a page, or a part of it; empty if nothing does."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # The other results, and style sheets that it would load again, are of no use here.
    options = {"resultTypes": ["violations"], "preload": False}
    found = AxeResults(page.evaluate(RUN_AXE, [context, options]))
    report: str = found.generate_report() if found.violations_count else ""
    return report


class Reader:
    """Opens pages, and keeps what she would complain of."""

    def __init__(self, browser: Browser, home: str) -> None:
        self.home = home
        self.complaints: list[str] = []
        self._browser = browser
        self._pages: dict[tuple[bool, bool], Page] = {}
        self._turned_back = count()
        self._replay = ""
        """The address of the replay that is open, if it can be turned back."""

    def open(
        self,
        address: str,
        *,
        width: int = 1280,
        dark: bool = False,
        calm: bool = False,
        scripts: bool = True,
        clock: bool = False,
    ) -> Page:
        """Open a page of the site, where the last one was.

        Args:
            address: where it is, seen from the first page.
            width: of the window.
            dark: whether she prefers dark pages.
            calm: whether she prefers that nothing moves.
            scripts: whether she lets them run.
            clock: whether time stands still but for what the test lets pass.
        """
        kind = scripts, clock
        if kind not in self._pages:
            self._pages[kind] = self._new(scripts=scripts, clock=clock)
        page = self._pages[kind]
        if page.url.startswith(self.home):
            page.evaluate("localStorage.clear()")
        if "#" in address:
            # Another place on the page that is open would not be opened anew.
            page.goto("about:blank")
        show(page, width=width, dark=dark, calm=calm)
        page.goto(self.home + address)
        self._replay = ""
        return page

    def replay(self, address: str) -> Page:
        """Open a replay, or turn it back to its beginning, which takes half of the time.

        Only where it stands may be changed in it.
        """
        if self._replay != address:
            self.open(address)
            self._replay = address
        page = self._pages[True, False]
        page.evaluate(GO_TO, f"hand=1&play=0&time={next(self._turned_back)}")
        return page

    def _new(self, *, scripts: bool, clock: bool) -> Page:
        context = self._browser.new_context(java_script_enabled=scripts)
        context.set_default_timeout(PATIENCE * 1000)
        context.on("request", self._watch)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("dialog", self._dismiss)
        page = context.new_page()
        if clock:
            page.clock.install(time=0)
            page.clock.pause_at(1000)
        return page

    def _watch(self, request: Request) -> None:
        if not request.url.startswith(self.home):
            self.complaints.append(f"{request.url} is somebody else's")

    def _hear(self, message: ConsoleMessage) -> None:
        at = message.location["url"]
        expected = at.endswith(scene.NOWHERE) and message.text.startswith("Failed to load resource")
        if message.type in {"error", "warning"} and not expected:
            self.complaints.append(f"{at}: {message.text}")

    def _dismiss(self, dialog: Dialog) -> None:
        self.complaints.append(f"a dialog says {dialog.message}")
        dialog.dismiss()


@contextmanager
def serving(place: Path, *words: str | Path) -> Iterator[str]:
    """Serve a store with these options; give the address of the first page."""
    with (
        TemporaryDirectory(prefix="upcard-e2e-") as directory,
        Path(directory, "log").open("w+") as log,
        subprocess.Popen(
            [*UPCARD, "serve", "--port", "0", "--db", place, *words],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout
            said = process.stdout.readline()
            assert said.startswith("Serving at http://127.0.0.1:"), Path(log.name).read_text()
            yield said.split()[2]
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) in {0, 130}
            assert "Traceback" not in Path(log.name).read_text()
        finally:
            process.kill()


@pytest.fixture(scope="session")
def store() -> Iterator[Path]:
    """Return a store with leagues of every kind."""
    with TemporaryDirectory(prefix="upcard-e2e-") as directory:
        place = Path(directory, "upcard.db")
        scene.write(place)
        yield place


@pytest.fixture(scope="session")
def served(store: Path) -> Iterator[str]:
    """Serve it; give the address of the first page."""
    with serving(store) as home:
        for page in GAME_PAGES:
            until(partial(_has_statistics, home + page))
        yield home


def _has_statistics(page: str) -> bool:
    """Return whether the page of a game does not load itself again to show them."""
    with urlopen(page) as answer:  # noqa: S310 (it is ours)
        return b'http-equiv="refresh"' not in answer.read()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a browser that asks nothing of anybody by itself."""
    program = shutil.which("chromium")
    assert program, INSTALL
    expect.set_options(timeout=PATIENCE * 1000)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=QUIET) as started,
    ):
        yield started


@pytest.fixture(scope="module")
def home(served: str) -> str:
    """Return the address of the first page; a module may have pages of its own."""
    return served


@pytest.fixture(scope="module")
def newcomer(browser: Browser, home: str) -> Reader:
    """Return who reads the pages of a module; her windows close with the browser."""
    return Reader(browser, home)


@pytest.fixture
def reader(newcomer: Reader) -> Iterator[Reader]:
    """Return who reads pages, and has nothing to complain of in the end."""
    yield newcomer
    complaints, newcomer.complaints = newcomer.complaints, []
    assert complaints == []

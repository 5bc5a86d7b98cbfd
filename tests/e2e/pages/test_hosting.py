"""A competition that is hosted, as its author has it: invited, signed in, handed in, on the ladder.

The real host serves it, and builds, checks and plays the bots in the real sandbox.
"""

import subprocess
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from referee.bots.archives import ArchiveLimits
from referee.bots.packing import pack
from tests.cli.bots import UPCARD, environment, said, write_bot
from tests.e2e.pages.conftest import PATIENCE, Reader, complaints_of_axe
from tests.soak.host import PLAN, HostProcess, set_up
from tests.soak.scene import BOTS, opened, scene_at
from tests.waiting import until

PASSWORD = "five geese, no fox"
SELDOM = PLAN._replace(
    round_duels=1, epoch=timedelta(days=1), interval=timedelta(hours=1), catch_up=1
)
"""Who comes is played with once, and then nobody plays while pages are opened."""


class Hosted(NamedTuple):
    """A host that runs."""

    url: str
    database: str
    place: Path
    log: Path


@pytest.fixture(scope="module")
def hosted() -> Iterator[Hosted]:
    """Host a ladder with two house bots."""
    with TemporaryDirectory(prefix="upcard-e2e-") as directory:
        place = Path(directory)
        (place / "host").mkdir()
        scene, log = scene_at(place / "host"), place / "log"
        with opened(scene, create=True) as store:
            set_up(store, place / "bots", SELDOM)
        host = HostProcess(scene, log, 1)
        try:
            until(lambda: _answers(host.url))
            yield Hosted(host.url, scene.address, place, log)
            host.stop()
        finally:
            host.end()


def _answers(url: str) -> bool:
    try:
        with urlopen(f"{url}/healthz"):  # noqa: S310 (it is ours)
            return True
    except OSError:
        return False


@pytest.fixture(scope="module")
def home(hosted: Hosted) -> str:
    return f"{hosted.url}/"


@pytest.fixture(scope="module")
def link(hosted: Hosted) -> str:
    """Invite an author; return the link that she is sent."""
    words = ("accounts", "invite", "ada", "--name", "Ada L.", "--url", hosted.url)
    invited = said(*words, "--db", hosted.database)
    assert invited.code == 0, invited.err
    return invited.out.strip()


@pytest.fixture(scope="module")
def archive(hosted: Hosted) -> Path:
    """Pack a bot, as `upcard pack` does."""
    out = BytesIO()
    pack(write_bot(hosted.place / "mine", BOTS["last"], name="mine"), out, ArchiveLimits())
    path = hosted.place / "mine.tar.gz"
    path.write_bytes(out.getvalue())
    return path


def check_page(page: Page) -> None:
    """Check that everybody can read a page."""
    assert complaints_of_axe(page) == ""


def test_an_author_is_invited_hands_in_by_the_form_and_by_the_command_and_is_on_the_ladder(
    browser: Browser, home: str, link: str, archive: Path, hosted: Hosted
) -> None:
    reader = Reader(browser, home)
    # The code is filled in from behind the #, and sent.
    page = reader.open(link.removeprefix(home))
    password = page.get_by_label("Password")
    expect(page.locator("main")).to_contain_text("Choose a password for ada, Ada L.")
    assert page.url == f"{home}invitation"
    check_page(page)
    password.fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("h1")).to_have_text("My bots")
    check_page(page)

    page.get_by_label("Archive").set_input_files(archive)
    page.get_by_role("button", name="Hand it in").click()
    # The page loads again by itself until it is examined.
    expect(page.locator(".lead .state")).to_have_text("active")
    expect(page.get_by_role("region", name="Report card").locator("tbody tr").first).to_be_visible()
    check_page(page)

    page = reader.open("account/settings")
    check_page(page)
    page.get_by_role("button", name="Sign out").click()
    page = reader.open("account/")
    check_page(page)
    page.get_by_label("Login").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_have_text("My bots")

    hand_in_by_the_command(hosted)

    page = reader.open("")
    page.get_by_role("link", name="See the ladders").click()
    page.get_by_role("link", name="spring").click()

    def on_the_ladder() -> bool:
        page.reload()
        return page.locator("tr.mine").count() > 0

    until(on_the_ladder)
    expect(page.locator("tr.mine").first).to_contain_text("Ada L.")
    check_page(page)
    assert reader.complaints == []
    log = hosted.log.read_text()
    assert [secret for secret in (PASSWORD, link.partition("#")[2], "upc_") if secret in log] == []


def hand_in_by_the_command(hosted: Hosted) -> None:
    """Sign in and hand in a newer version by the commands."""
    newer = f"{BOTS['last']}  # newer"
    bot = write_bot(hosted.place / "newer", newer, name="mine")
    config = {"XDG_CONFIG_HOME": str(hosted.place / "config")}

    def upcard(*words: str, typed: str = "") -> str:
        ran = subprocess.run(
            [*UPCARD, *words],
            env=environment() | config,
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    upcard("login", hosted.url, "--login", "ada", typed=f"{PASSWORD}\n")
    assert "checks passed" in upcard("submit", str(bot), "--wait")
    states = [line.split(",")[4] for line in upcard("submissions", "--csv").splitlines()]
    assert states == ["state", "active", "resting"]

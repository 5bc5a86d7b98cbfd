"""The page of an open league while somebody reads it: updates leave alone what she is doing."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from referee.engine.record import SeededDeal
from referee.scheduling.keys import DuelKey, pairing
from referee.store.database import Store
from referee.store.duels import results
from referee.store.leagues import begin_epoch, create_league, league, leagues, withdraw
from referee.store.leases import lease
from referee.store.opening import open_store
from referee.store.play import packed
from referee.web import addresses
from tests.cli.leagues import HELD, NOW, SEED, bots, write_league
from tests.e2e.pages.conftest import Reader, serving
from tests.store.saving import save_duel
from tests.store.scenes import duel, played
from tests.table import euchre

PLAY: Final = packed(played(euchre(target=1), SeededDeal(SEED, "any")))
"""Of every duel, as no test here looks at it."""
NAMES: Final = ("ada", "bert", "carl", "dora", "emil", "fred")
AS_SERVED: Final = """async () => {
    const answer = await fetch('index.html');
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [old, now] = [document, page].map((each) => each.getElementById('standing').innerHTML);
    return old === now;
}"""
SCROLLED: Final = "[document.querySelector('.scroll').scrollLeft, scrollY]"
SELECTED: Final = "getSelection().toString()"
ROWS: Final = "[aria-label=Ratings] tbody tr"


class LivePage:
    """The page of a league that the test plays, in which ada leads."""

    def __init__(self, store: Store, name: str, reader: Reader) -> None:
        self._store = store
        self._name = name
        self._play(1, range(1))
        self.page = reader.open(addresses.league(name), width=360)
        self._is_shown()

    @property
    def names(self) -> list[str]:
        """The bots in the order of the table."""
        return self.page.locator(f"{ROWS} th").all_inner_texts()

    def link(self, name: str) -> Locator:
        """Find the link to a bot in the table."""
        return self.page.locator(f"{ROWS} th a", has_text=name)

    def fred_takes_the_lead(self) -> None:
        """Store wins of the last bot against all others, and wait until the page shows them."""
        assert (self.names[0], self.names[-1]) == ("ada", "fred")
        self._play(len(NAMES), range(1, 5))
        self._is_shown()
        assert self.names[:2] == ["fred", "ada"]

    def withdraw(self, name: str) -> None:
        withdraw(self._store, self._name, NAMES.index(name) + 1, NOW)

    def _play(self, winner: int, rounds: range) -> None:
        others = [other for other in range(1, len(NAMES) + 1) if other != winner]
        with lease(self._store, self._name) as ours:
            entered = league(self._store, self._name)
            keys = [DuelKey(*pairing(winner, other), each) for each in rounds for other in others]
            for key in keys:
                won = key.first == winner
                stored = duel(entered, key, play=PLAY)._replace(
                    wins=2 * won, margin=9.0 if won else -9.0
                )
                assert save_duel(self._store, ours, stored, HELD)

    def _is_shown(self) -> None:
        """Wait until the page shows all duels, and is what a new reader gets."""
        played = len(results(self._store, self._name))
        expect(self.page.locator("#played")).to_have_text(str(played))
        self.page.wait_for_function(AS_SERVED, polling=100)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with TemporaryDirectory(prefix="upcard-e2e-") as directory:
        place = Path(directory, "upcard.db")
        write_league(place, bots(NAMES), name="bots", played=0)
        with open_store(str(place)) as opened:
            yield opened


@pytest.fixture(scope="module")
def home(store: Store) -> Iterator[str]:
    """Serve it."""
    with serving(Path(store.location)) as address:
        yield address


@pytest.fixture
def live(reader: Reader, store: Store) -> LivePage:
    """Open the page of a new league."""
    name = f"live-{len(leagues(store))}"
    digests = [entry.bot.digest for entry in league(store, "bots").entries]
    create_league(store, name, league(store, "bots").plan, digests, NOW)
    with lease(store, name) as ours:
        begin_epoch(store, ours, SEED, seed_given=True, now=NOW)
    return LivePage(store, name, reader)


@pytest.mark.parametrize("name", ["fred", "ada", "carl"])
@pytest.mark.parametrize("browser_has", [True, False], ids=["moveBefore", "insertBefore"])
def test_the_focus_stays_where_it_is_when_rows_change_places(
    live: LivePage, name: str, *, browser_has: bool
) -> None:
    if not browser_has:
        live.page.evaluate("delete Element.prototype.moveBefore")
    assert live.page.evaluate("'moveBefore' in Element.prototype") == browser_has
    focused = live.link(name)
    focused.focus()
    live.fred_takes_the_lead()
    expect(focused).to_be_focused()


def test_the_table_and_the_page_stay_scrolled(live: LivePage) -> None:
    live.page.set_viewport_size({"width": 360, "height": 400})
    live.page.evaluate("document.querySelector('.scroll').scrollLeft = 90; scrollTo(0, 150)")
    assert live.page.evaluate(SCROLLED) == [90, 150]
    live.fred_takes_the_lead()
    assert live.page.evaluate(SCROLLED) == [90, 150]


@pytest.mark.parametrize("name", ["fred", "ada", "carl"])
def test_what_is_selected_stays_selected(live: LivePage, name: str) -> None:
    live.link(name).evaluate("(link) => getSelection().selectAllChildren(link)")
    live.fred_takes_the_lead()
    assert live.page.evaluate(SELECTED) == name


def test_the_row_of_a_bot_is_not_made_again(live: LivePage) -> None:
    rows = live.page.locator(ROWS)
    rows.evaluate_all("(rows) => rows.forEach((row) => { row.bot = row.cells[1].innerText; })")
    live.fred_takes_the_lead()
    assert rows.evaluate_all("(rows) => rows.map((row) => row.bot)") == live.names


def test_a_link_that_moves_to_another_table_keeps_the_focus(live: LivePage) -> None:
    live.link("emil").focus()
    live.withdraw("emil")
    expect(live.page.locator("[aria-label='Listed apart'] a")).to_be_focused()

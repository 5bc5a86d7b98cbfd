"""A reader who lets no script run misses nothing but what moves."""

from collections.abc import Mapping
from typing import Final

import pytest

from tests.e2e.pages.conftest import Reader
from tests.e2e.pages.scene import DUEL, PAGES

ROWS: Final[Mapping[str, tuple[str, int]]] = {
    "home": (".leagues > li", 7),
    "league": (".ratings tbody tr", 5),
    "crosstable": (".cross tbody tr", 5),
    "fairness": (".facts dt", 4),
    "entrant": ("[aria-label='Results by opponent'] tbody tr", 4),
    "pairing": ("[aria-label='Duels'] tbody tr", 1),
    "described duel": ("ol.played", 6),
    "described game": (".numbered", 52),
    "open league": (".ratings tbody tr", 2),
}


@pytest.mark.parametrize("page", ROWS)
def test_a_page_shows_what_it_is_about(reader: Reader, page: str) -> None:
    where, count = ROWS[page]
    rows = reader.open(PAGES[page], scripts=False).locator(where)
    assert rows.filter(visible=True).count() == count


@pytest.mark.parametrize("room", ["Open", "Closed"])
def test_a_duel_lists_the_tricks_of_both_rooms(reader: Reader, room: str) -> None:
    opened = reader.open(DUEL, scripts=False)
    tricks = opened.get_by_role("region", name=f"{room} room, hand 1", exact=True).locator("table")
    assert tricks.locator("tbody tr").count() == 5


def test_a_duel_does_not_show_a_replay_that_cannot_move(reader: Reader) -> None:
    assert reader.open(DUEL, scripts=False).locator("#replay").is_hidden()

"""Where pages are, and how one leads to another."""

from itertools import product
from posixpath import dirname, join, normpath

import pytest

from referee.scheduling.keys import DuelKey
from referee.web import addresses

PAGES = (
    addresses.HOME,
    addresses.league("club"),
    addresses.fairness("club"),
    addresses.crosstable("club"),
    addresses.entrant("club", 3),
    addresses.pairing("club", 1, 2),
    addresses.pairing("club", 1, 2, 7),
    addresses.duel("club", DuelKey(1, 2, 0)),
    addresses.league("a..b"),
    "api/index.html",
    "static/upcard.css",
)


@pytest.mark.parametrize(("here", "there"), [*product(PAGES, PAGES)])
def test_a_link_leads_from_any_page_to_any_other(here: str, there: str) -> None:
    link = addresses.relative(here, there)
    assert normpath(join(dirname(here), link)) == there


@pytest.mark.parametrize(("here", "there"), [*product(PAGES, PAGES)])
def test_a_link_works_wherever_the_pages_are_put(here: str, there: str) -> None:
    link = addresses.relative(here, there)
    assert normpath(join("/srv/www", dirname(here), link)) == f"/srv/www/{there}"


def test_no_two_pages_have_the_same_address() -> None:
    assert len({*PAGES}) == len(PAGES)


def test_a_pairing_has_one_address_whoever_is_named_first() -> None:
    assert addresses.pairing("club", 7, 2, 3) == addresses.pairing("club", 2, 7, 3)


def test_duels_are_numbered_from_one() -> None:
    assert addresses.duel("club", DuelKey(1, 2, 0)) == "leagues/club/duels/1-2-1.html"

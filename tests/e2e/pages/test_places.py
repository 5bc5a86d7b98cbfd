"""The replay of a game that a program describes: its places, its moves, and one seat's eyes."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages.conftest import Reader, complaints_of_axe
from tests.e2e.pages.scene import MANY_DUEL, POKER_DUEL
from tests.e2e.pages.test_replay import press, shows

HAND = "JSON.parse(document.getElementById('duel-data').textContent).rooms['1'].hands[0]"
HELD = """[...document.querySelectorAll('#replay .owner.player')].map((each) => [
    each.dataset.owner, each.querySelectorAll('.iloc .face:not(.back)').length])"""


@pytest.fixture
def poker(reader: Reader) -> Page:
    return reader.replay(POKER_DUEL)


@pytest.fixture
def many(reader: Reader) -> Page:
    """Return a duel of three players, in which each lays a card aside at first."""
    return reader.replay(MANY_DUEL)


def hand(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(HAND)
    return found


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        ("ArrowRight", {"play": 1}),
        ("ArrowRight ArrowLeft", {}),
        ("n", {"hand": 2}),
        ("n p", {}),
        ("r", {"room": "closed"}),
        ("r r", {}),
        ("v", {"eyes": "1"}),
        ("v v", {"eyes": "2"}),
        ("v v v", {}),
    ],
)
def test_a_key_leads_where_the_page_says(poker: Page, keys: str, there: dict[str, Any]) -> None:
    press(poker, keys)
    shows(poker, **there)


def test_a_step_on_tells_what_was_done(many: Page) -> None:
    press(many, "ArrowRight")
    step = hand(many)["steps"][0]
    words = f"Player {step['seat']} {step['says']}."
    expect(many.locator("#replay-caption")).to_have_text(words)


def test_a_step_on_marks_the_places_that_changed(many: Page) -> None:
    press(many, "ArrowRight")
    changed = hand(many)["steps"][0]["moves"]["places"]
    shown = [place for place in changed if place["cards"]]
    expect(many.locator("#replay .place.changed")).to_have_count(len(shown))


def test_the_end_of_a_hand_tells_the_points(poker: Page) -> None:
    press(poker, "End")
    expect(poker.locator("#replay-caption")).to_contain_text(
        re.compile(r"Points: Player 1 −?\d, Player 2 −?\d\.")
    )


def test_the_room_can_be_chosen_among_all(many: Page) -> None:
    many.get_by_role("button", name="Room 5").click()
    shows(many, room="5")
    press(many, "r r")
    shows(many, room="1")


def test_a_move_of_the_list_leads_to_it(many: Page) -> None:
    many.locator("#replay-moves button").nth(2).click()
    shows(many, room="1", play=3)
    expect(many.locator("#replay-moves [aria-current]")).to_have_count(1)


def test_a_move_of_the_listing_leads_to_its_place_in_the_replay(many: Page) -> None:
    listed = many.get_by_role("region", name="Room 3, hand 1", exact=True)
    listed.get_by_role("link").nth(4).click()
    shows(many, room="3", play=5)


def test_with_all_cards_open_every_hand_shows_its_faces(many: Page) -> None:
    held = [
        [place["owner"], min(len(place["cards"]), 16)]
        for place in hand(many)["places"]
        if place["name"] == "HAND"
    ]
    assert many.evaluate(HELD) == held


@pytest.mark.parametrize("seat", ["1", "2", "3"])
def test_one_seat_sees_the_faces_of_no_other_hand(many: Page, seat: str) -> None:
    press(many, "v " * int(seat))
    assert {owner for owner, faces in many.evaluate(HELD) if faces} == {seat}


def test_one_seat_is_not_told_what_another_lays_aside(many: Page) -> None:
    step = hand(many)["steps"][0]
    other = "2" if step["seat"] == "1" else "1"
    press(many, "v " * int(other) + "ArrowRight")
    words = f"Player {step['seat']} moves a card from HAND to PASSED."
    expect(many.locator("#replay-caption")).to_have_text(words)
    expect(many.locator("#replay-moves li").first).to_contain_text("moves a card")


def test_a_decision_leads_to_its_line_of_the_program(poker: Page) -> None:
    press(poker, "ArrowRight")
    poker.locator("#replay-line").click()
    expect(poker).to_have_url(re.compile(r"game\.html#line-\d+$"))
    expect(poker.locator(".numbered:target")).to_be_in_viewport()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("keys", ["", "v"])
def test_everybody_can_read_the_places_in_the_midst_of_a_hand(
    reader: Reader, keys: str, *, dark: bool
) -> None:
    duel = reader.open(f"{MANY_DUEL}#room=2&hand=1&play=9", dark=dark, calm=True)
    press(duel, keys)
    assert complaints_of_axe(duel, "#replay") == ""


@pytest.mark.parametrize("keys", ["v", "End"])
def test_no_way_of_looking_at_it_is_wider_than_a_telephone(reader: Reader, keys: str) -> None:
    duel = reader.open(MANY_DUEL, width=360)
    press(duel, keys)
    assert duel.evaluate("document.documentElement.scrollWidth") == 360


def test_it_plays_on_to_the_end_of_the_match(reader: Reader) -> None:
    duel = reader.open(POKER_DUEL, clock=True)
    press(duel, "Space")
    duel.clock.run_for(600_000)
    expect(duel.locator("#replay-caption")).to_contain_text(re.compile("wins the match|ends level"))

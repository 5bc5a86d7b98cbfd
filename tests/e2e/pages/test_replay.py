"""The replay of a duel: by keyboard, by link, with one seat's eyes, at rest and in motion."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages.conftest import Reader, complaints_of_axe
from tests.e2e.pages.scene import DUEL, PAGES

SEATS = ("N", "E", "S", "W")
HAND = "JSON.parse(document.getElementById('duel-data').textContent).rooms.open.hands[0]"
"""The hand that is shown first, as its page has it: in it the dealer, North, lays a card away."""
FACES = """[...document.querySelectorAll('#replay img[alt]:not([alt=""]), #replay [role=img]')]
    .map((each) => each.alt ?? each.getAttribute('aria-label'))"""
IN_HANDS = """[...document.querySelectorAll('#replay .hand')].map((each) => [each.dataset.seat,
    each.querySelectorAll('.held:is([data-card], :has(img[alt]:not([alt=""]), [role=img]))').length
])"""
ALL_LOADED = """[...document.querySelectorAll('#replay img')]
    .every((each) => each.complete && each.naturalWidth > 0)"""
MOVING = """[...document.querySelectorAll('#replay *')].filter((each) => {
    const { animationName, transitionDuration } = getComputedStyle(each);
    return animationName !== 'none' || transitionDuration !== '0s';
}).map((each) => each.outerHTML)"""


def shows(
    page: Page, *, room: str = "open", hand: int = 1, play: int = 0, eyes: str = "all"
) -> None:
    """Wait until the table shows a position."""
    table = page.locator("#replay-table")
    for name, value in {"room": room, "hand": hand, "play": play, "see": eyes}.items():
        expect(table).to_have_attribute(f"data-{name}", str(value))


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def see(page: Page, seat: str) -> None:
    press(page, "v " * (SEATS.index(seat) + 1))


def words(card: str) -> str:
    """Return a card as it is read out."""
    rank = dict(zip("9TJQKA", ("nine", "ten", "jack", "queen", "king", "ace"), strict=True))
    suit = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
    return f"{rank[card[0]]} of {suit[card[1]]}"


def hand(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(HAND)
    return found


@pytest.fixture
def duel(reader: Reader) -> Page:
    """Return a duel whose table shows a hand that was just dealt."""
    return reader.replay(DUEL)


@pytest.fixture
def new(reader: Reader) -> Page:
    """Open a duel anew, in which more is changed than where it stands."""
    return reader.open(DUEL)


# By keyboard


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        ("ArrowRight", {"play": 1}),
        ("ArrowRight ArrowRight ArrowLeft", {"play": 1}),
        ("End", {"play": 17}),
        ("End ArrowRight", {"hand": 2}),
        ("End Home", {}),
        ("n", {"hand": 2}),
        ("PageDown PageDown", {"hand": 3}),
        ("n n p", {"hand": 2}),
        ("n n PageUp", {"hand": 2}),
        ("r", {"room": "closed"}),
        ("ArrowRight r", {"room": "closed", "play": 1}),
        ("r r", {}),
        ("v", {"eyes": "N"}),
        ("v v v v", {"eyes": "W"}),
        ("v v v v v", {}),
        ("ArrowLeft", {}),
        ("p", {}),
        ("n n n n n n End ArrowRight", {"hand": 4, "play": 26}),
    ],
)
def test_a_key_leads_where_the_page_says(duel: Page, keys: str, there: dict[str, Any]) -> None:
    press(duel, keys)
    shows(duel, **there)


def test_a_step_on_tells_what_was_done(duel: Page) -> None:
    press(duel, "ArrowRight")
    expect(duel.locator("#replay-caption")).to_have_text(
        re.compile(rf"^Bid 1: \w+ {hand(duel)['steps'][0]['says']}")
    )


def test_the_end_of_a_hand_tells_what_it_was_worth(duel: Page) -> None:
    press(duel, "End")
    expect(duel.locator("#replay-caption")).to_contain_text(re.compile(r"make [1-4] points?"))


def test_the_address_follows_each_step(duel: Page) -> None:
    press(duel, "r n ArrowRight ArrowRight v")
    expect(duel).to_have_url(re.compile("#room=closed&hand=2&play=2&see=N$"))


def test_stepping_leaves_no_trail_to_go_back_through(new: Page) -> None:
    before = new.evaluate("history.length")
    press(new, "ArrowRight ArrowRight")
    expect(new).to_have_url(re.compile("play=2$"))
    assert new.evaluate("history.length") == before


def test_keys_do_nothing_to_the_table_while_something_is_chosen(new: Page) -> None:
    new.locator("#replay-speed").focus()
    press(new, "n")
    shows(new)


def test_a_played_card_leaves_the_hand(duel: Page) -> None:
    press(duel, "ArrowRight ArrowRight ArrowRight")
    seat = hand(duel)["steps"][2]["seat"]
    expect(duel.locator(f"#replay-hand-{seat}")).to_have_attribute("aria-label", re.compile(" 4 "))


# By link


@pytest.mark.parametrize(
    ("link", "there"),
    [
        ("#hand=3&play=7", {"hand": 3, "play": 7}),
        ("#room=closed&hand=5&play=1&see=S", {"room": "closed", "hand": 5, "play": 1, "eyes": "S"}),
        ("#hand=99&play=99", {"hand": 4, "play": 26}),
        ("#hand=x&play=-1&see=Q&room=attic", {}),
    ],
)
def test_a_link_leads_to_its_place(reader: Reader, link: str, there: dict[str, Any]) -> None:
    shows(reader.open(DUEL + link), **there)


def test_a_card_of_the_listing_leads_to_its_place_in_the_replay(duel: Page) -> None:
    listed = duel.get_by_role("region", name="Closed room, hand 2", exact=True)
    listed.locator(".tricks .led a").first.click()
    shows(duel, room="closed", hand=2, play=4)


def test_the_table_comes_into_view_of_whoever_is_led_there(new: Page) -> None:
    new.locator(".tricks a").last.click()
    expect(new.locator("#replay-table")).to_be_focused()
    expect(new.locator("#replay-table")).to_be_in_viewport()


def test_the_link_to_a_card_leads_back_to_it(duel: Page) -> None:
    press(duel, "n ArrowRight ArrowRight ArrowRight")
    link = duel.locator("#replay-link")
    expect(link).to_have_attribute("href", "#hand=2&play=3")


# With one seat's eyes


def test_with_all_cards_open_every_hand_shows_its_faces(duel: Page) -> None:
    assert duel.evaluate(IN_HANDS) == [[seat, 5] for seat in ("N", "W", "E", "S")]


@pytest.mark.parametrize("seat", SEATS)
def test_one_seat_sees_the_faces_of_no_other_hand(duel: Page, seat: str) -> None:
    see(duel, seat)
    found = duel.evaluate(IN_HANDS)
    assert found == [[each, 5 * (each == seat)] for each in ("N", "W", "E", "S")]


@pytest.mark.parametrize(("seat", "keys"), [("N", ""), ("E", "f"), ("S", ""), ("W", "f")])
def test_one_seat_never_sees_more_than_it_was_shown(new: Page, seat: str, keys: str) -> None:
    see(new, seat)
    press(new, keys)
    dealt = hand(new)
    seen = {dealt["turned"], *dealt["cards"][seat]}
    shown = []
    for step in dealt["steps"]:
        press(new, "ArrowRight")
        seen |= {step["plays"]} if "plays" in step else set()
        shown.append({*new.evaluate(FACES)} - {words(card) for card in seen})
    assert shown == [set()] * len(dealt["steps"])


def test_a_card_laid_away_is_told_to_whoever_sees_the_hand(duel: Page) -> None:
    press(duel, "v ArrowRight ArrowRight")
    away = hand(duel)["steps"][1]["lays_away"]
    expect(duel.locator("#replay-caption")).to_have_text(f"North discards the {words(away)}.")


def test_a_card_laid_away_is_not_told_to_the_others(duel: Page) -> None:
    press(duel, "v v ArrowRight ArrowRight")
    expect(duel.locator("#replay-caption")).to_have_text("North discards a card.")


# Pictures and letters


@pytest.mark.parametrize("page", ["duel", "whist duel"])
def test_every_picture_of_a_card_is_there(reader: Reader, page: str) -> None:
    duel = reader.open(PAGES[page])
    duel.wait_for_function(ALL_LOADED)
    expect(duel.locator("#replay .hand img").first).to_be_visible()


def test_the_picture_of_a_back_is_there(new: Page) -> None:
    press(new, "v")
    expect(new.locator("#replay-hand-S img[alt='']")).to_have_count(5)
    new.wait_for_function(ALL_LOADED)


def test_letters_take_the_place_of_pictures(new: Page) -> None:
    pictured = new.evaluate(FACES)
    press(new, "f")
    expect(new.locator("#replay img")).to_have_count(0)
    assert new.evaluate(FACES) == pictured


def test_pictures_take_their_place_again(new: Page) -> None:
    press(new, "f f")
    expect(new.locator("#replay .hand img")).to_have_count(20)


def test_whoever_prefers_letters_has_them_on_the_next_page(new: Page) -> None:
    press(new, "f")
    new.reload()
    expect(new.locator("#replay .hand [role=img]")).to_have_count(20)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("keys", ["f", "v"])
def test_everybody_can_read_a_table_in_the_midst_of_a_hand(
    reader: Reader, keys: str, *, dark: bool
) -> None:
    duel = reader.open(f"{DUEL}#hand=2&play=9", dark=dark, calm=True)
    press(duel, keys)
    assert complaints_of_axe(duel, "#replay") == ""


@pytest.mark.parametrize("page", ["duel", "whist duel", "strangers' duel"])
@pytest.mark.parametrize("keys", ["f", "v", "End"])
def test_no_way_of_looking_at_it_is_wider_than_a_telephone(
    reader: Reader, page: str, keys: str
) -> None:
    duel = reader.open(PAGES[page], width=360)
    press(duel, keys)
    assert duel.evaluate("document.documentElement.scrollWidth") == 360


# In motion


def test_space_plays_card_after_card(reader: Reader) -> None:
    duel = reader.open(DUEL, clock=True)
    press(duel, "Space")
    duel.clock.run_for(1000)
    shows(duel, play=1)
    duel.clock.run_for(1000)
    shows(duel, play=2)


def test_space_again_pauses(reader: Reader) -> None:
    duel = reader.open(DUEL, clock=True)
    press(duel, "Space")
    duel.clock.run_for(1000)
    press(duel, "Space")
    duel.clock.run_for(60_000)
    shows(duel, play=1)


def test_the_button_says_what_it_does(new: Page) -> None:
    play = new.locator("#replay-play")
    expect(play).to_have_text("Play")
    press(new, "Space")
    expect(play).to_have_text("Pause")


def test_it_plays_on_to_the_end_of_the_match(reader: Reader) -> None:
    duel = reader.open(DUEL, clock=True)
    press(duel, "Space")
    duel.clock.run_for(600_000)
    shows(duel, hand=4, play=26)
    expect(duel.locator("#replay-play")).to_have_text("Play")


def test_whoever_steps_by_herself_is_not_moved(reader: Reader) -> None:
    duel = reader.open(DUEL, clock=True)
    press(duel, "Space ArrowRight")
    duel.clock.run_for(60_000)
    shows(duel, play=1)


def test_a_played_card_moves(duel: Page) -> None:
    press(duel, "ArrowRight ArrowRight ArrowRight")
    assert len(duel.evaluate(MOVING)) == 1


def test_nothing_moves_for_whoever_wants_it_calm(reader: Reader) -> None:
    duel = reader.open(DUEL, calm=True)
    press(duel, "ArrowRight ArrowRight ArrowRight")
    assert duel.evaluate(MOVING) == []

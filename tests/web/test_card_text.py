"""Cards as pages show them."""

from xml.etree import ElementTree as ET

import pytest

from referee.engine.registry import PRESETS
from referee.web.card_text import WORDS, card_link, card_text

CARDS = sorted({card for game in PRESETS.values() for card in game.kind.pack})


def parsed(shown: str) -> ET.Element:
    return ET.fromstring(shown)  # noqa: S314 (it is ours)


@pytest.mark.parametrize("card", CARDS)
def test_every_card_of_every_game_has_a_face_that_can_be_read_out(card: str) -> None:
    assert parsed(card_text(card)).get("aria-label") == WORDS[card]


@pytest.mark.parametrize("card", CARDS)
def test_a_card_can_lead_somewhere_and_looks_the_same(card: str) -> None:
    link, shown = parsed(card_link(card, "#here")), parsed(card_text(card))
    assert (link.tag, link.get("href")) == ("a", "#here")
    for attribute in ("class", "aria-label"):
        assert link.get(attribute) == shown.get(attribute)
    assert link.text == shown.text


def test_no_two_cards_look_or_sound_alike() -> None:
    assert len({card_text(card) for card in CARDS}) == len({*WORDS.values()}) == len(CARDS) == 52


def test_a_ten_is_written_as_on_the_card() -> None:
    assert ">10♥<" in card_text("TH")


def test_an_address_is_escaped() -> None:
    assert 'href="#&#34;&lt;"' in card_link("TH", '#"<')

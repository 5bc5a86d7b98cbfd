"""Packs, seats, and dealing a deck out."""

import pytest

from referee.engine.cards import (
    RANKS,
    SEATS,
    Card,
    CardChoices,
    ChoicesByHalf,
    ChoicesBySuit,
    Pack,
    next_seat,
    partner,
    rank,
    suit,
    team,
)
from referee.errors import ConfigError

PACK = Pack("QKA")


def test_a_card_is_its_rank_and_suit() -> None:
    assert (rank(Card("TD")), suit(Card("TD"))) == ("T", "D")


@pytest.mark.parametrize("seat", SEATS)
def test_partners_sit_across_the_table(seat: int) -> None:
    assert partner(seat) == next_seat(next_seat(seat))


@pytest.mark.parametrize("seat", SEATS)
def test_partners_are_one_team(seat: int) -> None:
    assert team(seat) == team(partner(seat)) != team(next_seat(seat))


def test_a_pack_is_in_order_of_suit_then_rank() -> None:
    assert " ".join(PACK.cards) == "QC KC AC QD KD AD QH KH AH QS KS AS"


def test_a_full_pack_has_52_cards() -> None:
    assert len(set(Pack(RANKS).cards)) == 52


def test_a_set_of_cards_is_named_in_the_order_of_the_pack() -> None:
    assert PACK.names(PACK.bits([Card("AS"), Card("QC")])) == ("QC", "AS")


@pytest.mark.parametrize("dealer", SEATS)
def test_cards_are_dealt_from_eldest_on(dealer: int) -> None:
    hands = PACK.deal(PACK.cards, dealer, 2)
    assert PACK.names(hands[next_seat(dealer)]) == ("QC", "KC")


@pytest.mark.parametrize("dealer", SEATS)
def test_the_dealer_gets_the_last_cards(dealer: int) -> None:
    assert PACK.names(PACK.deal(PACK.cards, dealer, 3)[dealer]) == ("QS", "KS", "AS")


@pytest.mark.parametrize(
    "deck",
    [
        (),
        ("QC",),
        PACK.cards[:-1],
        (*PACK.cards, "QC"),
        (*PACK.cards[:-1], "QC"),
        (*PACK.cards[:-1], "9C"),
        ("KC", "KC", *PACK.cards[2:]),
    ],
    ids=["empty", "one card", "one short", "one too many", "one twice", "a stranger", "two alike"],
)
def test_a_deck_that_is_not_each_card_once_is_refused(deck: tuple[Card, ...]) -> None:
    with pytest.raises(ConfigError, match="a deck holds each of the 12 cards of the game once"):
        PACK.deal(deck, 0, 3)


@pytest.mark.parametrize("choices", [ChoicesByHalf(PACK, "play"), ChoicesBySuit(PACK, "play")])
def test_every_set_offers_its_cards_in_the_order_of_the_pack(choices: CardChoices) -> None:
    for held in range(1 << 12):
        assert choices[held] == tuple(f"play:{card}" for card in PACK.names(held))

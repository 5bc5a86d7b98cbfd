"""`upcard deal`."""

import json

import pytest

from referee.engine.dealing import commitment, decks, hand_seeds
from referee.engine.registry import PRESETS
from tests.cli.conftest import Upcard

SEED = "0f" * 32


@pytest.mark.parametrize("game", PRESETS)
def test_the_deck_is_the_one_the_seed_gives(upcard: Upcard, game: str) -> None:
    told = json.loads(
        upcard("deal", game, "--seed", SEED, "--duel", "A", "--hand", 3, "--json").out
    )
    assert tuple(told["deck"]) == decks(PRESETS[game].kind.pack, bytes.fromhex(SEED), "A")(2)


def test_json_counts_hands_from_0_as_records_do(upcard: Upcard) -> None:
    assert json.loads(upcard("deal", "whist", "--hand", 3, "--json").out)["hand"] == 2


def test_the_commitment_is_shown(upcard: Upcard) -> None:
    assert commitment(bytes.fromhex(SEED)) in upcard("deal", "whist", "--seed", SEED).out


def test_the_dealer_is_the_one_of_that_hand_of_the_game(upcard: Upcard) -> None:
    told = (upcard("deal", "euchre", "--hand", hand, "--json").out for hand in (1, 2, 3))
    assert [json.loads(one)["dealer"] for one in told] == ["W", "N", "E"]


def test_another_dealer_can_be_named(upcard: Upcard) -> None:
    assert (
        "South"
        in upcard("deal", "euchre", "--dealer", "S").out.split("(deals)")[0].splitlines()[-1]
    )


def test_the_hands_are_shown_by_seat(upcard: Upcard) -> None:
    out = upcard("deal", "euchre", "--seed", SEED).out
    told = json.loads(upcard("deal", "euchre", "--seed", SEED, "--json").out)
    for name, cards in zip(("North", "East", "South", "West"), told["hands"].values(), strict=True):
        assert any(line.startswith(name) and " ".join(cards) in line for line in out.splitlines())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("chess",), "there is no game 'chess'"),
        (("euchre", "--hand", "0"), "Invalid value for '--hand'"),
        (("euchre", "--dealer", "north"), "there is no seat 'north'"),
        (("euchre", "--seed", SEED.upper()), "a seed is 64 lower-case hexadecimal digits"),
    ],
)
def test_wrong_words_are_answered_in_one_line(
    upcard: Upcard, words: tuple[str, ...], says: str
) -> None:
    said = upcard("deal", *words)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)


def test_a_game_from_a_program_has_the_places_of_its_first_decision(upcard: Upcard) -> None:
    told = json.loads(upcard("deal", "kuhn-poker", "--seed", SEED, "--json").out)
    hands = [place for place in told["places"] if place["name"] == "HAND"]
    assert [(place["owner"], place["kind"], place["size"]) for place in hands] == [
        ("1", "iloc", 1),
        ("2", "iloc", 1),
    ]
    assert {place["cards"][0] for place in hands} <= {"JACK", "QUEEN", "KING"}


def test_places_are_those_of_seats_whoever_deals(upcard: Upcard) -> None:
    hand = ("deal", "collectors", "--seed", SEED, "--json", "--dealer")
    first, other = (json.loads(upcard(*hand, dealer).out)["places"] for dealer in ("5", "2"))
    turned = {str(seat): str((seat + 1) % 5 + 1) for seat in range(1, 6)} | {"table": "table"}
    assert sorted(map(str, other)) == sorted(
        str(place | {"owner": turned[place["owner"]]}) for place in first
    )


def test_cards_that_nobody_sees_are_only_counted(upcard: Upcard) -> None:
    assert "Table       iloc STOCK: 1 card\n" in upcard("deal", "kuhn-poker").out


def test_the_deck_of_a_game_from_a_program_is_the_seed_of_its_hand(upcard: Upcard) -> None:
    told = json.loads(upcard("deal", "scopa", "--seed", SEED, "--duel", "A", "--json").out)
    assert told["deck"] == [hand_seeds(bytes.fromhex(SEED), "A")(0).hex()]

"""Decks and commitments, against `docs/deals.md` and a second implementation written from it."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.cards import SEAT_NAMES, SEAT_TOKENS, Card
from referee.engine.dealing import (
    commitment,
    decks,
    mixed_seed,
    nonce_hash,
    seed_from_text,
    table_seed,
)
from referee.engine.registry import preset
from referee.engine.tricks import trick_view
from referee.errors import ConfigError

# The second implementation: it shares nothing with the first. Blocks are whole numbers, a byte is
# what a division leaves, and the cards are taken off a shrinking pile.

PACKS = {
    "euchre": [rank + suit for suit in "CDHS" for rank in "9TJQKA"],
    "whist": [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"],
}


def big_endian(number: int) -> bytes:
    return bytes(number // 256**place % 256 for place in (3, 2, 1, 0))


class SecondShuffle:
    """One deck, with the bytes it took."""

    def __init__(self, pack: str, seed: bytes, duel: str, hand: int) -> None:
        key = bytes(duel, "utf-8")
        self._hashed = b"".join(
            (b"upcard-deck-v1", seed, big_endian(len(key)), key, big_endian(hand))
        )
        self.taken = 0
        self.refused = 0
        pile = list(PACKS[pack])
        placed: list[str] = []
        while len(pile) > 1:
            place = self._place_among(len(pile))
            placed.append(pile[place])
            pile[place] = pile[-1]
            pile.pop()
        self.deck = pile + placed[::-1]

    @property
    def blocks(self) -> int:
        return -(-self.taken // 32)

    def _place_among(self, left: int) -> int:
        byte = self._next_byte()
        while byte // left == 256 // left:
            self.refused += 1
            byte = self._next_byte()
        return byte % left

    def _next_byte(self) -> int:
        counter, place = divmod(self.taken, 32)
        block = int(sha256(self._hashed + big_endian(counter)).hexdigest(), 16)
        self.taken += 1
        return (block >> 8 * (31 - place)) % 256


# What the documentation says.

PAGE = (Path(__file__).parents[2] / "docs" / "deals.md").read_text(encoding="utf-8")
VECTORS, COMMITMENTS, RANDOM_BITS, HASHES, SEEDS, HAND_SEEDS, DRAWS, _ROUNDS = map(
    json.loads, re.findall(r"(?ms)^```json\n(.+?)^```", PAGE)
)
EXAMPLE = PAGE.split("## Worked example")[1].split("## ")[0]

Vector = dict[str, Any]
each_vector = pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector['pack']}-{vector['duel']}-{vector['hand']}"
)
each_commitment = pytest.mark.parametrize("vector", COMMITMENTS, ids=lambda v: v["seed"][:8])

SEED = bytes(range(32))
OTHER_SEED = bytes(31) + b"\x01"

seeds = st.binary(min_size=32, max_size=32)
keys = st.text(st.characters(codec="utf-8"), max_size=40)
hands = st.integers(0, 2**32 - 1)
packs = st.sampled_from(sorted(PACKS))


def engine_deck(pack: str, seed: bytes, duel: str, hand: int) -> tuple[Card, ...]:
    return decks(preset(pack).game().pack, seed, duel)(hand)


def second(vector: Vector) -> SecondShuffle:
    seed = bytes.fromhex(vector["seed"])
    return SecondShuffle(vector["pack"], seed, vector["duel"], vector["hand"])


def documented_blocks(pack: str) -> set[int]:
    return {vector["blocks"] for vector in VECTORS if vector["pack"] == pack}


@each_vector
def test_the_engine_gives_each_documented_deck(vector: Vector) -> None:
    seed = seed_from_text(vector["seed"])
    found = engine_deck(vector["pack"], seed, vector["duel"], vector["hand"])
    assert " ".join(found) == vector["deck"]


@each_vector
def test_the_second_implementation_gives_each_documented_deck(vector: Vector) -> None:
    assert " ".join(second(vector).deck) == vector["deck"]


@each_vector
def test_each_documented_deck_refuses_as_many_bytes_as_is_said(vector: Vector) -> None:
    assert second(vector).refused == vector["refused"]


@each_vector
def test_each_documented_deck_takes_as_many_blocks_as_is_said(vector: Vector) -> None:
    assert second(vector).blocks == vector["blocks"]


def test_a_documented_euchre_deck_needs_a_second_block() -> None:
    assert 2 in documented_blocks("euchre")


def test_a_documented_whist_deck_needs_a_third_block() -> None:
    assert 3 in documented_blocks("whist")


@given(packs, seeds, keys, hands)
def test_both_implementations_agree(pack: str, seed: bytes, duel: str, hand: int) -> None:
    theirs = SecondShuffle(pack, seed, duel, hand).deck
    assert list(engine_deck(pack, seed, duel, hand)) == theirs


@given(packs, seeds, keys, hands)
def test_a_deck_is_every_card_of_the_pack_once(
    pack: str, seed: bytes, duel: str, hand: int
) -> None:
    assert sorted(engine_deck(pack, seed, duel, hand)) == sorted(PACKS[pack])


@pytest.mark.parametrize("pack", PACKS)
def test_a_shuffle_starts_from_the_documented_order(pack: str) -> None:
    assert list(preset(pack).game().pack) == PACKS[pack]


def test_a_single_card_is_a_deck() -> None:
    assert decks((Card("JD"),), SEED, "duel-1")(0) == ("JD",)


def test_the_documented_bytes_have_the_documented_hash() -> None:
    parts = re.findall(r"^\| \w+ \| `([0-9a-f]+)` \|$", EXAMPLE, re.MULTILINE)
    (block,) = re.findall(r"Block 0 is `([0-9a-f]+)`", EXAMPLE)
    assert sha256(bytes.fromhex("".join(parts))).hexdigest() == block


def test_the_documented_first_draws_end_up_at_the_top_of_the_deck() -> None:
    drawn = re.findall(r"\| (\w\w) \| (\d+) \|$", EXAMPLE, re.MULTILINE)
    deck = VECTORS[0]["deck"].split()
    assert drawn == [(deck[place], str(place)) for place in (23, 22, 21)]


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_gets_the_documented_hand(seat: int) -> None:
    (documented,) = re.findall(rf"^    {SEAT_NAMES[seat]} +(.+)$", PAGE, re.MULTILINE)
    state = preset("euchre").game().start(engine_deck("euchre", SEED, "duel-1", 0), dealer=3)
    assert set(trick_view(state, seat).hand) == set(documented.split())


def test_the_documented_upcard_is_turned_up() -> None:
    (documented,) = re.findall(r"^    upcard +(.+)$", PAGE, re.MULTILINE)
    state = preset("euchre").game().start(engine_deck("euchre", SEED, "duel-1", 0), dealer=3)
    assert trick_view(state, None).turned == documented


@pytest.mark.parametrize("dealer", range(4))
def test_whist_deals_thirteen_at_a_time_from_eldest_on(dealer: int) -> None:
    deck = engine_deck("whist", SEED, "duel-1", 0)
    state = preset("whist").game().start(deck, dealer)
    for turn in range(4):
        seat = (dealer + 1 + turn) % 4
        assert set(trick_view(state, seat).hand) == set(deck[13 * turn : 13 * turn + 13])


def test_whist_turns_the_last_card_dealt() -> None:
    deck = engine_deck("whist", SEED, "duel-1", 0)
    assert trick_view(preset("whist").game().start(deck, 0), None).turned == deck[51]


# Chance. Nothing here is drawn at random: the decks are those of fixed seeds. Fair decks give a
# chi-square of 552 for places and 529 for neighbours on average, both with a standard deviation
# of 34, and the bounds are six of those away. A shuffle that refuses no byte is outside them.

FAIR_DECKS = 20_000
LEAST, MOST = 340, 755

some_seeds = pytest.mark.parametrize("seed", [bytes(32), SEED], ids=["zeros", "ascending"])


def unevenness(found: Counter[tuple[str, int]] | Counter[tuple[str, str]], cells: int) -> float:
    """Return chi-square for cells that should all be equally full."""
    expected = found.total() / cells
    seen = sum((full - expected) ** 2 / expected for full in found.values())
    return seen + (cells - len(found)) * expected


def over_places(of_deck: Callable[[int], Sequence[str]]) -> float:
    """Return how unevenly cards are spread over the places of a deck."""
    found = (
        pair for hand in range(FAIR_DECKS) for pair in zip(of_deck(hand), range(24), strict=True)
    )
    return unevenness(Counter(found), 24 * 24)


def over_neighbours(of_deck: Callable[[int], Sequence[str]]) -> float:
    """Return how unevenly cards follow one another."""
    found = (pair for hand in range(FAIR_DECKS) for pair in pairwise(of_deck(hand)))
    return unevenness(Counter(found), 24 * 23)


def refusing_nothing(hand: int) -> list[str]:
    """Shuffle as documented, but use every byte."""
    deck = list(PACKS["euchre"])
    stream = sha256(b"refusing nothing" + big_endian(hand)).digest()
    for left in range(24, 1, -1):
        drawn = stream[24 - left] % left
        deck[left - 1], deck[drawn] = deck[drawn], deck[left - 1]
    return deck


@some_seeds
def test_every_card_is_equally_often_at_every_place(seed: bytes) -> None:
    of_deck = decks(preset("euchre").game().pack, seed, "chance")
    assert LEAST < over_places(of_deck) < MOST


@some_seeds
def test_every_card_equally_often_follows_every_other(seed: bytes) -> None:
    of_deck = decks(preset("euchre").game().pack, seed, "chance")
    assert LEAST < over_neighbours(of_deck) < MOST


def test_a_shuffle_that_refuses_no_byte_is_seen_to_be_unfair() -> None:
    assert over_places(refusing_nothing) > MOST


# Different inputs, different decks.


def test_each_hand_of_a_duel_has_a_deck_of_its_own() -> None:
    deck_of = decks(preset("euchre").game().pack, SEED, "duel-1")
    assert len({deck_of(hand) for hand in range(1000)}) == 1000


def test_a_deck_does_not_depend_on_the_hands_dealt_before_it() -> None:
    deck_of = decks(preset("euchre").game().pack, SEED, "duel-1")
    before = deck_of(7)
    deck_of(0)
    assert deck_of(7) == before


def test_another_duel_has_other_decks() -> None:
    assert engine_deck("euchre", SEED, "duel-1", 0) != engine_deck("euchre", SEED, "duel-2", 0)


def test_another_seed_gives_other_decks() -> None:
    assert engine_deck("euchre", SEED, "a", 0) != engine_deck("euchre", OTHER_SEED, "a", 0)


def test_keys_do_not_run_into_what_is_hashed_after_them() -> None:
    pieces = ["", "\0", "\0\0\0\0", "a", "aa", "aaaa", "aaaaa", "\0\0\0a", "a\0\0\0"]
    numbers = [0, 1, 0x61, 0x61000000, 0x61616161, 0x01000000]
    found = {engine_deck("euchre", SEED, key, hand) for key in pieces for hand in numbers}
    assert len(found) == len(pieces) * len(numbers)


def test_keys_that_look_alike_but_differ_in_bytes_are_different_keys() -> None:
    composed, combined = "\u00c4", "A\u0308"
    assert engine_deck("euchre", SEED, composed, 0) != engine_deck("euchre", SEED, combined, 0)


# Seeds and keys.


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_no_deck_comes_from_a_seed_of_another_length(length: int) -> None:
    with pytest.raises(ConfigError, match=rf"^a seed is 32 bytes, not {length}$"):
        engine_deck("euchre", bytes(length), "duel-1", 0)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_no_seed_of_another_length_has_a_commitment(length: int) -> None:
    with pytest.raises(ConfigError, match=rf"^a seed is 32 bytes, not {length}$"):
        commitment(bytes(length))


def test_a_key_that_utf_8_cannot_write_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^a duel key is text that can be written in UTF-8"):
        engine_deck("euchre", SEED, "duel-\ud800", 0)


@given(seeds)
def test_a_seed_is_read_as_it_is_written(seed: bytes) -> None:
    assert seed_from_text(seed.hex()) == seed


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("0" * 63, id="a digit short"),
        pytest.param("0" * 65, id="a digit long"),
        pytest.param("A" * 64, id="capitals"),
        pytest.param("g" + "0" * 63, id="not a hexadecimal digit"),
        pytest.param("00 " * 21 + "0", id="spaces"),
        pytest.param("\u0660" * 64, id="digits of another script"),
    ],
)
def test_a_text_that_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^a seed is 64 lower-case hexadecimal digits, not "):
        seed_from_text(text)


def test_a_refusal_repeats_no_more_than_the_start_of_a_long_text() -> None:
    with pytest.raises(ConfigError, match=rf"not '{'x' * 80}'$"):
        seed_from_text("x" * 10_000)


@each_commitment
def test_the_engine_gives_each_documented_commitment(vector: Vector) -> None:
    assert commitment(seed_from_text(vector["seed"])) == vector["commitment"]


@given(seeds)
def test_a_commitment_is_the_hash_of_its_label_and_the_seed(seed: bytes) -> None:
    assert commitment(seed) == sha256(b"upcard-seed-v1" + seed).hexdigest()


@pytest.mark.parametrize("vector", RANDOM_BITS, ids=lambda vector: vector["seat"])
def test_a_bot_draws_on_the_documented_bits(vector: Vector) -> None:
    seat = SEAT_TOKENS.index(vector["seat"])
    assert f"{table_seed(SEED, 'duel-1', seat):016x}" == vector["bits"]


@pytest.mark.parametrize("vector", RANDOM_BITS, ids=lambda vector: vector["seat"])
def test_the_bits_follow_from_what_the_page_says_is_hashed(vector: Vector) -> None:
    seat = "NESW".index(vector["seat"])
    hashed = b"upcard-table-v1" + SEED + big_endian(6) + b"duel-1" + big_endian(seat)
    assert sha256(hashed).hexdigest()[:16] == vector["bits"]


# What is mixed into a seed.

RANDOMNESS = bytes(range(100, 132))
some_nonces = st.dictionaries(st.integers(1, 500), keys)


def second_mix(secret: bytes, nonces: dict[int, str], randomness: bytes) -> bytes:
    hashed = bytearray(b"upcard-mixed-v1") + secret + big_endian(len(nonces))
    for number, nonce in sorted(nonces.items()):
        text = bytes(nonce, "utf-8")
        hashed += big_endian(number) + big_endian(len(text)) + text
    return sha256(hashed + big_endian(len(randomness)) + randomness).digest()


@pytest.mark.parametrize("vector", HASHES, ids=lambda vector: str(len(vector["nonce"])))
def test_a_nonce_has_the_documented_hash(vector: Vector) -> None:
    assert nonce_hash(vector["nonce"]) == vector["hash"]


@pytest.mark.parametrize("vector", SEEDS, ids=lambda vector: vector["seed"][:8])
def test_the_documented_seed_follows_from_what_is_mixed(vector: Vector) -> None:
    nonces = {int(number): nonce for number, nonce in vector["nonces"].items()}
    randomness = bytes.fromhex(vector["randomness"])
    assert mixed_seed(SEED, nonces, randomness).hex() == vector["seed"]


@given(seeds, some_nonces, st.sampled_from([b"", RANDOMNESS]))
def test_both_implementations_mix_alike(
    secret: bytes, nonces: dict[int, str], randomness: bytes
) -> None:
    expected = second_mix(secret, nonces, randomness) if nonces or randomness else secret
    assert mixed_seed(secret, nonces, randomness) == expected


def test_the_order_in_which_nonces_came_is_not_mixed_in() -> None:
    one, other = {1: "a", 2: "b"}, {2: "b", 1: "a"}
    assert mixed_seed(SEED, one) == mixed_seed(SEED, other)


def test_whoever_moves_a_letter_between_nonces_gets_another_seed() -> None:
    found = [{1: "ab", 2: "c"}, {1: "a", 2: "bc"}, {1: "abc"}, {2: "abc"}, {1: "abc", 2: ""}]
    assert len({mixed_seed(SEED, each) for each in found}) == len(found)


def test_nothing_is_mixed_into_a_secret_of_another_length() -> None:
    with pytest.raises(ConfigError, match=r"^a seed is 32 bytes, not 31$"):
        mixed_seed(bytes(31), {1: "a"})

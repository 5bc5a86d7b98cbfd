"""What a hand of a program draws, against `docs/deals.md` and a second implementation of it."""

import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.dealing import hand_seeds
from referee.engine.recycle.draws import Draws

PAGE = (Path(__file__).parents[3] / "docs" / "deals.md").read_text(encoding="utf-8")
_, _, _, _, _, SEEDS, DRAWS, _ = map(json.loads, re.findall(r"(?ms)^```json\n(.+?)^```", PAGE))
SHUFFLES = [vector for vector in DRAWS if "shuffle" in vector]
NUMBERS = [vector for vector in DRAWS if "number" in vector]
LEAGUE = bytes(range(32))
HAND = bytes.fromhex(SEEDS[0]["seed"])

counts = st.integers(1, 300)
draws = st.integers(0, 2**32 - 1)
seeds = st.binary(min_size=32, max_size=32)


class Second:
    """The bytes of one draw, each found by its place; it shares nothing with the engine."""

    def __init__(self, label: bytes, seed: bytes, draw: int) -> None:
        self._hashed = label + seed + draw.to_bytes(4, "big")
        self._taken = 0

    def below(self, count: int) -> int:
        size = 1
        while 256**size < count:
            size += 1
        while True:
            value = 0
            for _ in range(size):
                value = 256 * value + self._byte()
            if value // count != 256**size // count:
                return value % count

    def _byte(self) -> int:
        block, place = divmod(self._taken, 32)
        self._taken += 1
        return sha256(self._hashed + block.to_bytes(4, "big")).digest()[place]


def second_shuffle(seed: bytes, draw: int, count: int) -> tuple[int, ...]:
    stream = Second(b"upcard-shuffle-v1", seed, draw)
    pile, placed = list(range(count)), list[int]()
    while len(pile) > 1:
        place = stream.below(len(pile))
        placed.append(pile[place])
        pile[place] = pile[-1]
        pile.pop()
    return (*pile, *placed[::-1])


def second_number(seed: bytes, draw: int, count: int) -> int:
    return Second(b"upcard-number-v1", seed, draw).below(count)


@pytest.mark.parametrize("vector", SEEDS, ids=lambda vector: str(vector["hand"]))
def test_a_hand_has_the_documented_seed(vector: dict[str, Any]) -> None:
    assert hand_seeds(LEAGUE, vector["duel"])(vector["hand"]).hex() == vector["seed"]


@pytest.mark.parametrize("vector", SHUFFLES, ids=lambda vector: str(vector["of"]))
def test_both_implementations_give_each_documented_shuffle(vector: dict[str, Any]) -> None:
    asked = vector["shuffle"], vector["of"]
    found = Draws(HAND).shuffle(*asked), second_shuffle(HAND, *asked)
    assert found == (tuple(vector["order"]),) * 2


@pytest.mark.parametrize("vector", NUMBERS, ids=lambda vector: str(vector["below"]))
def test_both_implementations_give_each_documented_number(vector: dict[str, Any]) -> None:
    asked = vector["number"], vector["below"]
    found = Draws(HAND).below(*asked), second_number(HAND, *asked)
    assert found == (vector["drawn"],) * 2


@given(seeds, draws, counts)
def test_both_implementations_agree_on_shuffles(seed: bytes, draw: int, count: int) -> None:
    assert Draws(seed).shuffle(draw, count) == second_shuffle(seed, draw, count)


@given(seeds, draws, st.integers(1, 2**32))
def test_both_implementations_agree_on_numbers(seed: bytes, draw: int, count: int) -> None:
    assert Draws(seed).below(draw, count) == second_number(seed, draw, count)


def test_every_order_of_four_cards_is_about_as_likely() -> None:
    # Chi-square with 23 degrees of freedom has a standard deviation of 6.8; six are allowed.
    found = Counter(Draws(HAND).shuffle(draw, 4) for draw in range(12_000))
    assert len(found) == 24
    assert sum((times - 500) ** 2 / 500 for times in found.values()) < 23 + 6 * 6.8


def test_shuffles_and_numbers_of_one_draw_have_different_bytes() -> None:
    found = Draws(HAND)
    shuffled = [found.shuffle(draw, 2) == (1, 0) for draw in range(200)]
    assert shuffled != [found.below(draw, 2) == 0 for draw in range(200)]

"""Who meets whom, in which order, and that it is the same for everybody."""

from collections import Counter
from itertools import combinations

import pytest

from referee.engine.seating import entrant_at
from referee.scheduling.keys import DuelKey, pairing
from referee.scheduling.round_robin import Block, blocks, missing, pairings, visits
from tests.table import euchre

GAME = euchre()
SIZES = range(2, 21)
SEATS = range(4)


def entrants(size: int) -> list[int]:
    return list(range(1, size + 1))


@pytest.mark.parametrize("size", SIZES)
def test_every_pair_meets_once(size: int) -> None:
    met = Counter(frozenset(pair) for pair in pairings(entrants(size)))
    assert met == Counter(frozenset(pair) for pair in combinations(entrants(size), 2))


def test_nobody_meets_where_there_is_one() -> None:
    assert [*pairings([1]), *pairings([])] == []


@pytest.mark.parametrize("size", SIZES)
def test_everybody_is_a_as_often_as_b(size: int) -> None:
    as_a = Counter(first for first, _ in pairings(entrants(size)))
    as_b = Counter(second for _, second in pairings(entrants(size)))
    assert all(abs(as_a[each] - as_b[each]) <= 1 for each in entrants(size))


def test_who_is_a_does_not_depend_on_who_else_is_there() -> None:
    alone, among = set(pairings([2, 5])), set(pairings(entrants(9)))
    assert alone <= among


@pytest.mark.parametrize("size", SIZES)
def test_nobody_is_ever_more_than_two_meetings_behind(size: int) -> None:
    met: Counter[int] = Counter()
    behind = []
    for pair in pairings(entrants(size)):
        met.update(pair)
        behind.append(max(met.values()) - min(met[each] for each in entrants(size)))
    assert max(behind) <= 2


@pytest.mark.parametrize("size", SIZES)
def test_after_each_round_all_pairings_have_played_the_same(size: int) -> None:
    played: Counter[tuple[int, int]] = Counter()
    rounds: dict[int, set[int]] = {}
    for block in blocks(entrants(size), visits(20, 8)):
        played[block.first, block.second] += len(block.numbers)
        rounds.setdefault(block.round, set()).add(block.numbers[-1])
    assert set(played.values()) == {20}
    assert [len(ends) for ends in rounds.values()] == [1, 1, 1]


@pytest.mark.parametrize("size", SIZES)
def test_everybody_sits_everywhere_equally_often_in_each_room(size: int) -> None:
    sat: Counter[tuple[int, int]] = Counter()
    for block in blocks(entrants(size), visits(4, 4)):
        for _ in block.keys:
            for room in (0, 1):
                for seat in SEATS:
                    sat[(block.first, block.second)[entrant_at(GAME, room, seat)], seat] += 1
    assert {sat[each, seat] for each in entrants(size) for seat in SEATS} == {4 * (size - 1)}


@pytest.mark.parametrize("size", SIZES)
def test_everybody_deals_first_equally_often_from_each_seat(size: int) -> None:
    dealt: Counter[tuple[int, int]] = Counter()
    for block in blocks(entrants(size), visits(8, 8)):
        for key in block.keys:
            for room in (0, 1):
                dealer = GAME.first_dealer(key.number)
                who = (block.first, block.second)[entrant_at(GAME, room, dealer)]
                dealt[who, dealer] += 1
    assert {dealt[each, seat] for each in entrants(size) for seat in SEATS} == {2 * (size - 1)}


@pytest.mark.parametrize("duels", [1, 2, 3, 5, 8])
def test_in_each_duel_both_deal_first_once(duels: int) -> None:
    for block in blocks([1, 2], visits(duels, 3)):
        for key in block.keys:
            dealer = GAME.first_dealer(key.number)
            assert {entrant_at(GAME, room, dealer) for room in (0, 1)} == {0, 1}


@pytest.mark.parametrize("size", SIZES)
def test_a_room_is_not_always_the_same_entrants_north_south(size: int) -> None:
    sat = Counter(first for first, _ in pairings(entrants(size)))
    assert all(abs(2 * sat[each] - (size - 1)) <= 1 for each in entrants(size))


def test_visits_end_at_blocks_and_at_looks() -> None:
    assert visits(300, 128) == [range(128), range(128, 256), range(256, 300)]
    assert visits(40, 16, (8, 16, 32, 40)) == [
        range(8),
        range(8, 16),
        range(16, 32),
        range(32, 40),
    ]
    assert visits(4, 128, (8,)) == [range(4)]


def test_what_is_done_is_not_to_come() -> None:
    done = {DuelKey(*pairing(1, 2), 0), *Block(0, *pairing(2, 3), (0, 1)).keys}
    left = list(missing(blocks([1, 2, 3], visits(2, 2)), done))
    assert {key for block in left for key in block.keys} == {
        DuelKey(*pairing(1, 2), 1),
        DuelKey(*pairing(1, 3), 0),
        DuelKey(*pairing(1, 3), 1),
    }


def test_no_two_duels_have_the_same_decks() -> None:
    texts = [
        key.text(league, game)
        for league in ("a", "b")
        for game in ("euchre", "whist")
        for block in blocks(entrants(12), visits(12, 5))
        for key in block.keys
    ]
    assert len(set(texts)) == len(texts)

"""What is still to be played of a league."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import pytest

from referee.arena.limits import Terms
from referee.errors import RecordError
from referee.league.pending import (
    checked,
    judged_layers,
    pending_blocks,
    planned_duels,
    shard_blocks,
)
from referee.ratings.results import Result
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey, pairing
from referee.scheduling.round_robin import Block
from referee.scheduling.shards import Shard
from referee.store.models import Bot, Entry, Epoch, League, Plan
from tests.table import euchre

NOW = datetime(2026, 1, 2, tzinfo=UTC)
UNTIL = Until(0.6, "rating")


def league(
    entrants: int, plan: Plan, withdrawn: Iterable[int] = (), *, out: bool = False, late: int = 99
) -> League:
    bot = Bot("00", "bot", "1", "me", "python", ("euchre",), "", NOW)
    entries = tuple(
        Entry(number, bot, 1 + (number >= late), NOW if number in withdrawn else None)
        for number in range(1, entrants + 1)
    )
    epochs = (Epoch(1, bytes(32), False, NOW, out), Epoch(2, bytes(32), False, NOW))
    return League("spring", plan, NOW, "open", entries, epochs)


def plan(duels: int, block: int = 128, until: Until | None = None) -> Plan:
    return Plan(Terms(euchre()), duels, block, until)


def drawn(first: int, second: int, numbers: Iterable[int]) -> dict[DuelKey, Result]:
    first, second = pairing(first, second)
    return {
        DuelKey(first, second, number): Result(first, second, number, 1, 0.0, 10, (0, 0))
        for number in numbers
    }


def won(winner: int, loser: int, numbers: Iterable[int]) -> dict[DuelKey, Result]:
    first, second = pairing(winner, loser)
    wins, margin = (2, 20.0) if winner == first else (0, -20.0)
    return {
        DuelKey(first, second, number): Result(first, second, number, wins, margin, 20, (0, 0))
        for number in numbers
    }


def pending(
    found: League, played: dict[DuelKey, Result], given_up: Sequence[DuelKey] = ()
) -> list[Block]:
    stage = judged_layers(found, played.values(), given_up).stages[-1]
    return [*pending_blocks(found, stage, {*played, *given_up}, found.plan.block)]


def keys(found: League, played: dict[DuelKey, Result]) -> set[DuelKey]:
    return {key for block in pending(found, played) for key in block.keys}


def planned(found: League, played: dict[DuelKey, Result]) -> int:
    return planned_duels(found, judged_layers(found, played.values(), ()).stages[-1], played)


def test_at_first_all_is_to_come() -> None:
    found = league(4, plan(5))
    assert len(keys(found, {})) == planned(found, {}) == 30


def test_what_was_played_is_not_to_come() -> None:
    played = drawn(1, 2, range(3))
    assert keys(league(2, plan(5)), played) == {*drawn(1, 2, range(3, 5))}


def test_what_was_given_up_is_not_to_come() -> None:
    given_up = [*drawn(1, 2, [4])]
    found = league(2, plan(5))
    assert [block.numbers for block in pending(found, {}, given_up)] == [(0, 1, 2, 3)]


def test_nobody_plays_who_withdrew() -> None:
    assert keys(league(3, plan(2), withdrawn=[2]), {}) == {*drawn(1, 3, range(2))}


def test_who_came_later_plays_everybody_from_the_start() -> None:
    played = drawn(1, 2, range(4))
    assert keys(league(3, plan(4)), played) == {*drawn(1, 3, range(4)), *drawn(2, 3, range(4))}


def test_where_it_may_stop_early_only_the_round_before_the_next_look_is_to_come() -> None:
    found = league(2, plan(64, until=UNTIL))
    assert keys(found, {}) == {*drawn(1, 2, range(8))}


def test_a_league_that_is_told_apart_at_a_look_is_over() -> None:
    found = league(2, plan(64, until=UNTIL))
    assert keys(found, won(1, 2, range(8))) == set()


def test_a_league_that_is_not_told_apart_goes_on_to_the_next_look() -> None:
    found = league(2, plan(64, until=UNTIL))
    assert keys(found, drawn(1, 2, range(8))) == {*drawn(1, 2, range(8, 16))}


def test_a_look_does_not_go_by_duels_of_a_later_round() -> None:
    found = league(2, plan(64, until=UNTIL))
    played = drawn(1, 2, range(8)) | won(1, 2, range(8, 12))
    assert keys(found, played) == {*drawn(1, 2, range(12, 16))}


def test_a_league_that_is_never_told_apart_ends_with_its_last_duel() -> None:
    found = league(2, plan(20, until=UNTIL))
    assert keys(found, drawn(1, 2, range(20))) == set()


def test_a_seed_that_is_out_deals_no_duel_any_more() -> None:
    found = league(3, plan(64, until=UNTIL), out=True, late=3)
    played = drawn(1, 2, range(8)) | drawn(1, 3, range(8)) | drawn(2, 3, range(8))
    assert keys(found, played) == {*drawn(1, 3, range(8, 16)), *drawn(2, 3, range(8, 16))}


def shard_keys(
    found: League, number: int, of: int, played: dict[DuelKey, Result] | None = None
) -> list[DuelKey]:
    played = played or {}
    stage = judged_layers(found, played.values(), ()).stages[-1]
    planned = shard_blocks(found, stage, played, found.plan.block, Shard(number, of))
    return [key for block in planned for key in block.keys]


def test_a_shard_has_the_same_duels_whatever_was_played() -> None:
    found = league(4, plan(10, block=4))
    whole = [shard_keys(found, number, 3) for number in (1, 2, 3)]
    played = drawn(1, 2, range(5)) | drawn(3, 4, range(10))
    left = [shard_keys(found, number, 3, played) for number in (1, 2, 3)]
    assert sorted(map(len, whole)) == [20, 20, 20]
    assert [{*own} for own in left] == [{*own} - played.keys() for own in whole]


def test_who_is_withdrawn_changes_no_shard_of_the_others() -> None:
    before, after = league(4, plan(10)), league(4, plan(10), withdrawn=[2])
    for number in (1, 2, 3):
        stay = [key for key in shard_keys(before, number, 3) if 2 not in key[:2]]
        assert shard_keys(after, number, 3) == stay


def test_the_visits_of_a_shard_are_as_large_as_those_of_a_league() -> None:
    found = league(2, plan(10, block=4))
    stage = judged_layers(found, {}, ()).stages[-1]
    visits = shard_blocks(found, stage, (), 4, Shard(2, 2))
    assert [block.numbers for block in visits] == [(5, 6, 7, 8), (9,)]


def test_of_a_league_that_may_stop_early_a_shard_has_what_comes_before_the_next_look() -> None:
    found = league(3, plan(100, until=UNTIL))
    first = [shard_keys(found, number, 2) for number in (1, 2)]
    assert sorted(map(len, first)) == [12, 12]
    assert {key.number for own in first for key in own} == {*range(8)}


def test_what_may_be_known_is_in_no_shard() -> None:
    found = league(3, plan(4), out=True, late=3)
    assert {key[:2] for key in shard_keys(found, 1, 1)} == {pairing(1, 3), pairing(2, 3)}


@pytest.mark.parametrize("key", [(1, 2, 4), (1, 2, -1), (1, 10**12, 0), (0, 1, 0)])
def test_a_duel_that_cannot_be_of_the_league_is_damage(key: tuple[int, int, int]) -> None:
    with pytest.raises(RecordError, match="is not of the league"):
        list(checked(league(3, plan(4)), [Result(*key, 1, 0.0, 10, (0, 0))]))

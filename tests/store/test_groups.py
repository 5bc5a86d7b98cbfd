"""What came in together is stored together: each duel wholly, in the order it came in."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from referee.arena.limits import MOST_VOIDS
from referee.scheduling.keys import DuelKey
from referee.store import duels
from referee.store.database import Store
from referee.store.duels import save_outcomes, stored_duels
from referee.store.leases import Lease, lease
from referee.store.log import LogEntry, entries
from referee.store.models import League, StoredOutcome, StoredVoid
from tests.store import scenes
from tests.store.scenes import HELD, NOW
from tests.store.test_log import is_chain

KEYS = [DuelKey(1, 2, 1), DuelKey(2, 3, 0), DuelKey(1, 2, 0)]


@pytest.fixture
def cup(store: Store, tmp_path: Path) -> League:
    return scenes.cup(store, tmp_path)


@pytest.fixture
def held(store: Store, cup: League) -> Iterator[Lease]:
    with lease(store, cup.name) as ours:
        yield ours


def group(cup: League) -> list[StoredOutcome]:
    """Return duels of which each has faults of its own, and a void between them."""
    faults = [[scenes.fault(key.second, None)] * n for n, key in enumerate(KEYS)]
    one, *others = [scenes.duel(cup, key, *of) for key, of in zip(KEYS, faults, strict=True)]
    return [one, StoredVoid(DuelKey(3, 1, 0), "why", NOW), *others]


def since_created(store: Store) -> list[LogEntry]:
    return [*entries(store, "cup")][1:]


def test_each_duel_has_its_own_sides_and_faults(store: Store, held: Lease, cup: League) -> None:
    outcomes = group(cup)
    assert save_outcomes(store, held, outcomes, HELD) == outcomes
    found = {duel.key: duel for duel in stored_duels(store, "cup")}
    assert [found[key] for key in KEYS] == [*outcomes[:1], *outcomes[2:]]


def test_the_log_has_them_in_the_order_they_came_in(store: Store, held: Lease, cup: League) -> None:
    save_outcomes(store, held, group(cup), HELD)
    assert [each.kind for each in since_created(store)] == ["duel", "void", "duel", "duel"]
    assert is_chain([*entries(store, "cup")])


def test_one_that_is_there_already_keeps_out_no_other(
    store: Store, held: Lease, cup: League
) -> None:
    outcomes = group(cup)
    save_outcomes(store, held, outcomes[2:3], HELD)
    assert save_outcomes(store, held, outcomes, HELD) == [*outcomes[:2], *outcomes[3:]]
    assert len(duels.voids(store, "cup")) == 1
    assert len(since_created(store)) == 4


def test_one_that_came_in_twice_is_stored_once(store: Store, held: Lease, cup: League) -> None:
    first = scenes.duel(cup, KEYS[0])
    assert save_outcomes(store, held, [first, first._replace(wins=2)], HELD) == [first]
    assert [*stored_duels(store, "cup")] == [first]


def test_what_fails_half_way_leaves_none_of_them(store: Store, held: Lease, cup: League) -> None:
    with patch("referee.store.duels._INSERT_VOIDS", None), pytest.raises(Exception, match="None"):
        save_outcomes(store, held, group(cup), HELD)
    assert duels.results(store, "cup") == []
    assert since_created(store) == []


def test_a_duel_that_is_void_too_often_within_a_group_is_unplayed(
    store: Store, held: Lease
) -> None:
    void = StoredVoid(KEYS[0], "why", NOW)
    save_outcomes(store, held, [void], HELD)
    save_outcomes(store, held, [void] * MOST_VOIDS, HELD)
    kinds = [each.kind for each in since_created(store)]
    assert kinds == [*["void"] * MOST_VOIDS, "unplayed", "void"]

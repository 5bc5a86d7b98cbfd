"""A store that a released program left is opened, with all that is in it, and goes on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select

from referee.scheduling.keys import DuelKey
from referee.store.database import Store, reading
from referee.store.duels import isolations, stored_duels
from referee.store.leagues import league, withdraw
from referee.store.leases import lease
from referee.store.log import entries
from referee.store.migrating import VERSION_TABLE
from referee.store.models import Epoch, Isolation
from referee.store.opening import open_store
from referee.store.rows import LEASE
from referee.store.tables import METADATA
from tests.store import scenes
from tests.store.released import REVISIONS, write_released
from tests.store.saving import save_duel

NO_SANDBOX = Isolation(False, False, ())


@pytest.fixture
def emptied(database: Callable[[], str]) -> Callable[[], str]:
    """Return addresses at which nothing is yet: a released program made its own tables."""
    return database


@pytest.fixture(params=REVISIONS)
def released(request: pytest.FixtureRequest, place: str, tmp_path: Path) -> str:
    """Return where the store of a released program is."""
    write_released(place, request.param, tmp_path / "files")
    return place


@pytest.fixture
def store(released: str) -> Iterator[Store]:
    with open_store(released) as opened:
        yield opened


def test_its_tables_are_those_of_the_rows(store: Store) -> None:
    with reading(store) as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, METADATA) == []


def test_a_seed_that_was_given_and_is_revealed_is_still_so(store: Store) -> None:
    assert league(store, "cup").epochs == (Epoch(1, scenes.SEED, True, scenes.NOW, revealed=True),)


def test_a_seed_that_was_drawn_and_is_secret_is_still_so(store: Store) -> None:
    assert league(store, "shield").epochs == (Epoch(1, bytes(32), False, scenes.NOW),)


def test_its_duels_are_all_there(store: Store) -> None:
    cup = league(store, "cup")
    assert list(stored_duels(store, "cup")) == [
        scenes.duel(cup, scenes.KEY, scenes.fault(bundle=None), play=b"play"),
        scenes.duel(cup, DuelKey(1, 2, 1), play=b"play"),
    ]


def test_each_duel_is_still_one_of_its_isolation(store: Store) -> None:
    assert isolations(store, "cup") == [(scenes.HELD, 1), (NO_SANDBOX, 1)]


def test_who_ran_a_league_still_runs_it(store: Store) -> None:
    with reading(store) as connection:
        row = connection.execute(select(LEASE)).mappings().one()
    process = ("elsewhere", "another", 4711, 1, scenes.NOW)
    assert [*row.values()] == [2, "released", *process, 1.5]


def test_a_league_goes_on_where_it_was(store: Store) -> None:
    # Nobody has heard of who ran it for a long time.
    with lease(store, "shield") as ours:
        shield = league(store, "shield")
        assert save_duel(store, ours, scenes.duel(shield, play=b"play"), scenes.HELD)
    assert isolations(store, "shield") == [(scenes.HELD, 1)]


def test_what_isolates_bots_otherwise_gets_a_number_of_its_own(store: Store) -> None:
    strict = Isolation(True, True, ())
    with lease(store, "shield") as ours:
        save_duel(store, ours, scenes.duel(league(store, "shield"), play=b"play"), strict)
    assert isolations(store, "shield") == [(strict, 1)]


def test_its_log_begins_with_how_many_duels_it_brought(store: Store) -> None:
    withdraw(store, "cup", 1, scenes.NOW, reopen=True)
    said = [(entry.kind, entry.body) for entry in entries(store, "cup")]
    assert said == [("imported", {"duels": 2}), ("reopened", {}), ("withdrawn", {"entrant": 1})]


def test_nobody_in_it_is_suspended(store: Store) -> None:
    assert {(each.suspended, each.counted_from) for each in league(store, "cup").entries} == {
        (None, 0)
    }

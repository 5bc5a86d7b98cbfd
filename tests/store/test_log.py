"""The log of a league: entries chained in the order in which they were appended."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.store.chain import START, chained
from referee.store.database import Store, league_id, writing
from referee.store.leagues import league
from referee.store.log import Head, Kind, LogEntry, append, entries, entry_as_json, head
from referee.store.plans import plan_columns
from tests.store import scenes


def appended(store: Store, kind: Kind = "closed", name: str = "cup", **body: object) -> Head:
    with writing(store) as connection:
        return append(connection, league_id(connection, name), kind, scenes.NOW, body)


def is_chain(found: list[LogEntry]) -> bool:
    last = START
    for number, entry in enumerate(found, start=1):
        last = chained(last, entry_as_json(*entry[:4]))
        if (entry.number, entry.head) != (number, last):
            return False
    return True


@pytest.fixture
def cup(store: Store, tmp_path: Path) -> Store:
    scenes.cup(store, tmp_path)
    return store


def test_an_entry_is_read_as_it_was_appended(cup: Store) -> None:
    last = appended(cup, "entered", entrant=3, digest="Zoë")
    entry = [*entries(cup, "cup")][-1]
    body = {"entrant": 3, "digest": "Zoë"}
    assert entry == (last.number, "entered", scenes.NOW, body, last.head)


def test_entries_are_chained(cup: Store) -> None:
    for number in range(5):
        appended(cup, "entered", entrant=number)
    assert is_chain([*entries(cup, "cup")])


def test_a_league_begins_its_log_with_what_it_is_played_on(cup: Store) -> None:
    (created,) = entries(cup, "cup")
    assert (created.number, created.kind, created.at) == (1, "created", scenes.NOW)
    plan, digests = plan_columns(scenes.plan()), [scenes.bot(n).digest for n in (1, 2, 3)]
    pending = league(cup, "cup").pending
    assert pending
    assert created.body == {
        "name": "cup",
        "plan": plan,
        "entrants": digests,
        "commitment": pending.commitment,
    }


def test_a_time_is_chained_in_utc() -> None:
    east = scenes.NOW.astimezone(timezone(timedelta(hours=2)))
    assert entry_as_json(1, "closed", east, {})["at"] == "2026-05-04T12:30:15+00:00"


def test_the_head_is_that_of_the_last_entry(cup: Store) -> None:
    appended(cup)
    assert appended(cup) == head(cup, "cup")


def test_each_league_has_a_chain_of_its_own(cup: Store, tmp_path: Path) -> None:
    before = head(cup, "cup")
    scenes.cup(cup, tmp_path, name="shield")
    appended(cup, name="shield")
    assert head(cup, "cup") == before


def test_entries_appended_at_the_same_time_are_one_chain(cup: Store) -> None:
    began = head(cup, "cup").number
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: appended(cup, "entered", entrant=number), range(24)))
    found = [*entries(cup, "cup")]
    assert (len(found), is_chain(found)) == (began + 24, True)


def test_what_is_undone_leaves_no_entry(cup: Store) -> None:
    before = head(cup, "cup")
    with pytest.raises(ZeroDivisionError):
        append_and_fail(cup)
    assert head(cup, "cup") == before


def append_and_fail(store: Store) -> None:
    with writing(store) as connection:
        append(connection, league_id(connection, "cup"), "closed", scenes.NOW, {})
        raise ZeroDivisionError


def test_there_is_no_log_without_a_league(store: Store) -> None:
    with pytest.raises(ConfigError, match="there is no league 'cup'"):
        head(store, "cup")

"""A copy of a store, in a file or on a server, has all that is in it and goes on like it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Float, Integer, LargeBinary, Table, insert, select

from referee.errors import ConfigError, FileError
from referee.league.progress import LeagueProgress
from referee.publication.collecting import collect
from referee.publication.export import digest
from referee.store.bots import add_bot, bundle
from referee.store.copies import Copied, copy_store
from referee.store.database import Store, reading, writing
from referee.store.duels import results
from referee.store.leagues import begin_epoch
from referee.store.leases import lease
from referee.store.opening import open_store
from referee.store.play import packed
from referee.store.row_types import MomentType
from referee.store.rows import BOT
from referee.store.sources import source_file
from referee.store.tables import METADATA
from tests.store import hosting_scenes, scenes
from tests.store.saving import save_duel
from tests.store.scenes import HELD, NOW


def quietly(items: Iterator[Any], count: int, doing: str) -> Iterable[Any]:
    """Show nothing."""
    del count, doing
    return items


@pytest.fixture
def anew(tmp_path: Path, database: Callable[[], str]) -> Iterator[Callable[[bool], Store]]:
    """Return what opens a second store with nothing in it, in a file or on a server."""
    with ExitStack() as stack:

        def open_another(in_file: bool) -> Store:
            place = str(tmp_path / "target.db") if in_file else database()
            files = tmp_path / "target.files"
            return stack.enter_context(open_store(place, create=True, files=files))

        yield open_another


@pytest.fixture
def target(store: Store, anew: Callable[[bool], Store]) -> Store:
    """Return a second store, of the other kind."""
    return anew(not store.in_file)


def fill(store: Store, directory: Path) -> None:
    """Write two rows into each table, with a value in each column."""
    files = scenes.bundle(directory / "filled")
    for number in (1, 2):
        bot = scenes.bot(number, f"bot-{number}", f"{number}")._replace(author=f"ö {number}")
        games, words = (f"game {number}",), f"of {number}"
        added = NOW.replace(microsecond=number)
        add_bot(
            store, bot._replace(games=games, language=words, manifest=words, added=added), files
        )
    with writing(store) as connection:
        for table in METADATA.sorted_tables:
            if table is BOT:
                continue
            rows = [
                {column.name: value(table, column, number) for column in table.columns}
                for number in (1, 2)
            ]
            connection.execute(insert(table), rows)


def value(table: Table, column: Column[Any], number: int) -> object:
    """Return a value of a column's type, which is another in each row."""
    kind = column.type
    if column.foreign_keys or column.primary_key or isinstance(kind, Integer):
        # Whatever one row refers to has the same number; the leases' process is never there.
        return number
    if isinstance(kind, Boolean):
        return number == 1
    if isinstance(kind, JSON):
        return {"a": [number, 0.1, "ö"]}
    if isinstance(kind, LargeBinary):
        return bytes([0, number, 255])
    if isinstance(kind, MomentType):
        return NOW.replace(microsecond=number)
    return number / 3 if isinstance(kind, Float) else f"{table.name} ö {number}"


def play(store: Store, directory: Path) -> None:
    """Write a league of which one duel is played."""
    scenes.cup(store, directory)
    with lease(store, "cup") as ours:
        begun = begin_epoch(store, ours, scenes.SEED, seed_given=False, now=NOW)
        rooms = scenes.played(begun.plan.terms.game, begun.dealt(scenes.KEY))
        save_duel(store, ours, scenes.duel(begun, scenes.KEY, play=packed(rooms)), HELD)


def every_row(store: Store) -> dict[str, list[dict[str, Any]]]:
    with reading(store) as connection:
        return {
            table.name: [
                dict(row)
                for row in connection.execute(
                    select(table).order_by(*table.primary_key.columns)
                ).mappings()
            ]
            for table in METADATA.sorted_tables
        }


def test_every_column_of_every_table_is_copied(store: Store, target: Store, tmp_path: Path) -> None:
    fill(store, tmp_path)
    copied = copy_store(store, target, quietly)
    assert every_row(target) == every_row(store)
    assert copied == Copied(2, 2, 2, 2 * len(METADATA.tables))


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_the_store_that_is_copied_has_a_value_in_each_column(store: Store, tmp_path: Path) -> None:
    fill(store, tmp_path)
    for name, rows in every_row(store).items():
        for column in METADATA.tables[name].columns:
            assert len({repr(row[column.name]) for row in rows}) == 2, column


def test_a_copy_has_the_bundles(store: Store, target: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    copy_store(store, target, quietly)
    assert (bundle(target, scenes.bot(2).digest) / "run").read_text() == "#!/bin/sh\n"


def test_a_copy_has_what_was_handed_in(store: Store, target: Store) -> None:
    ada, spring = hosting_scenes.account(store), hosting_scenes.ladder(store)
    found = hosting_scenes.hand_in(store, ada, spring)
    content = hosting_scenes.archive(store, found)
    copy_store(store, target, quietly)
    assert source_file(target.files, found.source).read_bytes() == content


def test_what_is_written_to_a_copy_follows_on_what_was_copied(
    store: Store, target: Store, tmp_path: Path
) -> None:
    fill(store, tmp_path)
    copy_store(store, target, quietly)
    with writing(target) as connection:
        for table in METADATA.sorted_tables:
            if (column := table.autoincrement_column) is not None:
                row = {each.name: value(table, each, 2) for each in table.columns}
                new = {**row, "digest": "c" * 64, "number": 3}
                words = ("name", "login", "subject", "source", "kind")
                new |= {name: "c" for name in words if isinstance(new.get(name), str)}
                given = {name: new[name] for name in row if name != column.name}
                inserted = connection.execute(insert(table), given).inserted_primary_key
                assert inserted == (3,)


def test_an_export_of_a_copy_is_the_same(store: Store, target: Store, tmp_path: Path) -> None:
    play(store, tmp_path)
    copy_store(store, target, quietly)
    assert digest(collect(target, "cup")) == digest(collect(store, "cup"))


def test_a_league_is_played_on_in_a_copy(store: Store, target: Store, tmp_path: Path) -> None:
    play(store, tmp_path)
    copy_store(store, target, quietly)
    with lease(target, "cup") as ours:
        progress = LeagueProgress(ours)
        progress.reload()
        first = next(iter(progress.missing(1))).keys[0]
        progress.save([scenes.duel(progress.league, first)], HELD)
    assert first != scenes.KEY
    assert len(results(target, "cup")) == 2


def test_a_store_is_copied_to_where_nothing_is_yet_alone(
    store: Store, target: Store, tmp_path: Path
) -> None:
    scenes.cup(store, tmp_path)
    copy_store(store, target, quietly)
    before = every_row(target)
    with pytest.raises(ConfigError, match="is not empty; name a new store"):
        copy_store(store, target, quietly)
    assert every_row(target) == before


def test_a_league_that_is_run_is_not_copied(store: Store, target: Store, tmp_path: Path) -> None:
    scenes.cup(store, tmp_path)
    with lease(store, "cup"), pytest.raises(ConfigError, match="cup is being run; stop that"):
        copy_store(store, target, quietly)


def test_a_copy_that_fails_half_way_leaves_no_row(
    store: Store, target: Store, tmp_path: Path
) -> None:
    scenes.cup(store, tmp_path)

    def broken(items: Iterator[Any], count: int, doing: str) -> Iterator[Any]:
        yield from islice(items, count - 1)
        raise FileError(doing)

    with pytest.raises(FileError, match="Copying"):
        copy_store(store, target, broken)
    with pytest.raises(FileError, match="Copying rows"):
        copy_store(store, target, lambda *each: broken(*each) if "rows" in each[2] else each[0])
    assert not any(every_row(target).values())

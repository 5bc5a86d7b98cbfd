"""A store that a stranger made runs nothing of hers, and leads to no file outside its directory."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from referee.errors import FileError
from referee.store.backups import backup
from referee.store.bots import bots
from referee.store.database import reading
from referee.store.leagues import leagues
from referee.store.opening import open_store
from tests.store import scenes

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a store with a league."""
    place = tmp_path / "upcard.db"
    with open_store(str(place), create=True) as store:
        scenes.cup(store, tmp_path)
    return place


def changed(path: Path, *statements: str) -> Path:
    """Change a store as a stranger would."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def refusal(path: Path) -> str:
    with pytest.raises(FileError) as caught, open_store(str(path)):
        pass
    return str(caught.value)


HOSTILE = {
    "a view": ("CREATE VIEW spy AS SELECT seed FROM epoch",),
    "a view instead of a table": (
        "ALTER TABLE league RENAME TO other",
        f"CREATE VIEW league AS {ENDLESS}",
    ),
    "a view instead of the version": (
        "DROP TABLE upcard_schema",
        f"CREATE VIEW upcard_schema (version_num) AS {ENDLESS}",
    ),
    "a trigger": ("CREATE TRIGGER t AFTER INSERT ON duel BEGIN UPDATE duel SET wins = 2; END",),
    "a virtual table": ("CREATE VIRTUAL TABLE words USING fts5(word)",),
    "a generated column": ("ALTER TABLE duel ADD COLUMN x AS (abs(wins))",),
    "a constraint": ("CREATE TABLE x (a CHECK (a > 1))",),
    "a default that is computed": ("CREATE TABLE x (a DEFAULT (random()))",),
    "a rule for conflicts": ("CREATE TABLE x (a UNIQUE ON CONFLICT REPLACE)",),
    "rows that go with others": ("CREATE TABLE x (a REFERENCES league (id) ON DELETE CASCADE)",),
    "an index of an expression": ("CREATE INDEX x ON duel (abs(wins))",),
    "an index of some rows": ("CREATE INDEX x ON duel (wins) WHERE wins > 1",),
    "an order of its own": ("CREATE INDEX x ON bot (name COLLATE NOCASE)",),
}
"""What a schema can hold that is run, or changes more than a statement says."""


@pytest.mark.parametrize("what", HOSTILE)
def test_a_store_with_more_than_tables_is_refused(path: Path, what: str) -> None:
    said = refusal(changed(path, *HOSTILE[what]))
    assert said.startswith(f"the store {path} has the ")
    assert "which upcard did not make" in said


def test_what_is_only_named_like_it_is_no_harm(path: Path) -> None:
    changed(
        path,
        """CREATE TABLE "check" (a DEFAULT 'as (where)', [collate] /* generated */)""",
        'CREATE INDEX "x where" ON "check" (a)',
    )
    with open_store(str(path)) as store:
        assert len(leagues(store)) == 1


def test_a_store_without_a_column_is_damaged(path: Path) -> None:
    changed(path, "ALTER TABLE void RENAME COLUMN at TO ax")
    assert refusal(path) == f"the store {path}: it is damaged; go back to a backup (void.at)"


@pytest.mark.parametrize("digest", ["../../../" + "0" * 55, "A" * 64, "0" * 63])
def test_a_digest_that_names_another_directory_is_refused(path: Path, digest: str) -> None:
    changed(path, f"UPDATE bot SET digest = '{digest}' WHERE id = 1")  # noqa: S608 (a test's)
    with open_store(str(path)) as store, pytest.raises(FileError, match="it is damaged"):
        bots(store)


def test_a_backup_writes_nothing_outside_its_directory(path: Path, tmp_path: Path) -> None:
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    bundle = next((tmp_path / "upcard.db.files" / "bots").iterdir())
    bundle.rename(tmp_path / "elsewhere")
    changed(path, "UPDATE bot SET digest = '../../elsewhere' WHERE id = 1")
    with open_store(str(path)) as store, pytest.raises(FileError, match="it is damaged"):
        backup(store, inside / "copy")
    assert [*inside.parent.iterdir()] == [inside]
    assert not [*inside.iterdir()]


def test_a_league_that_is_named_like_a_path_is_refused(path: Path) -> None:
    changed(path, "UPDATE league SET name = '../../public'")
    with open_store(str(path)) as store, pytest.raises(FileError, match="it is damaged"):
        leagues(store)


@pytest.mark.parametrize(
    ("pragma", "setting"), [("trusted_schema", 0), ("cell_size_check", 1), ("mmap_size", 0)]
)
def test_a_file_is_opened_as_a_strangers(path: Path, pragma: str, setting: int) -> None:
    with open_store(str(path)) as store, reading(store) as connection:
        assert connection.scalar(text(f"PRAGMA {pragma}")) in {setting, None}

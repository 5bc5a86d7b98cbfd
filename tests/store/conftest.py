"""Stores to test: each test of one runs on SQLite and on PostgreSQL."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from uuid import uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from referee.store.database import Store
from referee.store.migrating import REVISION, VERSION_TABLE
from referee.store.opening import open_store
from tests.store.server import server

_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
_RESTARTED: Final = SQL("""
    SELECT setval(quote_ident(sequencename)::regclass, start_value, false) FROM pg_sequences
    WHERE schemaname = current_schema()
""")


@pytest.fixture(scope="session")
def database() -> Iterator[Callable[[], str]]:
    """Return addresses at which nothing is yet: a schema of its own is as good as a database."""
    with server() as address:

        def make() -> str:
            name = f"test_{uuid4().hex}"
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"CREATE SCHEMA {name}")
            return f"{address}&options=-csearch_path%3D{name}"

        yield make


@pytest.fixture(scope="session")
def emptied(database: Callable[[], str]) -> Callable[[], str]:
    """Return the address of a store with nothing in it, for one test at a time.

    To empty it takes a twentieth of the time in which another is made. Who changes more than its
    rows takes another.
    """
    address = database()
    with open_store(address, create=True):
        pass
    with psycopg.connect(address) as connection:
        tables = [Identifier(name) for (name,) in connection.execute(_TABLES)]
    deleted = [SQL("DELETE FROM {}").format(table) for table in tables]
    version = SQL("INSERT INTO {} VALUES ({})").format(Identifier(VERSION_TABLE), REVISION)
    # Rows go in any order: as on a replica, no keys are looked after.
    begin = SQL("SET session_replication_role = replica")
    statements = SQL("; ").join([begin, *deleted, version, _RESTARTED])

    def empty() -> str:
        with psycopg.connect(address) as connection:
            connection.execute(statements)
        return address

    return empty


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Say where a store may be made."""
    if request.param == "sqlite":
        return str(tmp_path / "upcard.db")
    monkeypatch.setenv("UPCARD_FILES", str(tmp_path / "files"))
    makes = "emptied" if "store" in request.fixturenames else "database"
    return str(request.getfixturevalue(makes)())


@pytest.fixture
def store(place: str, empty: Path) -> Iterator[Store]:
    """Return an open store with nothing in it."""
    if place.endswith(empty.name):
        shutil.copy(empty, place)
    with open_store(place, create=True) as opened:
        yield opened

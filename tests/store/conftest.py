"""Stores to test: each test of one runs on SQLite and on PostgreSQL."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from referee.store.database import Store
from referee.store.opening import open_store
from tests.store.server import server


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


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Say where a store may be made."""
    if request.param == "sqlite":
        return str(tmp_path / "upcard.db")
    monkeypatch.setenv("UPCARD_FILES", str(tmp_path / "files"))
    return str(request.getfixturevalue("database")())


@pytest.fixture
def store(place: str, empty: Path) -> Iterator[Store]:
    """Return an open store with nothing in it."""
    if place.endswith(empty.name):
        shutil.copy(empty, place)
    with open_store(place, create=True) as opened:
        yield opened

"""A store as the program of each revision left it: written then, and never changed since."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, MetaData, RowMapping, create_engine, func, insert, select

from referee.store.database import writing
from referee.store.location import in_file, make, server
from referee.store.migrating import VERSION_TABLE, migrate

RELEASED: Final = Path(__file__).with_name("released")
REVISIONS: Final = tuple(sorted(path.stem for path in RELEASED.glob("*.sql")))


def write_released(place: str, revision: str, files: Path) -> None:
    """Write the store of a revision at a place where nothing is yet."""
    path = in_file(place)
    if path is not None:
        make(path)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(_script(revision))
        return
    store = server(place, files)
    migrate(store, create=True, writable=True, revision=revision)
    with writing(store) as connection:
        _fill(connection, revision)
    store.engine.dispose()


def _script(revision: str) -> str:
    return (RELEASED / f"{revision}.sql").read_text("utf-8")


def _fill(connection: Connection, revision: str) -> None:
    """Insert the rows of the file of SQLite into the same tables on a server."""
    tables = MetaData()
    tables.reflect(connection)
    source = create_engine("sqlite://")
    with source.connect() as rows:
        raw = rows.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        raw.executescript(_script(revision))
        stored = MetaData()
        stored.reflect(rows)
        for table in tables.sorted_tables:
            if table.name == VERSION_TABLE:
                continue
            found = rows.execute(select(stored.tables[table.name])).mappings().all()
            connection.execute(insert(table), [_in_utc(row) for row in found])
            if "id" in table.columns:
                connection.execute(select(func.setval(f"{table.name}_id_seq", len(found))))
    source.dispose()


def _in_utc(row: RowMapping) -> dict[str, Any]:
    return {
        name: value.replace(tzinfo=UTC) if isinstance(value, datetime) else value
        for name, value in row.items()
    }

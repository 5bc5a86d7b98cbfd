"""Finds out whether a file of SQLite is damaged, once something in it could not be used."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Boolean, Column, Connection, Integer, literal_column, not_, select, text
from sqlalchemy.exc import DBAPIError

from referee.store.database import Store
from referee.store.row_types import METADATA

_KINDS: Final = {
    "BIGINT": "integer",
    "BLOB": "blob",
    "BOOLEAN": "integer",
    "FLOAT": "real",
    "INTEGER": "integer",
}
"""How SQLite stores the types of columns; the others are text."""
_ROW: Final = literal_column("rowid", Integer)
_VALID: Final = {"DATETIME": "julianday({}) IS NOT NULL", "JSON": "json_valid({})"}
_JSON: Final = "('text', 'integer', 'real')"
"""What SQLite makes of JSON: a number in a column of that type is stored as one."""


def damage(store: Store) -> str:
    """Return the first damage that is found in a file; empty if there is none, or no file."""
    if not store.in_file:
        return ""
    try:
        with store.engine.connect() as connection:
            return next(_damages(store, connection), "")
    except DBAPIError as error:
        return str(error.orig)


def _damages(store: Store, connection: Connection) -> Iterator[str]:
    found = connection.scalar(text("PRAGMA integrity_check(1)"))
    if found != "ok":
        yield str(found)
    for table in METADATA.sorted_tables:
        for column in table.columns:
            invalid = not_(literal_column(_valid(store, column), Boolean))
            row = connection.scalar(select(_ROW).select_from(table).where(invalid).limit(1))
            if row is not None:
                yield f"{table.name}.{column.name}, row {row}"
    for table, row, *_ in connection.execute(text("PRAGMA foreign_key_check")):
        yield f"a reference of {table}, row {row}"


def _valid(store: Store, column: Column[object]) -> str:
    name = f'"{column.name}"'
    kind = column.type.compile(store.engine.dialect)
    kinds = _JSON if kind == "JSON" else f"('{_KINDS.get(kind, 'text')}')"
    valid = f"typeof({name}) IN {kinds}"
    if kind in _VALID:
        valid += f" AND {_VALID[kind].format(name)}"
    return f"({name} IS NULL OR ({valid}))" if column.nullable else f"coalesce({valid}, 0)"

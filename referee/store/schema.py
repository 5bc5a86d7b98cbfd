"""Refuses a file of SQLite whose schema is not as the migrations make it.

Views, triggers, generated columns, indexed expressions and constraints run whenever somebody reads
or writes the tables, and a stranger may have sent the file. The migrations make plain tables and
plain indexes, and nothing else passes.
"""

import re
from typing import Final

from sqlalchemy import Connection, text

from referee.errors import FileError
from referee.store.database import DAMAGED, Store
from referee.store.row_types import METADATA

_OBJECTS: Final = text("SELECT type, name, sql FROM sqlite_master")
_COMPUTED: Final = text(
    "SELECT DISTINCT m.name FROM sqlite_master m LEFT JOIN pragma_index_info(m.name) i "
    "WHERE m.type = 'index' AND coalesce(i.cid, -1) < 0"
)
"""The indexes of more than columns: those of an expression and of the row's number are below 0."""
_COLUMNS: Final = text(
    "SELECT m.name, x.name FROM sqlite_master m, pragma_table_xinfo(m.name) x "
    "WHERE m.type = 'table' AND x.hidden = 0"
)
_QUOTED: Final = re.compile(
    r"""/\*.*?(?:\*/|$)|--[^\n]*|"[^"]*"|`[^`]*`|\[[^]]*\]|'[^']*'""", re.DOTALL
)
"""Comments, names, and the text of defaults."""
_ACTIVE: Final = re.compile(
    r"\b(as|check|collate|conflict|cascade|generated|virtual|where|without)\b"
    r"|\bdefault\s*\(|\bset\s+(null|default)\b",
    re.IGNORECASE,
)
"""What is evaluated, or changes more rows than a statement says."""


def refuse_active(store: Store, connection: Connection, version_table: str) -> None:
    """Refuse a schema with more in it than tables, and indexes of their columns.

    Only the schema's text is read, so nothing of it is run. What has no table of versions is no
    store, and is refused elsewhere.

    Raises:
        FileError: there is more.
    """
    rows = connection.execute(_OBJECTS).all()
    if version_table not in {row.name for row in rows}:
        return
    for kind, name, sql in rows:
        if kind not in {"table", "index"}:
            raise _refused(store, f"{kind} {name}")
        if _ACTIVE.search(_QUOTED.sub(" ", sql or "")):
            raise _refused(store, f"expression in the {kind} {name}")
    if computed := connection.scalars(_COMPUTED).first():
        raise _refused(store, f"expression in the index {computed}")


def _refused(store: Store, what: str) -> FileError:
    return FileError(
        f"the store {store.location} has the {what[:80]}, which upcard did not make and could be "
        "made to harm you; name a store that upcard made"
    )


def refuse_incomplete(store: Store, connection: Connection) -> None:
    """Refuse tables that lack a column.

    Raises:
        FileError: one does.
    """
    found = {(table, column) for table, column in connection.execute(_COLUMNS)}
    for table in METADATA.tables.values():
        for column in table.columns:
            if (table.name, column.name) not in found:
                where = f"{table.name}.{column.name}"
                raise FileError(f"the store {store.location}: {DAMAGED} ({where})")

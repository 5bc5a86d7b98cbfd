"""All tables of a store, those of leagues and those of a host."""

from referee.store import hosting_rows, rows
from referee.store.row_types import METADATA

__all__ = ["METADATA", "hosting_rows", "rows"]

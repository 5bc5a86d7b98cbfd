"""What tables are made of: types of columns, and the base of all rows."""

from datetime import UTC, datetime
from typing import ClassVar, Final

from sqlalchemy import DateTime, Dialect, MetaData, String
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

from referee.text import storable

_NAMING: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Names for what SQLite would leave nameless, so that a migration can speak of it."""


class MomentType(TypeDecorator[datetime]):
    """A time in UTC; SQLite has no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; a time without its zone is refused."""
        del dialect
        if value is None:
            return None
        assert value.tzinfo, "a time without its zone"
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return it in UTC."""
        del dialect
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class WordsType(TypeDecorator[str]):
    """Text in which a stranger had a say: what no database takes is replaced."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Replace what no database takes."""
        del dialect
        return None if value is None else storable(value)


class TableRow(SQLModel):
    """A row of a table, which has the name of its class."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=_NAMING)


METADATA: Final = TableRow.metadata
"""Of the tables whose module is imported; `tables` imports all of them."""

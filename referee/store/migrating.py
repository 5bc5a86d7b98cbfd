"""Migrates the tables of a store, once, when it is first opened.

The version a store is at stands in a table of its own, whose presence also says that it is ours.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, select, text

from referee.errors import ConfigError
from referee.store.database import Store, reading, transaction
from referee.store.schema import refuse_active, refuse_incomplete

if TYPE_CHECKING:
    from alembic.config import Config

REVISION: Final = "0007"
"""The last migration."""
VERSION_TABLE: Final = "upcard_schema"
SCRIPTS: Final = Path(__file__).with_name("migrations")
VERSION: Final = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32)))
_UPGRADING: Final = 0x75706361
"""Any number, the same for all who upgrade."""


def migrate(
    store: Store,
    *,
    create: bool,
    writable: bool,
    scripts: Path = SCRIPTS,
    revision: str = REVISION,
) -> None:
    """Make or upgrade the tables if that is needed; refuse what is not ours, or newer than we."""
    with reading(store) as connection:
        if store.in_file:
            refuse_active(store, connection, VERSION_TABLE)
        found = _revision(connection)
        _refuse_strange(store, connection, found, create)
        if store.in_file and found == REVISION:
            refuse_incomplete(store, connection)
    if found != revision:
        config = _config(scripts)
        _refuse_newer(store, config, found)
        if not writable:
            raise ConfigError(
                f"the store {store.location} is of an older upcard and can only be read; "
                "copy it to where you may write, and this upcard will upgrade it there"
            )
    if store.in_file and writable:
        _keep_log(store)
    if found != revision:
        upgrade(store, config, revision)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(select(VERSION.c.version_num)).scalar()


def _refuse_strange(store: Store, connection: Connection, found: str | None, create: bool) -> None:
    if found is not None:
        return
    if inspect(connection).get_table_names():
        raise ConfigError(f"{store.location} is a database of something else; use another")
    if not create:
        raise ConfigError(f"{store.location} is empty; make a store there: upcard bots add BOT")


def _refuse_newer(store: Store, config: "Config", found: str | None) -> None:
    from alembic.script import ScriptDirectory  # noqa: PLC0415 (as in `_config`)

    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise ConfigError(
            f"the store {store.location} is of a newer upcard (its tables are at {found[:32]}); "
            "update upcard"
        )


def _config(scripts: Path) -> "Config":
    # It takes longer to import than all else here, and hardly ever has anything to do.
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _keep_log(store: Store) -> None:
    """Switch SQLite to its write-ahead log: readers see no half of what is being written."""
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")


def upgrade(store: Store, config: "Config", revision: str) -> None:
    """Run the migrations that a store has not had, in one transaction."""
    from alembic import command  # noqa: PLC0415 (as in `_config`)

    with transaction(store) as connection:
        if not store.in_file:
            connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _UPGRADING})
        config.attributes["connection"] = connection
        # Another may have done it while we waited; then there is nothing left to do.
        command.upgrade(config, revision)

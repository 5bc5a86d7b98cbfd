"""A store that an older program left is upgraded, once; one of a newer program is refused."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text, update

from referee.errors import ConfigError
from referee.store.database import Store, reading, writing
from referee.store.leagues import league
from referee.store.migrating import REVISION, SCRIPTS, VERSION, VERSION_TABLE, migrate
from referee.store.opening import open_store
from referee.store.tables import METADATA
from tests.store import scenes

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "{last}"


def upgrade() -> None:
    op.create_table("trophy", sa.Column("id", sa.Integer(), primary_key=True))
    op.add_column("league", sa.Column("motto", sa.String(), server_default="play well"))
    {last_line}
"""


@pytest.fixture
def emptied(database: Callable[[], str]) -> Callable[[], str]:
    """Return addresses of other stores each time: their tables are changed."""
    return database


@pytest.fixture
def steps(tmp_path: Path) -> Callable[[str], Path]:
    """Return the migrations with one more, as a later program will have them."""

    def with_next(last_line: str) -> Path:
        scripts = tmp_path / "migrations"
        shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
        step = NEXT.format(last=REVISION, last_line=last_line)
        (scripts / "versions" / "next.py").write_text(step)
        return scripts

    return with_next


def upgrade(store: Store, scripts: Path) -> None:
    migrate(store, create=False, writable=True, scripts=scripts, revision="next")


def test_the_migrations_make_the_tables_of_the_rows(store: Store) -> None:
    with reading(store) as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, METADATA) == []


def test_the_last_migration_is_the_one_a_store_is_brought_to() -> None:
    assert ScriptDirectory.from_config(_config()).get_current_head() == REVISION


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.set_main_option("path_separator", "os")
    return config


def test_an_upgraded_store_keeps_what_it_holds(
    store: Store, tmp_path: Path, steps: Callable[[str], Path]
) -> None:
    made = scenes.cup(store, tmp_path)
    upgrade(store, steps("pass"))
    assert league(store, "cup") == made


def test_an_upgraded_store_has_what_is_new(
    store: Store, tmp_path: Path, steps: Callable[[str], Path]
) -> None:
    scenes.cup(store, tmp_path)
    upgrade(store, steps("pass"))
    with reading(store) as connection:
        assert connection.scalar(text("SELECT motto FROM league")) == "play well"


def test_many_who_open_an_older_store_upgrade_it_once(
    store: Store, steps: Callable[[str], Path]
) -> None:
    scripts = steps("pass")
    with ThreadPoolExecutor(4) as pool:
        # A step taken twice would fail, for its table is there.
        list(pool.map(lambda _: upgrade(store, scripts), range(4)))


def test_an_upgrade_that_fails_changes_nothing(store: Store, steps: Callable[[str], Path]) -> None:
    scripts = steps("raise ZeroDivisionError")
    with pytest.raises(ZeroDivisionError):
        upgrade(store, scripts)
    with reading(store) as connection:
        assert "trophy" not in inspect(connection).get_table_names()
        assert "motto" not in {each["name"] for each in inspect(connection).get_columns("league")}


def test_a_store_of_a_newer_program_is_refused(store: Store, place: str) -> None:
    with writing(store) as connection:
        connection.execute(update(VERSION).values(version_num="9999"))
    newer = r"is of a newer upcard \(.*9999\); update upcard"
    with pytest.raises(ConfigError, match=newer), open_store(place):
        pass


def test_a_store_of_a_newer_program_is_not_changed(store: Store, place: str) -> None:
    with writing(store) as connection:
        connection.execute(update(VERSION).values(version_num="9999"))
    with pytest.raises(ConfigError), open_store(place, create=True):
        pass
    with reading(store) as connection:
        assert connection.scalar(select(VERSION.c.version_num)) == "9999"


def test_an_older_store_that_can_only_be_read_says_what_to_do(
    store: Store, steps: Callable[[str], Path]
) -> None:
    scripts = steps("pass")
    with pytest.raises(ConfigError, match="older upcard and can only be read; copy it"):
        migrate(store, create=False, writable=False, scripts=scripts, revision="next")

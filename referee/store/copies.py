"""Copies a whole store to another place: from a file to a server, or back, or to its own kind."""

from collections.abc import Callable, Iterable, Iterator
from math import ceil
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, func, insert, select
from sqlalchemy.exc import IntegrityError

from referee.errors import ConfigError, FileError
from referee.store.bots import bots_in, bundle
from referee.store.bundles import copied, put, there
from referee.store.database import Store, reading, writing
from referee.store.leases import running_leagues
from referee.store.rows import BOT, DUEL, LEAGUE
from referee.store.sources import copy_source
from referee.store.submissions import sources_kept
from referee.store.tables import METADATA

_AT_ONCE: Final = 200
"""Rows; one may have a bundle of 1 MiB."""
CopyProgress = Callable[[Iterator[Any], int, str], Iterable[Any]]
"""Shows how far an iteration is, of so many steps, and what it does."""
_Batch = tuple[Table, list[dict[str, Any]]]


class Copied(NamedTuple):
    """What was copied."""

    bots: int
    leagues: int
    duels: int
    rows: int
    """Of all tables."""


def copy_store(source: Store, target: Store, progress: CopyProgress) -> Copied:
    """Copy all bundles and submissions, and then in one transaction all rows.

    Args:
        source: the store, of which the copy has what is there at this moment.
        target: an open store with nothing in it; if this fails, it still has no rows.
        progress: shows how far it is.

    Raises:
        ConfigError: there is something in the target, or somebody runs a league of the source.
        FileError: it cannot be read or written.
    """
    _refuse_running(source)
    try:
        with reading(source) as connection:
            digests = [bot.digest for bot in bots_in(connection)]
            for digest in progress(iter(digests), len(digests), "Copying bundles"):
                _copy_bundle(source, target, digest)
            sources = sources_kept(connection)
            for digest in progress(iter(sources), len(sources), "Copying submissions"):
                copy_source(source.files, digest, target.files)
            counts = {table: _count(connection, table) for table in METADATA.sorted_tables}
            with writing(target) as copy:
                _refuse_filled(target, copy)
                steps = sum(ceil(count / _AT_ONCE) for count in counts.values())
                for table, rows in progress(_batches(connection), steps, "Copying rows"):
                    copy.execute(insert(table), rows)
                if not target.in_file:
                    _continue_ids(copy)
                # What a run has stored since the beginning would be in the source alone.
                _refuse_running(source)
    except IntegrityError as error:
        reason = str(error.orig).partition("\n")[0]
        raise FileError(f"cannot copy {source.location} to {target.location}: {reason}") from None
    return Copied(counts[BOT], counts[LEAGUE], counts[DUEL], sum(counts.values()))


def _refuse_running(source: Store) -> None:
    for name in sorted(running_leagues(source)):
        raise ConfigError(f"league {name} is being run; stop that, and copy the store then")


def _refuse_filled(target: Store, connection: Connection) -> None:
    if any(_count(connection, table) for table in METADATA.sorted_tables):
        raise ConfigError(f"{target.location} is not empty; name a new store")


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _copy_bundle(source: Store, target: Store, digest: str) -> None:
    if not there(target.files, digest):
        with copied(target.files, digest, bundle(source, digest)) as copy:
            put(copy, target.files, digest)


def _batches(connection: Connection) -> Iterator[_Batch]:
    """Yield the rows of each table, after those that they refer to, in the order of their keys."""
    for table in METADATA.sorted_tables:
        asked = select(table).order_by(*table.primary_key.columns)
        with connection.execution_options(yield_per=_AT_ONCE).execute(asked) as found:
            for rows in found.mappings().partitions():
                yield table, [*map(dict, rows)]


def _continue_ids(connection: Connection) -> None:
    """Set the ids that a server gives next: they follow on those that were copied."""
    for table in METADATA.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            last = select(func.max(column)).scalar_subquery()
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            # Without a last one nothing is set, and the first id is 1.
            connection.execute(select(func.setval(sequence, last)))

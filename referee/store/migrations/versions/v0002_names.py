"""Tables and columns under the names that the code has for them: lease, isolation, revealed."""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0002"
down_revision: Final = "0001"


def upgrade() -> None:
    """Rename them, with their constraints; SQLite keeps the old name of `fk_duel_held`."""
    _rename_columns("epoch", given="seed_given", out="revealed")
    _rename_columns("hold", beat="heartbeat")
    _rename_columns("duel", held="isolation")
    if op.get_bind().dialect.name == "sqlite":
        _rename_in_sqlite()
    else:
        _rename_in_postgresql()


def _rename_columns(table: str, **names: str) -> None:
    for old, new in names.items():
        op.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{old}" TO "{new}"')


def _rename_in_postgresql() -> None:
    op.rename_table("hold", "lease")
    _rename_constraints("lease", pk_hold="pk_lease", fk_hold_league="fk_lease_league")
    op.rename_table("held", "isolation")
    op.execute("ALTER SEQUENCE held_id_seq RENAME TO isolation_id_seq")
    _rename_constraints("isolation", pk_held="pk_isolation", uq_held_digest="uq_isolation_digest")
    _rename_constraints("duel", fk_duel_held="fk_duel_isolation")


def _rename_constraints(table: str, **names: str) -> None:
    for old, new in names.items():
        op.execute(f'ALTER TABLE "{table}" RENAME CONSTRAINT "{old}" TO "{new}"')


def _rename_in_sqlite() -> None:
    """Make the two tables again: SQLite renames no constraint."""
    # Duels refer to a table that is away for a moment; whether all is well is asked at the end.
    op.execute("PRAGMA defer_foreign_keys = ON")
    # References to a table follow when it is renamed.
    op.rename_table("hold", "lease")
    op.rename_table("held", "isolation")
    _make_again("lease", _lease())
    _make_again("isolation", _isolation())


def _make_again(table: str, columns: Iterable[sa.schema.SchemaItem]) -> None:
    # The names are those above.
    op.execute(f"CREATE TEMPORARY TABLE copy AS SELECT * FROM {table}")  # noqa: S608
    op.drop_table(table)
    op.create_table(table, *columns)
    op.execute(f"INSERT INTO {table} SELECT * FROM copy")  # noqa: S608
    op.execute("DROP TABLE copy")


def _lease() -> tuple[sa.schema.SchemaItem, ...]:
    return (
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("machine", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("heartbeat", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_lease_league")),
        sa.PrimaryKeyConstraint("league", name=op.f("pk_lease")),
    )


def _isolation() -> tuple[sa.schema.SchemaItem, ...]:
    return (
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("sandboxed", sa.Boolean(), nullable=False),
        sa.Column("strict", sa.Boolean(), nullable=False),
        sa.Column("guarantees", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_isolation")),
        sa.UniqueConstraint("digest", name=op.f("uq_isolation_digest")),
    )

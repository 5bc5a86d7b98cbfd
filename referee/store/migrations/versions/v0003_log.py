"""The log of each league, and who is suspended in it."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0003"
down_revision: Final = "0002"


def upgrade() -> None:
    """Make the tables; who was entered before is not suspended, and all its duels are counted."""
    op.add_column("entry", sa.Column("suspended", sa.Integer(), nullable=True))
    op.add_column(
        "entry", sa.Column("counted_from", sa.Integer(), nullable=False, server_default="0")
    )
    _suspension()
    _log()


def _suspension() -> None:
    op.create_table(
        "suspension",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("bundle", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["league", "entrant"],
            ["entry.league", "entry.number"],
            name=op.f("fk_suspension_league_entrant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_suspension")),
    )
    op.create_index(op.f("ix_suspension_league"), "suspension", ["league"])


def _log() -> None:
    op.create_table(
        "log",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_log_league")),
        sa.PrimaryKeyConstraint("league", "number", name=op.f("pk_log")),
    )

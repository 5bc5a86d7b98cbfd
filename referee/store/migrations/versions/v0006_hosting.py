"""Leagues whose pairs are chosen round by round."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0006"
down_revision: Final = "0005"


def upgrade() -> None:
    """Make the tables; in leagues that are older everybody meets everybody."""
    op.add_column("league", sa.Column("round_duels", sa.Integer(), nullable=True))
    op.create_table(
        "round",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("pairs", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_round_league")),
        sa.PrimaryKeyConstraint("league", "number", name=op.f("pk_round")),
    )

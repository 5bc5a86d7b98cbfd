"""What epochs are dealt from: secrets, the nonces of entrants, rounds of beacons, statements."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0004"
down_revision: Final = "0003"


def upgrade() -> None:
    """Make the table; epochs that are older have none, and their seeds are their secrets."""
    op.add_column("entry", sa.Column("nonce", sa.String(), nullable=True))
    op.add_column("entry", sa.Column("nonce_hash", sa.String(), nullable=True))
    op.create_table(
        "opening",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("committed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("network", sa.String(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("statement", sa.String(), nullable=True),
        sa.Column("signature", sa.LargeBinary(), nullable=True),
        sa.Column("previous", sa.LargeBinary(), nullable=True),
        sa.Column("checked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_opening_league")),
        sa.PrimaryKeyConstraint("league", "number", name=op.f("pk_opening")),
    )

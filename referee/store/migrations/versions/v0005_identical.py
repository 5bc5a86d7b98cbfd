"""How many hands of a duel both rooms played alike."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0005"
down_revision: Final = "0004"


def upgrade() -> None:
    """Make the column; of duels that are older, that was not counted."""
    op.add_column("duel", sa.Column("identical", sa.Integer(), nullable=True))

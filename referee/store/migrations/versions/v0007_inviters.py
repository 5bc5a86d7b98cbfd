"""Who made an invitation."""

from typing import Final

from alembic import op

revision: Final = "0007"
down_revision: Final = "0006"


def upgrade() -> None:
    """Make the column; of invitations that are older, that was not written down."""
    # Not by Alembic's own words: it would add the reference by itself, which SQLite cannot.
    op.execute(
        "ALTER TABLE invitation ADD COLUMN inviter INTEGER "
        "CONSTRAINT fk_invitation_inviter REFERENCES account (id)"
    )

"""Leagues that are paired round by round, and what a host keeps: accounts, submissions, ladders."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0006"
down_revision: Final = "0005"


def upgrade() -> None:
    """Make the tables; in leagues that are older everybody meets everybody."""
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("login", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("mail", sa.String(), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("group", sa.String(), nullable=True),
        sa.Column("password", sa.String(), nullable=True),
        sa.Column("issuer", sa.String(), nullable=True),
        sa.Column("subject", sa.String(), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("disabled", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_account_issuer_subject")),
        sa.UniqueConstraint("login", name=op.f("uq_account_login")),
    )
    op.create_table(
        "announcement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcement")),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("kind", "subject", name=op.f("uq_job_kind_subject")),
    )
    op.create_index(op.f("ix_job_kind"), "job", ["kind"], unique=False)
    op.create_index(op.f("ix_job_state"), "job", ["state"], unique=False)
    op.create_table(
        "ladder",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder")),
        sa.UniqueConstraint("name", name=op.f("uq_ladder_name")),
    )
    op.create_table(
        "setting",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_setting")),
    )
    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("group", sa.String(), nullable=True),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("grace", sa.Integer(), nullable=False),
        sa.Column("counts", sa.String(), nullable=False),
        sa.Column("thresholds", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_assignment_ladder")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint("name", name=op.f("uq_assignment_name")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["actor"], ["account.id"], name=op.f("fk_audit_actor")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_actor"), "audit", ["actor"], unique=False)
    op.create_table(
        "challenge",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account", sa.Integer(), nullable=False),
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=False),
        sa.Column("duels", sa.Integer(), nullable=False),
        sa.Column("league", sa.Integer(), nullable=True),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_challenge_account")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_challenge_ladder")),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_challenge_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenge")),
    )
    op.create_index(op.f("ix_challenge_account"), "challenge", ["account"], unique=False)
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("group", sa.String(), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_invitation_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
    )
    op.create_index(op.f("ix_invitation_account"), "invitation", ["account"], unique=False)
    op.create_table(
        "ladder_entrant",
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("bot", sa.Integer(), nullable=False),
        sa.Column("account", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("joined", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["account.id"], name=op.f("fk_ladder_entrant_account")
        ),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_ladder_entrant_bot")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_ladder_entrant_ladder")),
        sa.PrimaryKeyConstraint("ladder", "number", name=op.f("pk_ladder_entrant")),
        sa.UniqueConstraint("ladder", "bot", name=op.f("uq_ladder_entrant_ladder_bot")),
    )
    op.create_index(op.f("ix_ladder_entrant_account"), "ladder_entrant", ["account"], unique=False)
    op.create_table(
        "ladder_epoch",
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("begins", sa.DateTime(timezone=True), nullable=False),
        sa.Column("paired", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_ladder_epoch_ladder")),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_ladder_epoch_league")),
        sa.PrimaryKeyConstraint("ladder", "number", name=op.f("pk_ladder_epoch")),
        sa.UniqueConstraint("league", name=op.f("uq_ladder_epoch_league")),
    )
    op.create_table(
        "ladder_snapshot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("duels", sa.Integer(), nullable=False),
        sa.Column("ratings", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_ladder_snapshot_ladder")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_snapshot")),
    )
    op.create_index(op.f("ix_ladder_snapshot_ladder"), "ladder_snapshot", ["ladder"], unique=False)
    op.create_table(
        "round",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("pairs", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_round_league")),
        sa.PrimaryKeyConstraint("league", "number", name=op.f("pk_round")),
    )
    op.create_table(
        "session",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("account", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_session_account")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_session")),
    )
    op.create_index(op.f("ix_session_account"), "session", ["account"], unique=False)
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account", sa.Integer(), nullable=False),
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("bot", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_submission_account")),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_submission_bot")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_submission_ladder")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint(
            "account", "ladder", "source", name=op.f("uq_submission_account_ladder_source")
        ),
    )
    op.create_index(op.f("ix_submission_account"), "submission", ["account"], unique=False)
    op.create_index(op.f("ix_submission_bot"), "submission", ["bot"], unique=False)
    op.create_index(op.f("ix_submission_ladder"), "submission", ["ladder"], unique=False)
    op.create_index(op.f("ix_submission_name"), "submission", ["name"], unique=False)
    op.create_index(op.f("ix_submission_source"), "submission", ["source"], unique=False)
    op.create_index(op.f("ix_submission_state"), "submission", ["state"], unique=False)
    op.create_table(
        "token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_token_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_token_digest")),
    )
    op.create_index(op.f("ix_token_account"), "token", ["account"], unique=False)
    op.create_table(
        "submission_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("actor", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["actor"], ["account.id"], name=op.f("fk_submission_event_actor")),
        sa.ForeignKeyConstraint(
            ["submission"], ["submission.id"], name=op.f("fk_submission_event_submission")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission_event")),
    )
    op.create_index(
        op.f("ix_submission_event_submission"), "submission_event", ["submission"], unique=False
    )
    op.create_table(
        "submission_file",
        sa.Column("submission", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission"], ["submission.id"], name=op.f("fk_submission_file_submission")
        ),
        sa.PrimaryKeyConstraint("submission", "name", name=op.f("pk_submission_file")),
    )
    op.add_column("league", sa.Column("round_duels", sa.Integer(), nullable=True))

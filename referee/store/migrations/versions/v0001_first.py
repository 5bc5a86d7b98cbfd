"""The first tables."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0001"
down_revision: Final = None


def upgrade() -> None:
    """Make them; what refers to another comes after it."""
    _bot()
    _held()
    _league()
    _entry()
    _epoch()
    _hold()
    _snapshot()
    _duel()
    _void()
    _fault()
    _side()


def _bot() -> None:
    op.create_table(
        "bot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("manifest", sa.String(), nullable=False),
        sa.Column("added", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot")),
        sa.UniqueConstraint("digest", name=op.f("uq_bot_digest")),
    )
    op.create_index(op.f("ix_bot_name"), "bot", ["name"])


def _held() -> None:
    op.create_table(
        "held",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("sandboxed", sa.Boolean(), nullable=False),
        sa.Column("strict", sa.Boolean(), nullable=False),
        sa.Column("guarantees", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_held")),
        sa.UniqueConstraint("digest", name=op.f("uq_held_digest")),
    )


def _league() -> None:
    op.create_table(
        "league",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("limits", sa.JSON(), nullable=False),
        sa.Column("policy", sa.JSON(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("at_least", sa.Integer(), nullable=False),
        sa.Column("beat", sa.Float(), nullable=False),
        sa.Column("duels", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("until", sa.JSON(), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.UniqueConstraint("name", name=op.f("uq_league_name")),
    )


def _entry() -> None:
    op.create_table(
        "entry",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("bot", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("withdrawn", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_entry_bot")),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_entry_league")),
        sa.PrimaryKeyConstraint("league", "number", name=op.f("pk_entry")),
        sa.UniqueConstraint("league", "bot", name=op.f("uq_entry_league_bot")),
    )


def _epoch() -> None:
    op.create_table(
        "epoch",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("given", sa.Boolean(), nullable=False),
        sa.Column("opened", sa.DateTime(timezone=True), nullable=False),
        sa.Column("out", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_epoch_league")),
        sa.PrimaryKeyConstraint("league", "number", name=op.f("pk_epoch")),
    )


def _hold() -> None:
    op.create_table(
        "hold",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("machine", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("beat", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_hold_league")),
        sa.PrimaryKeyConstraint("league", name=op.f("pk_hold")),
    )


def _snapshot() -> None:
    op.create_table(
        "snapshot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("duels", sa.Integer(), nullable=False),
        sa.Column("ratings", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_snapshot_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshot")),
    )
    op.create_index(op.f("ix_snapshot_league"), "snapshot", ["league"])


def _duel() -> None:
    op.create_table(
        "duel",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("margin", sa.Float(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("first_faults", sa.Integer(), nullable=False),
        sa.Column("second_faults", sa.Integer(), nullable=False),
        sa.Column("held", sa.Integer(), nullable=False),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=False),
        sa.Column("play", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["held"], ["held.id"], name=op.f("fk_duel_held")),
        sa.ForeignKeyConstraint(
            ["league", "first"], ["entry.league", "entry.number"], name=op.f("fk_duel_league_first")
        ),
        sa.ForeignKeyConstraint(
            ["league", "second"],
            ["entry.league", "entry.number"],
            name=op.f("fk_duel_league_second"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_duel")),
        sa.UniqueConstraint(
            "league", "first", "second", "number", name=op.f("uq_duel_league_first_second_number")
        ),
    )


def _void() -> None:
    op.create_table(
        "void",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["league", "first"], ["entry.league", "entry.number"], name=op.f("fk_void_league_first")
        ),
        sa.ForeignKeyConstraint(
            ["league", "second"],
            ["entry.league", "entry.number"],
            name=op.f("fk_void_league_second"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_void")),
    )
    op.create_index(op.f("ix_void_league"), "void", ["league"])


def _fault() -> None:
    op.create_table(
        "fault",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("duel", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("room", sa.Integer(), nullable=False),
        sa.Column("hand", sa.Integer(), nullable=False),
        sa.Column("explanation", sa.String(), nullable=False),
        sa.Column("forfeits", sa.Boolean(), nullable=False),
        sa.Column("bundle", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["duel"], ["duel.id"], name=op.f("fk_fault_duel")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fault")),
    )
    op.create_index(op.f("ix_fault_duel"), "fault", ["duel"])


def _side() -> None:
    op.create_table(
        "side",
        sa.Column("duel", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("tallies", sa.JSON(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("room", sa.Integer(), nullable=True),
        sa.Column("hand", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("decision", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["duel"], ["duel.id"], name=op.f("fk_side_duel")),
        sa.PrimaryKeyConstraint("duel", "entrant", name=op.f("pk_side")),
    )

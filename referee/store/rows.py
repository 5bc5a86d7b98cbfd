"""The tables of leagues, as they stand after the last migration.

A table has the name of its class. References to a league, a bot or a duel are to its `id`;
entrants go by their numbers in the league. `migrations` makes these tables, and a test holds the
two together.
"""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import BigInteger, ForeignKeyConstraint, UniqueConstraint
from sqlalchemy.types import JSON
from sqlmodel import Field

from referee.store.row_types import METADATA, MomentType, TableRow, WordsType


def _entrant(column: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["league", column], ["entry.league", "entry.number"])


class BotRow(TableRow, table=True):
    """A bot at one version; its files are beside the database."""

    __tablename__ = "bot"

    id: int | None = Field(default=None, primary_key=True)
    digest: str = Field(unique=True)
    name: str = Field(index=True, sa_type=WordsType)
    version: str = Field(sa_type=WordsType)
    author: str = Field(sa_type=WordsType)
    language: str
    games: list[str] = Field(sa_type=JSON)
    manifest: str = Field(sa_type=WordsType)
    added: datetime = Field(sa_type=MomentType)


class LeagueRow(TableRow, table=True):
    """A league and its plan."""

    __tablename__ = "league"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    game: str
    rules: dict[str, Any] = Field(sa_type=JSON)
    limits: dict[str, Any] = Field(sa_type=JSON)
    policy: dict[str, Any] = Field(sa_type=JSON)
    tables: int
    at_least: int
    beat: float
    duels: int
    block: int
    until: dict[str, Any] | None = Field(sa_type=JSON(none_as_null=True))
    created: datetime = Field(sa_type=MomentType)
    state: str
    round_duels: int | None


class RoundRow(TableRow, table=True):
    """A round of a league whose pairs are chosen round by round."""

    __tablename__ = "round"

    league: int = Field(primary_key=True, foreign_key="league.id")
    number: int = Field(primary_key=True)
    at: datetime = Field(sa_type=MomentType)
    pairs: list[tuple[int, int]] = Field(sa_type=JSON)


class LeaseRow(TableRow, table=True):
    """Who runs a league at this moment."""

    __tablename__ = "lease"

    league: int = Field(primary_key=True, foreign_key="league.id")
    token: str
    host: str
    machine: str
    pid: int
    started: int = Field(sa_type=BigInteger)
    since: datetime = Field(sa_type=MomentType)
    heartbeat: float


class EpochRow(TableRow, table=True):
    """A seed of a league."""

    __tablename__ = "epoch"

    league: int = Field(primary_key=True, foreign_key="league.id")
    number: int = Field(primary_key=True)
    seed: bytes
    seed_given: bool
    opened: datetime = Field(sa_type=MomentType)
    revealed: bool


class EntryRow(TableRow, table=True):
    """A bot in a league; epoch 0 is none yet."""

    __tablename__ = "entry"

    __table_args__ = (UniqueConstraint("league", "bot"),)

    league: int = Field(primary_key=True, foreign_key="league.id")
    number: int = Field(primary_key=True)
    bot: int = Field(foreign_key="bot.id")
    epoch: int
    withdrawn: datetime | None = Field(sa_type=MomentType)
    suspended: int | None
    counted_from: int = Field(sa_column_kwargs={"server_default": "0"})
    nonce: str | None
    nonce_hash: str | None


class OpeningRow(TableRow, table=True):
    """What an epoch is dealt from; the statement is canonical JSON."""

    __tablename__ = "opening"

    league: int = Field(primary_key=True, foreign_key="league.id")
    number: int = Field(primary_key=True)
    secret: bytes
    committed: datetime = Field(sa_type=MomentType)
    network: str | None
    round: int | None
    statement: str | None
    signature: bytes | None
    previous: bytes | None
    checked: bool


class SuspensionRow(TableRow, table=True):
    """That an entrant was suspended, and why; it may be reinstated since."""

    __tablename__ = "suspension"

    __table_args__ = (_entrant("entrant"),)

    id: int | None = Field(default=None, primary_key=True)
    league: int = Field(index=True)
    entrant: int
    after: int
    reason: str = Field(sa_type=WordsType)
    at: datetime = Field(sa_type=MomentType)
    bundle: bytes | None


class IsolationRow(TableRow, table=True):
    """What isolated bots; the digest is over the rest, so that equal rows are stored once."""

    __tablename__ = "isolation"

    id: int | None = Field(default=None, primary_key=True)
    digest: str = Field(unique=True)
    sandboxed: bool
    strict: bool
    guarantees: list[dict[str, str]] = Field(sa_type=JSON)


class DuelRow(TableRow, table=True):
    """A finished duel; how often each was at fault stands here too, to be read at once."""

    __tablename__ = "duel"

    __table_args__ = (
        UniqueConstraint("league", "first", "second", "number"),
        _entrant("first"),
        _entrant("second"),
    )

    id: int | None = Field(default=None, primary_key=True)
    league: int
    first: int
    second: int
    number: int
    wins: int
    margin: float
    hands: int
    first_faults: int
    second_faults: int
    isolation: int = Field(foreign_key="isolation.id")
    finished: datetime = Field(sa_type=MomentType)
    play: bytes
    identical: int | None


class SideRow(TableRow, table=True):
    """What one entrant did in a duel, and its slowest decision."""

    __tablename__ = "side"

    duel: int = Field(primary_key=True, foreign_key="duel.id")
    entrant: int = Field(primary_key=True)
    tallies: dict[str, int] = Field(sa_type=JSON)
    seconds: float | None
    room: int | None
    hand: int | None
    seat: int | None
    decision: str | None


class FaultRow(TableRow, table=True):
    """A fault in a duel."""

    __tablename__ = "fault"

    id: int | None = Field(default=None, primary_key=True)
    duel: int = Field(foreign_key="duel.id", index=True)
    kind: str
    entrant: int
    seat: int
    room: int
    hand: int
    explanation: str = Field(sa_type=WordsType)
    forfeits: bool
    bundle: bytes | None


class VoidRow(TableRow, table=True):
    """A duel that counted for nobody, once."""

    __tablename__ = "void"

    __table_args__ = (_entrant("first"), _entrant("second"))

    id: int | None = Field(default=None, primary_key=True)
    league: int = Field(index=True)
    first: int
    second: int
    number: int
    reason: str = Field(sa_type=WordsType)
    at: datetime = Field(sa_type=MomentType)


class LogRow(TableRow, table=True):
    """An entry of a league's log; the body is canonical JSON."""

    __tablename__ = "log"

    league: int = Field(primary_key=True, foreign_key="league.id")
    number: int = Field(primary_key=True)
    at: datetime = Field(sa_type=MomentType)
    kind: str
    body: str
    head: bytes


class SnapshotRow(TableRow, table=True):
    """The table as it stood at a moment."""

    __tablename__ = "snapshot"

    id: int | None = Field(default=None, primary_key=True)
    league: int = Field(foreign_key="league.id", index=True)
    at: datetime = Field(sa_type=MomentType)
    duels: int
    ratings: dict[str, tuple[float, float]] = Field(sa_type=JSON)


BOT: Final = METADATA.tables["bot"]
LEAGUE: Final = METADATA.tables["league"]
LEASE: Final = METADATA.tables["lease"]
ROUND: Final = METADATA.tables["round"]
EPOCH: Final = METADATA.tables["epoch"]
OPENING: Final = METADATA.tables["opening"]
ENTRY: Final = METADATA.tables["entry"]
ISOLATION: Final = METADATA.tables["isolation"]
DUEL: Final = METADATA.tables["duel"]
SIDE: Final = METADATA.tables["side"]
FAULT: Final = METADATA.tables["fault"]
VOID: Final = METADATA.tables["void"]
SUSPENSION: Final = METADATA.tables["suspension"]
LOG: Final = METADATA.tables["log"]
SNAPSHOT: Final = METADATA.tables["snapshot"]

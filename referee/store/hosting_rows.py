"""The tables of a host: accounts, submissions, queues and ladders.

A program that hosts nothing does not import them. As in `rows`, a table has the name of its class,
and references are to the `id` of what they name. Whatever is secret stands here as a hash alone.
"""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import UniqueConstraint
from sqlalchemy.types import JSON
from sqlmodel import Field

from referee.store.row_types import METADATA, MomentType, TableRow, WordsType


class AccountRow(TableRow, table=True):
    """Somebody who may sign in."""

    __tablename__ = "account"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    id: int | None = Field(default=None, primary_key=True)
    login: str = Field(unique=True)
    name: str = Field(sa_type=WordsType)
    mail: str | None = Field(sa_type=WordsType)
    role: str
    group: str | None = Field(sa_type=WordsType)
    password: str | None
    issuer: str | None
    subject: str | None
    created: datetime = Field(sa_type=MomentType)
    disabled: datetime | None = Field(sa_type=MomentType)
    deleted: datetime | None = Field(sa_type=MomentType)


class SessionRow(TableRow, table=True):
    """That a browser is signed in; by the hash of what its cookie holds."""

    __tablename__ = "session"

    digest: str = Field(primary_key=True)
    account: int = Field(foreign_key="account.id", index=True)
    created: datetime = Field(sa_type=MomentType)
    seen: datetime = Field(sa_type=MomentType)
    expires: datetime = Field(sa_type=MomentType)


class TokenRow(TableRow, table=True):
    """What a program signs in by; the token itself is shown once and not kept."""

    __tablename__ = "token"

    id: int | None = Field(default=None, primary_key=True)
    account: int = Field(foreign_key="account.id", index=True)
    name: str = Field(sa_type=WordsType)
    digest: str = Field(unique=True)
    scopes: list[str] = Field(sa_type=JSON)
    created: datetime = Field(sa_type=MomentType)
    expires: datetime = Field(sa_type=MomentType)
    used: datetime | None = Field(sa_type=MomentType)
    revoked: datetime | None = Field(sa_type=MomentType)


class InvitationRow(TableRow, table=True):
    """A link by which somebody chooses a password: for an account, or for a new one."""

    __tablename__ = "invitation"

    id: int | None = Field(default=None, primary_key=True)
    account: int | None = Field(foreign_key="account.id", index=True)
    role: str
    group: str | None = Field(sa_type=WordsType)
    created: datetime = Field(sa_type=MomentType)
    expires: datetime = Field(sa_type=MomentType)
    used: datetime | None = Field(sa_type=MomentType)
    inviter: int | None = Field(foreign_key="account.id")


class SettingRow(TableRow, table=True):
    """What the organiser chose for the host, and its own secret key."""

    __tablename__ = "setting"

    name: str = Field(primary_key=True)
    value: Any = Field(sa_type=JSON)


class AuditRow(TableRow, table=True):
    """Who did what, when; the actor is none where the host did it by itself."""

    __tablename__ = "audit"

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=MomentType)
    actor: int | None = Field(foreign_key="account.id", index=True)
    action: str
    subject: str = Field(sa_type=WordsType)
    details: dict[str, Any] = Field(sa_type=JSON)


class AnnouncementRow(TableRow, table=True):
    """What everybody is told above every page."""

    __tablename__ = "announcement"

    id: int | None = Field(default=None, primary_key=True)
    text: str = Field(sa_type=WordsType)
    at: datetime = Field(sa_type=MomentType)
    until: datetime | None = Field(sa_type=MomentType)


class LadderRow(TableRow, table=True):
    """A ladder, and how it is played."""

    __tablename__ = "ladder"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    plan: dict[str, Any] = Field(sa_type=JSON)
    state: str
    created: datetime = Field(sa_type=MomentType)


class LadderEpochRow(TableRow, table=True):
    """An epoch of a ladder: a league of its own."""

    __tablename__ = "ladder_epoch"

    ladder: int = Field(primary_key=True, foreign_key="ladder.id")
    number: int = Field(primary_key=True)
    league: int = Field(foreign_key="league.id", unique=True)
    begins: datetime = Field(sa_type=MomentType)
    paired: datetime | None = Field(sa_type=MomentType)
    ended: datetime | None = Field(sa_type=MomentType)


class LadderEntrantRow(TableRow, table=True):
    """A bot on a ladder, at one exact version; it keeps its number from epoch to epoch."""

    __tablename__ = "ladder_entrant"
    __table_args__ = (UniqueConstraint("ladder", "bot"),)

    ladder: int = Field(primary_key=True, foreign_key="ladder.id")
    number: int = Field(primary_key=True)
    bot: int = Field(foreign_key="bot.id")
    account: int | None = Field(foreign_key="account.id", index=True)
    state: str
    joined: datetime = Field(sa_type=MomentType)


class LadderSnapshotRow(TableRow, table=True):
    """The ratings of a ladder at a moment."""

    __tablename__ = "ladder_snapshot"

    id: int | None = Field(default=None, primary_key=True)
    ladder: int = Field(foreign_key="ladder.id", index=True)
    at: datetime = Field(sa_type=MomentType)
    duels: int
    ratings: dict[str, tuple[float, float]] = Field(sa_type=JSON)


class SubmissionRow(TableRow, table=True):
    """A bot that was handed in; the archive is beside the database, under its source's digest."""

    __tablename__ = "submission"
    __table_args__ = (UniqueConstraint("account", "ladder", "source"),)

    id: int | None = Field(default=None, primary_key=True)
    account: int = Field(foreign_key="account.id", index=True)
    ladder: int = Field(foreign_key="ladder.id", index=True)
    source: str = Field(index=True)
    name: str = Field(sa_type=WordsType, index=True)
    version: str = Field(sa_type=WordsType)
    language: str = Field(sa_type=WordsType)
    size: int
    received: datetime = Field(sa_type=MomentType)
    state: str = Field(index=True)
    since: datetime = Field(sa_type=MomentType)
    reason: str = Field(sa_type=WordsType)
    bot: int | None = Field(foreign_key="bot.id", index=True)


class SubmissionEventRow(TableRow, table=True):
    """That a submission came into a state."""

    __tablename__ = "submission_event"

    id: int | None = Field(default=None, primary_key=True)
    submission: int = Field(foreign_key="submission.id", index=True)
    at: datetime = Field(sa_type=MomentType)
    state: str
    reason: str = Field(sa_type=WordsType)
    actor: int | None = Field(foreign_key="account.id")


class SubmissionFileRow(TableRow, table=True):
    """What an examination left: the log of the build, the report card, bundles of its faults."""

    __tablename__ = "submission_file"

    submission: int = Field(primary_key=True, foreign_key="submission.id")
    name: str = Field(primary_key=True)
    content: bytes


class ChallengeRow(TableRow, table=True):
    """Unrated duels of a bot against another one, which its author asked for."""

    __tablename__ = "challenge"

    id: int | None = Field(default=None, primary_key=True)
    account: int = Field(foreign_key="account.id", index=True)
    ladder: int = Field(foreign_key="ladder.id")
    first: int
    second: int
    duels: int
    league: int | None = Field(foreign_key="league.id")
    asked: datetime = Field(sa_type=MomentType)
    state: str
    reason: str = Field(sa_type=WordsType)


class JobRow(TableRow, table=True):
    """Something that is to be done once, by one of the processes that work on the queue."""

    __tablename__ = "job"
    __table_args__ = (UniqueConstraint("kind", "subject"),)

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(index=True)
    subject: int
    state: str = Field(index=True)
    attempts: int
    created: datetime = Field(sa_type=MomentType)
    due: datetime = Field(sa_type=MomentType)
    started: datetime | None = Field(sa_type=MomentType)
    finished: datetime | None = Field(sa_type=MomentType)
    error: str = Field(sa_type=WordsType)


class AssignmentRow(TableRow, table=True):
    """What a course asks for: until when, what counts, and what it is worth."""

    __tablename__ = "assignment"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    ladder: int = Field(foreign_key="ladder.id")
    group: str | None = Field(sa_type=WordsType)
    due: datetime = Field(sa_type=MomentType)
    grace: int
    counts: str
    thresholds: list[dict[str, Any]] = Field(sa_type=JSON)


ACCOUNT: Final = METADATA.tables["account"]
SESSION: Final = METADATA.tables["session"]
TOKEN: Final = METADATA.tables["token"]
INVITATION: Final = METADATA.tables["invitation"]
SETTING: Final = METADATA.tables["setting"]
AUDIT: Final = METADATA.tables["audit"]
ANNOUNCEMENT: Final = METADATA.tables["announcement"]
LADDER: Final = METADATA.tables["ladder"]
LADDER_EPOCH: Final = METADATA.tables["ladder_epoch"]
LADDER_ENTRANT: Final = METADATA.tables["ladder_entrant"]
LADDER_SNAPSHOT: Final = METADATA.tables["ladder_snapshot"]
SUBMISSION: Final = METADATA.tables["submission"]
SUBMISSION_EVENT: Final = METADATA.tables["submission_event"]
SUBMISSION_FILE: Final = METADATA.tables["submission_file"]
CHALLENGE: Final = METADATA.tables["challenge"]
JOB: Final = METADATA.tables["job"]
ASSIGNMENT: Final = METADATA.tables["assignment"]

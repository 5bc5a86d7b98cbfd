"""The values stored of accounts, submissions and ladders, apart from how they are stored."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple, get_args

from referee.arena.limits import Terms
from referee.store.models import Bot

Role = Literal["author", "organiser", "admin"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""What an account may do; each may do all that those before it may."""


class By(NamedTuple):
    """Who does something, and when."""

    account: int | None
    """None where the host does it by itself, or somebody on its command line."""
    at: datetime


class NewAccount(NamedTuple):
    """What an account begins with."""

    login: str
    name: str
    role: Role = "author"
    mail: str | None = None
    group: str | None = None
    password: str | None = None
    """Its hash."""
    issuer: str | None = None
    subject: str | None = None


class Account(NamedTuple):
    """Somebody who may sign in, or might until the account was disabled or deleted."""

    id: int
    login: str
    name: str
    """As everybody sees it."""
    mail: str | None
    role: Role
    group: str | None
    """Of a course."""
    password: str | None
    """Its hash; None as long as none was chosen."""
    issuer: str | None
    """Of the OpenID Connect provider that vouches for it, if one does."""
    subject: str | None
    """What it is called there."""
    created: datetime
    disabled: datetime | None
    deleted: datetime | None

    @property
    def is_active(self) -> bool:
        """Whether it may sign in."""
        return self.disabled is None and self.deleted is None

    @property
    def is_unused(self) -> bool:
        """Whether nobody has signed in by it: it has no password, and no provider vouches."""
        return self.password is None and self.issuer is None


class Session(NamedTuple):
    """That a browser is signed in."""

    digest: str
    """The hash of what its cookie holds."""
    account: Account
    seen: datetime
    expires: datetime


class NewToken(NamedTuple):
    """What a token begins with."""

    name: str
    digest: str
    """The hash of what is shown once."""
    scopes: tuple[str, ...]
    expires: datetime


class Token(NamedTuple):
    """What a program signs in by."""

    id: int
    account: int
    name: str
    scopes: tuple[str, ...]
    """What it may be used for."""
    created: datetime
    expires: datetime
    used: datetime | None
    """When it last was."""
    revoked: datetime | None

    def is_valid(self, now: datetime) -> bool:
        """Return whether it may be used."""
        return self.revoked is None and now < self.expires


class NewInvitation(NamedTuple):
    """What an invitation begins with."""

    account: int | None
    """Whose password is chosen; None if an account is made by it."""
    role: Role
    group: str | None
    expires: datetime


class Invitation(NamedTuple):
    """A link by which somebody chooses a password, once."""

    id: int
    account: int | None
    """Whose password it is; None if an account is made by it."""
    role: Role
    group: str | None
    created: datetime
    expires: datetime
    used: datetime | None
    inviter: int | None
    """The account that invites; None if somebody did so on the host's command line."""

    def is_valid(self, now: datetime) -> bool:
        """Return whether it may be used."""
        return self.used is None and now < self.expires


class AuditEntry(NamedTuple):
    """Who did what, when."""

    at: datetime
    actor: str | None
    """The login; None where the host did it by itself."""
    action: str
    subject: str
    """What it was done to."""
    details: Mapping[str, Any]


class Announcement(NamedTuple):
    """What everybody is told above every page."""

    id: int
    text: str
    at: datetime
    until: datetime | None


LadderState = Literal["open", "frozen", "ended"]
LADDER_STATES: Final[tuple[LadderState, ...]] = get_args(LadderState)
"""A frozen ladder takes no submissions and plays on; one that ended does neither."""


class LadderPlan(NamedTuple):
    """How a ladder is played; it never changes."""

    terms: Terms
    round_duels: int
    """Duels of a pair in a round."""
    epoch: timedelta
    """How long one league of it lasts."""
    interval: timedelta
    """From one round to the next."""
    catch_up: int
    """How many rounds a newcomer plays at once."""
    accepted: tuple[str, ...] = ()
    """The guarantees of the sandbox that may be missing."""
    sandboxed: bool = True


class Ladder(NamedTuple):
    """A ladder."""

    id: int
    name: str
    plan: LadderPlan
    state: LadderState
    created: datetime


class LadderEpoch(NamedTuple):
    """An epoch of a ladder."""

    number: int
    """From 1."""
    league: str
    """The league that it is."""
    begins: datetime
    paired: datetime | None
    """When the last round was paired in which everybody plays."""
    ended: datetime | None


EntrantState = Literal["active", "resting", "suspended", "banned"]


class LadderEntrant(NamedTuple):
    """A bot on a ladder, at one exact version."""

    number: int
    """From 1; it keeps it from epoch to epoch."""
    bot: Bot
    account: int | None
    """Whose it is; None for a house bot."""
    owner: str | None
    """The name of that account."""
    state: EntrantState
    joined: datetime


class LadderSnapshot(NamedTuple):
    """The ratings of a ladder at a moment."""

    at: datetime
    duels: int
    ratings: Mapping[int, tuple[float, float]]
    """Mean and spread of each entrant's rating."""


SubmissionState = Literal[
    "received",
    "building",
    "checking",
    "rejected",
    "failed",
    "accepted",
    "active",
    "resting",
    "suspended",
    "banned",
]
"""Failed is one that was not examined, by the host's own fault."""


class NewSubmission(NamedTuple):
    """What a submission begins with."""

    account: int
    ladder: int
    source: str
    """The digest of its content, in hexadecimal."""
    name: str
    version: str
    language: str
    size: int
    """Bytes of the archive."""


class Usage(NamedTuple):
    """What of its quota an account has used."""

    in_flight: int
    """Submissions that are not examined yet."""
    lately: tuple[datetime, ...]
    """When it handed in during the last day, but for what failed by the host's own fault."""
    active: tuple[str, ...]
    """The names of its bots that play on the ladder."""


class Submission(NamedTuple):
    """A bot that was handed in."""

    id: int
    account: int
    login: str
    """That of the account."""
    ladder: str
    source: str
    """The digest of its content, in hexadecimal."""
    name: str
    version: str
    language: str
    size: int
    """Bytes of the archive."""
    received: datetime
    state: SubmissionState
    since: datetime
    reason: str
    """Why it is in that state, if there is anything to say."""
    bot: str | None
    """The digest of the bot that it became."""


class SubmissionEvent(NamedTuple):
    """That a submission came into a state."""

    at: datetime
    state: SubmissionState
    reason: str
    actor: str | None
    """The login of who did it; None where the host did."""


ChallengeState = Literal["queued", "running", "done", "failed"]


class NewChallenge(NamedTuple):
    """What a challenge begins with."""

    account: int
    ladder: int
    first: int
    """The number of the author's bot on the ladder."""
    second: int
    """That of the other."""
    duels: int


class Challenge(NamedTuple):
    """Unrated duels that an author asked for."""

    id: int
    account: int
    ladder: str
    first: int
    """The number of the author's bot on the ladder."""
    second: int
    """That of the other."""
    duels: int
    league: str | None
    """In which they are played, once they are."""
    asked: datetime
    state: ChallengeState
    reason: str


JobKind = Literal["examine", "challenge"]
JobState = Literal["queued", "running", "done", "failed"]


class Job(NamedTuple):
    """Something that is to be done once."""

    id: int
    kind: JobKind
    subject: int
    """The id of what it is about."""
    state: JobState
    attempts: int
    """How often it failed by the host's own fault."""
    created: datetime
    due: datetime
    """Not before then."""
    started: datetime | None
    finished: datetime | None
    error: str
    """Why it failed the last time; empty if it did not."""


Counts = Literal["last", "best"]
COUNTS: Final[tuple[Counts, ...]] = get_args(Counts)
"""Which submission to an assignment counts."""


class Threshold(NamedTuple):
    """What an assignment is worth to who beats a house bot."""

    points: float
    bot: str
    """The name of the house bot."""
    confidence: float


class NewAssignment(NamedTuple):
    """What an assignment is to be."""

    name: str
    group: str | None
    """Whose it is; everybody's if this is None."""
    due: datetime
    grace: timedelta
    """How long after that submissions still count."""
    counts: Counts
    """Which of an author's submissions counts, of those in time."""
    thresholds: tuple[Threshold, ...]
    """What it is worth; the highest that is met counts."""


class Assignment(NamedTuple):
    """What a course asks for."""

    id: int
    name: str
    ladder: str
    group: str | None
    """Whose it is; everybody's if this is None."""
    due: datetime
    grace: timedelta
    counts: Counts
    """Which of an author's submissions counts, of those in time."""
    thresholds: tuple[Threshold, ...]

"""What becomes of submissions: examined, accepted, replaced, resting, suspended, banned.

Each change is one transaction, with its event and what else follows from it, so that a kill leaves
all of it or nothing. A change that has happened already changes nothing.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, func, select

from referee.errors import ConfigError
from referee.store import jobs
from referee.store.accounts import ACCOUNT_DELETED, lock_account
from referee.store.audit import append_audit
from referee.store.database import Store, writing
from referee.store.hosting_models import (
    Account,
    By,
    EntrantState,
    Job,
    Ladder,
    LadderEntrant,
    Submission,
    SubmissionState,
)
from referee.store.hosting_rows import SUBMISSION
from referee.store.ladders import enter_ladder, entrants_in, set_entrant_states
from referee.store.models import Bot
from referee.store.rows import BOT
from referee.store.submissions import IN_FLIGHT, IS_KEPT, examine_again, move, put_files, set_bot

_PLAYED: Final[frozenset[SubmissionState]] = frozenset({"active", "resting", "suspended"})
_NOT_ACCEPTED: Final[frozenset[SubmissionState]] = frozenset({"rejected", "failed"})
_NO_FILES: Final[Mapping[str, bytes]] = {}


class Examination(NamedTuple):
    """A submission that is examined, by whom it is, and for what."""

    job: Job | None
    """None where it was examined before."""
    submission: Submission
    account: Account
    ladder: Ladder


def begin(store: Store, found: Examination, state: SubmissionState, now: datetime) -> None:
    """Note how far an examination is."""
    with writing(store) as connection:
        others = IN_FLIGHT - {state}
        move(connection, found.submission.id, state, "", By(None, now), of=others)


def reject(
    store: Store,
    found: Examination,
    reason: str,
    now: datetime,
    files: Mapping[str, bytes] = _NO_FILES,
) -> None:
    """Reject a submission, for a reason that its author is told; keep what was found."""
    number = found.submission.id
    assert found.job
    with writing(store) as connection:
        if move(connection, number, "rejected", reason, By(None, now), of=IN_FLIGHT):
            put_files(connection, number, files)
        jobs.finish(connection, found.job, now)


def fail_examination(store: Store, job: Job, error: str, now: datetime) -> None:
    """Note that a submission was not examined by the host's own fault: it is tried again."""
    with writing(store) as connection:
        given_up = jobs.fail(connection, job, error, now)
        state: SubmissionState = "failed" if given_up else "received"
        says = "our fault: it was not examined" if given_up else jobs.TRIED_AGAIN
        move(connection, job.subject, state, says, By(None, now), of=IN_FLIGHT)


def accept(
    store: Store, found: Examination, bot: Bot, files: Mapping[str, bytes], now: datetime
) -> None:
    """Accept a bot that passed: it plays on the ladder in place of an earlier version.

    Raises:
        ConfigError: exactly this bot is somebody else's there.
    """
    number, by = found.submission.id, By(None, now)
    assert found.job
    with writing(store) as connection:
        if move(connection, number, "accepted", "", by, of=IN_FLIGHT):
            put_files(connection, number, files)
            set_bot(connection, number, bot.digest)
            _activate(connection, found, bot, by)
        jobs.finish(connection, found.job, now)


def choose_version(
    store: Store, found: Examination, bot: Bot, refuse: Callable[[Collection[str]], None], by: By
) -> None:
    """Choose a version that rests to play in place of the one that does.

    Args:
        store: the store.
        found: the submission that it was.
        bot: the bot.
        refuse: takes the names of the author's other bots that play, or are examined to play, and
            raises an error if there may not be one more.
        by: who chooses.

    Raises:
        ConfigError: it does not rest.
    """
    number = found.submission.id
    with writing(store) as connection:
        lock_account(connection, found.account.id)
        others = _named(connection, found, "active", *IN_FLIGHT)
        refuse({name for name in others.values() if name != found.submission.name})
        if not move(connection, number, "accepted", "chosen", by, of={"resting"}):
            raise ConfigError(
                f"submission {number} is {found.submission.state}; only one that rests is chosen"
            )
        _activate(connection, found, bot, by)
        append_audit(connection, by, "choose version", f"submission {number}")


def rest(store: Store, found: Submission, by: By) -> None:
    """Take a bot out of play; its duels count.

    Raises:
        ConfigError: it does not play.
    """
    _set_state(store, found, by, _Change("resting", frozenset({"active"})))


def ban(store: Store, found: Submission, reason: str, by: By) -> None:
    """Ban a bot, for a reason: it never plays again, and its duels count for nobody.

    Raises:
        ConfigError: it was never accepted, or is banned.
    """
    _set_state(store, found, by, _Change("banned", _PLAYED, reason))


def suspend(store: Store, found: Submission, reason: str, by: By) -> None:
    """Suspend a bot, for a reason: until that is lifted, its duels count for nobody.

    Raises:
        ConfigError: it was never accepted, or is suspended or banned.
    """
    of = frozenset[SubmissionState]({"active", "resting"})
    _set_state(store, found, by, _Change("suspended", of, reason))


def lift(store: Store, found: Submission, by: By) -> None:
    """Take a ban or a suspension back: the bot rests, and its duels count again.

    Raises:
        ConfigError: it is neither banned nor suspended.
    """
    either = frozenset[SubmissionState]({"banned", "suspended"})
    _set_state(store, found, by, _Change("resting", either))


def suspend_entrant(
    store: Store, ladder: Ladder, entrant: LadderEntrant, reason: str, now: datetime
) -> None:
    """Suspend an entrant that is at fault too often; its duels count for nobody."""
    bot = select(BOT.c.id).where(BOT.c.digest == entrant.bot.digest).scalar_subquery()
    these = (SUBMISSION.c.ladder == ladder.id) & (SUBMISSION.c.bot == bot)
    with writing(store) as connection:
        set_entrant_states(connection, ladder.id, [entrant.number], "suspended")
        for number in connection.scalars(select(SUBMISSION.c.id).where(these)).all():
            by = By(None, now)
            move(connection, number, "suspended", reason, by, of={"active", "resting"})


def examine_once_more(store: Store, found: Submission, by: By) -> None:
    """Queue a submission that was rejected, or not examined, once more.

    Raises:
        ConfigError: it is neither, or its content went with the account of its author.
    """
    with writing(store) as connection:
        this = select(SUBMISSION.c.id).where(SUBMISSION.c.id == found.id, IS_KEPT)
        if connection.scalar(this) is None:
            raise ConfigError(f"submission {found.id} is gone: {ACCOUNT_DELETED}")
        if not move(connection, found.id, "received", "examined again", by, of=_NOT_ACCEPTED):
            raise ConfigError(
                f"submission {found.id} is {found.state}; only what was not accepted is examined "
                "again"
            )
        examine_again(connection, found.id, by)
        append_audit(connection, by, "examine again", f"submission {found.id}")


def examine_latest(store: Store, ladder: Ladder, by: By) -> list[int]:
    """Queue once more the last submission of every author to a ladder that was not accepted.

    Of authors whose account was deleted, nothing is left to examine.

    Returns:
        the ids of those that are queued.
    """
    latest = (
        select(func.max(SUBMISSION.c.id))
        .where(SUBMISSION.c.ladder == ladder.id, IS_KEPT)
        .group_by(SUBMISSION.c.account)
    )
    with writing(store) as connection:
        queued = []
        for number in connection.scalars(latest).all():
            if move(connection, number, "received", "examined again", by, of=_NOT_ACCEPTED):
                examine_again(connection, number, by)
                queued.append(int(number))
        details = {"submissions": queued}
        append_audit(connection, by, "examine latest again", ladder.name, details)
    return queued


class _Change(NamedTuple):
    state: EntrantState
    of: frozenset[SubmissionState]
    reason: str = ""


def _set_state(store: Store, found: Submission, by: By, change: _Change) -> None:
    state, of, reason = change
    with writing(store) as connection:
        if not move(connection, found.id, state, reason, by, of=of):
            either = " or ".join(sorted(of))
            raise ConfigError(f"submission {found.id} is {found.state}, and has to be {either}")
        # Read here: it may have been accepted since the caller read it.
        joined = select(SUBMISSION.c.ladder, BOT.c.digest).join(BOT, BOT.c.id == SUBMISSION.c.bot)
        ladder, bot = connection.execute(joined.where(SUBMISSION.c.id == found.id)).one()
        there = entrants_in(connection, ladder)
        # Another submission may have become the same bot: what stops that is not taken back here.
        numbers = [each.number for each in there if each.bot.digest == bot and each.state in of]
        set_entrant_states(connection, ladder, numbers, state)
        append_audit(connection, by, f"set {state}", f"submission {found.id}", {"why": reason})


def _activate(connection: Connection, found: Examination, bot: Bot, by: By) -> None:
    """Bring a bot into play, and the earlier versions of it out of it."""
    own, ladder, account = found.submission, found.ladder, found.account
    for number, name in _named(connection, found, "active").items():
        if name == own.name:
            move(connection, number, "resting", f"replaced by {own.id}", by, of={"active"})
    earlier = [
        each.number
        for each in entrants_in(connection, ladder.id)
        if each.account == account.id and each.bot.name == bot.name and each.state == "active"
    ]
    set_entrant_states(connection, ladder.id, earlier, "resting")
    enter_ladder(connection, ladder, bot, account, by.at)
    move(connection, own.id, "active", "", by, of={"accepted"})


def _named(connection: Connection, found: Examination, *states: SubmissionState) -> dict[int, str]:
    """Return the submissions of an author to a ladder in some states, and their names."""
    asked = select(SUBMISSION.c.id, SUBMISSION.c.name).where(
        SUBMISSION.c.account == found.account.id,
        SUBMISSION.c.ladder == found.ladder.id,
        SUBMISSION.c.state.in_(states),
    )
    return dict(connection.execute(asked).all())

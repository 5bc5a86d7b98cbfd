"""Submissions: what was handed in, how far its examination is, and what came of it."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    delete,
    func,
    insert,
    select,
    update,
)

from referee.errors import ConfigError
from referee.store.accounts import ACCOUNT_DELETED, lock_account
from referee.store.audit import append_audit
from referee.store.database import Store, reading, writing
from referee.store.exact import exact
from referee.store.hosting_models import (
    By,
    NewSubmission,
    Submission,
    SubmissionEvent,
    SubmissionState,
    Usage,
)
from referee.store.hosting_rows import (
    ACCOUNT,
    LADDER,
    SUBMISSION,
    SUBMISSION_EVENT,
    SUBMISSION_FILE,
)
from referee.store.jobs import drop, enqueue, enqueue_again
from referee.store.rows import BOT

IN_FLIGHT: Final[frozenset[SubmissionState]] = frozenset({"received", "building", "checking"})
"""The states of a submission that is not examined yet."""
IS_KEPT: Final = SUBMISSION.c.account.in_(select(ACCOUNT.c.id).where(ACCOUNT.c.deleted.is_(None)))
"""Whether what was handed in is there still: it goes with the account of its author."""
_DAY: Final = timedelta(days=1)
_COLUMNS: Final = (
    *(SUBMISSION.c.id, SUBMISSION.c.account, ACCOUNT.c.login, LADDER.c.name.label("ladder")),
    *(SUBMISSION.c.source, SUBMISSION.c.name, SUBMISSION.c.version, SUBMISSION.c.language),
    *(SUBMISSION.c.size, SUBMISSION.c.received, SUBMISSION.c.state, SUBMISSION.c.since),
    *(SUBMISSION.c.reason, BOT.c.digest.label("bot")),
)


def add_submission(
    store: Store, new: NewSubmission, admit: Callable[[Usage], None], now: datetime
) -> tuple[Submission, bool]:
    """Add a submission and queue it; the same content of the same author is the same submission.

    Args:
        store: the store.
        new: what it begins with.
        admit: is called in the transaction with what of the quota was used; raises an error if that
            was too much, and else keeps the content.
        now: when that is.

    Returns:
        the submission, and whether it was not there yet.
    """
    same = (
        (SUBMISSION.c.account == new.account)
        & (SUBMISSION.c.ladder == new.ladder)
        & (SUBMISSION.c.source == new.source)
    )
    by = By(new.account, now)
    with writing(store) as connection:
        lock_account(connection, new.account)
        if found := connection.execute(_select().where(same)).one_or_none():
            return _submission(found), False
        admit(_usage(connection, new.account, new.ladder, now))
        row = {**new._asdict(), "received": now, "state": "received", "since": now, "reason": ""}
        inserted = connection.execute(insert(SUBMISSION), row).inserted_primary_key
        assert inserted
        number = inserted[0]
        _append_event(connection, number, "received", "", by)
        enqueue(connection, "examine", number, now)
        append_audit(connection, by, "submit", f"submission {number}", {"bot": new.name})
        return _one(connection, number), True


def usage(store: Store, account: int, ladder: int, now: datetime) -> Usage:
    """Return what of its quota an account has used on a ladder."""
    with reading(store) as connection:
        return _usage(connection, account, ladder, now)


def _usage(connection: Connection, account: int, ladder: int, now: datetime) -> Usage:
    own = SUBMISSION.c.account == account
    in_flight = connection.scalar(
        select(func.count()).where(own, SUBMISSION.c.state.in_(sorted(IN_FLIGHT)))
    )
    lately = connection.scalars(
        select(SUBMISSION.c.received)
        .where(own, SUBMISSION.c.received > now - _DAY, SUBMISSION.c.state != "failed")
        .order_by(SUBMISSION.c.received)
    )
    active = connection.scalars(
        select(SUBMISSION.c.name)
        .where(own, SUBMISSION.c.ladder == ladder, SUBMISSION.c.state == "active")
        .order_by(SUBMISSION.c.name)
    )
    return Usage(in_flight or 0, tuple(lately), tuple(active))


def submission(store: Store, number: int) -> Submission:
    """Return a submission by its id.

    Raises:
        ConfigError: there is none.
    """
    with reading(store) as connection:
        return _one(connection, number)


def submissions(
    store: Store,
    *,
    account: int | None = None,
    ladder: int | None = None,
    states: Collection[SubmissionState] | None = None,
    most: int = 1000,
) -> list[Submission]:
    """Return submissions, the latest first.

    Args:
        store: the store.
        account: only those of an account.
        ladder: only those to a ladder.
        states: only those in certain states.
        most: how many, at most.
    """
    asked = _select().order_by(SUBMISSION.c.id.desc()).limit(most)
    if account is not None:
        asked = asked.where(SUBMISSION.c.account == account)
    if ladder is not None:
        asked = asked.where(SUBMISSION.c.ladder == ladder)
    if states is not None:
        asked = asked.where(SUBMISSION.c.state.in_(sorted(states)))
    with reading(store) as connection:
        return [_submission(row) for row in connection.execute(asked)]


def events(store: Store, number: int) -> list[SubmissionEvent]:
    """Return what became of a submission, the first event first."""
    asked = (
        select(
            SUBMISSION_EVENT.c.at,
            SUBMISSION_EVENT.c.state,
            SUBMISSION_EVENT.c.reason,
            ACCOUNT.c.login,
        )
        .join_from(
            SUBMISSION_EVENT, ACCOUNT, SUBMISSION_EVENT.c.actor == ACCOUNT.c.id, isouter=True
        )
        .where(SUBMISSION_EVENT.c.submission == number)
        .order_by(SUBMISSION_EVENT.c.id)
    )
    with reading(store) as connection:
        return [exact(SubmissionEvent, row) for row in connection.execute(asked)]


def move(  # noqa: PLR0913 (all that a change of state says)
    connection: Connection,
    number: int,
    state: SubmissionState,
    reason: str,
    by: By,
    *,
    of: Collection[SubmissionState],
) -> bool:
    """Bring a submission into a state, if it is in one of some others; return whether it was."""
    this = (SUBMISSION.c.id == number) & SUBMISSION.c.state.in_(sorted(of))
    values = {"state": state, "since": by.at, "reason": reason[:1000]}
    if not connection.execute(update(SUBMISSION).where(this).values(values)).rowcount:
        return False
    _append_event(connection, number, state, reason, by)
    return True


def examine_again(connection: Connection, number: int, by: By) -> None:
    """Queue a submission once more; what was found before is dropped."""
    connection.execute(delete(SUBMISSION_FILE).where(SUBMISSION_FILE.c.submission == number))
    enqueue_again(connection, "examine", number, by.at)


def set_bot(connection: Connection, number: int, digest: str) -> None:
    """Note which bot a submission became."""
    bot = select(BOT.c.id).where(BOT.c.digest == digest).scalar_subquery()
    connection.execute(update(SUBMISSION).where(SUBMISSION.c.id == number).values(bot=bot))


def put_files(connection: Connection, number: int, files: Mapping[str, bytes]) -> None:
    """Keep what an examination left, in place of what an earlier one did."""
    connection.execute(delete(SUBMISSION_FILE).where(SUBMISSION_FILE.c.submission == number))
    rows = [
        {"submission": number, "name": name, "content": content} for name, content in files.items()
    ]
    if rows:
        connection.execute(insert(SUBMISSION_FILE), rows)


def file_names(store: Store, number: int) -> list[str]:
    """Return the names of what the examination of a submission left."""
    asked = select(SUBMISSION_FILE.c.name).where(SUBMISSION_FILE.c.submission == number)
    with reading(store) as connection:
        return sorted(connection.scalars(asked))


def file(store: Store, number: int, name: str) -> bytes | None:
    """Return one of the files that the examination of a submission left."""
    this = (SUBMISSION_FILE.c.submission == number) & (SUBMISSION_FILE.c.name == name)
    with reading(store) as connection:
        found = connection.scalar(select(SUBMISSION_FILE.c.content).where(this))
    return None if found is None else bytes(found)


def forget_submissions(connection: Connection, account: int, by: By) -> list[str]:
    """Remove what examinations of an account's submissions left; return the digests of sources.

    What comes of an examination that goes on is not kept, either.
    """
    own = select(SUBMISSION.c.id).where(SUBMISSION.c.account == account)
    for number in connection.scalars(own).all():
        move(connection, number, "rejected", ACCOUNT_DELETED, by, of=IN_FLIGHT)
    drop(connection, "examine", own, by.at)
    connection.execute(delete(SUBMISSION_FILE).where(SUBMISSION_FILE.c.submission.in_(own)))
    found = select(SUBMISSION.c.source).where(SUBMISSION.c.account == account)
    return [*connection.scalars(found)]


def sources_in_use(connection: Connection, sources: Collection[str], but: int) -> set[str]:
    """Return which sources somebody else handed in, too."""
    others = select(SUBMISSION.c.source).where(
        SUBMISSION.c.source.in_(sources), SUBMISSION.c.account != but
    )
    return {*connection.scalars(others)}


def sources_kept(connection: Connection) -> list[str]:
    """Return the digests of all sources that are kept: of everybody who was not deleted."""
    kept = select(SUBMISSION.c.source).where(IS_KEPT).distinct()
    return [*connection.scalars(kept.order_by(SUBMISSION.c.source))]


def _append_event(
    connection: Connection, number: int, state: SubmissionState, reason: str, by: By
) -> None:
    row = {"submission": number, "at": by.at, "state": state, "reason": reason[:1000]}
    connection.execute(insert(SUBMISSION_EVENT), row | {"actor": by.account})


def _select() -> Select[Any]:
    joined = SUBMISSION.join(ACCOUNT, ACCOUNT.c.id == SUBMISSION.c.account).join(
        LADDER, LADDER.c.id == SUBMISSION.c.ladder
    )
    return select(*_COLUMNS).select_from(
        joined.join(BOT, BOT.c.id == SUBMISSION.c.bot, isouter=True)
    )


def _one(connection: Connection, number: int) -> Submission:
    found = connection.execute(_select().where(_is(number))).one_or_none()
    if found is None:
        raise ConfigError(f"there is no submission {number}")
    return _submission(found)


def _is(number: int) -> ColumnElement[bool]:
    return SUBMISSION.c.id == number


def _submission(row: Row[Any]) -> Submission:
    return exact(Submission, row)

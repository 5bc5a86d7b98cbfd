"""Challenges: unrated duels between two bots of a ladder, which an author asked for."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from referee.errors import ConfigError
from referee.store.accounts import ACCOUNT_DELETED, lock_account
from referee.store.audit import append_audit
from referee.store.database import Store, reading, writing
from referee.store.exact import exact
from referee.store.hosting_models import By, Challenge, ChallengeState, Job, NewChallenge
from referee.store.hosting_rows import CHALLENGE, LADDER
from referee.store.jobs import TRIED_AGAIN, drop, enqueue, fail
from referee.store.rows import LEAGUE


def add_challenge(
    store: Store,
    new: NewChallenge,
    now: datetime,
    admit: Callable[[int], None] = lambda _: None,
) -> Challenge:
    """Add a challenge, and queue it.

    Args:
        store: the store.
        new: what it begins with.
        now: when that is.
        admit: is called in the transaction with how many of the author's are not over; raises an
            error if there may be no more.
    """
    row = {**new._asdict(), "asked": now, "state": "queued", "reason": ""}
    by = By(new.account, now)
    is_open = CHALLENGE.c.state.in_(["queued", "running"])
    with writing(store) as connection:
        lock_account(connection, new.account)
        asked = select(func.count()).where(CHALLENGE.c.account == new.account, is_open)
        admit(connection.scalar(asked) or 0)
        inserted = connection.execute(insert(CHALLENGE), row).inserted_primary_key
        assert inserted
        enqueue(connection, "challenge", inserted[0], now)
        append_audit(connection, by, "challenge", f"challenge {inserted[0]}")
        (made,) = _challenges(connection, CHALLENGE.c.id == inserted[0])
        return made


def challenge(store: Store, number: int) -> Challenge:
    """Return a challenge by its id.

    Raises:
        ConfigError: there is none.
    """
    with reading(store) as connection:
        found = _challenges(connection, CHALLENGE.c.id == number)
    if not found:
        raise ConfigError(f"there is no challenge {number}")
    return found[0]


def challenges(store: Store, account: int, most: int = 100) -> list[Challenge]:
    """Return the challenges of an account, the latest first."""
    with reading(store) as connection:
        return _challenges(connection, CHALLENGE.c.account == account)[:most]


def set_challenge_state(
    connection: Connection,
    number: int,
    state: ChallengeState,
    reason: str = "",
    league: str | None = None,
) -> None:
    """Bring a challenge into a state; a league that is named is where it is played."""
    values: dict[str, Any] = {"state": state, "reason": reason[:1000]}
    if league is not None:
        values["league"] = select(LEAGUE.c.id).where(LEAGUE.c.name == league).scalar_subquery()
    connection.execute(update(CHALLENGE).where(CHALLENGE.c.id == number).values(values))


def fail_challenge(store: Store, job: Job, error: str, now: datetime) -> None:
    """Note that a challenge was not played by the host's own fault: it is tried again."""
    with writing(store) as connection:
        given_up = fail(connection, job, error, now)
        state: ChallengeState = "failed" if given_up else "queued"
        says = "our fault: it was not played" if given_up else TRIED_AGAIN
        set_challenge_state(connection, job.subject, state, says)


def forget_challenges(connection: Connection, account: int, now: datetime) -> None:
    """Cancel the challenges of an account that is deleted, but for one that is being played."""
    own = select(CHALLENGE.c.id).where(CHALLENGE.c.account == account)
    waits = CHALLENGE.c.id.in_(own.where(CHALLENGE.c.state == "queued"))
    values = {"state": "failed", "reason": ACCOUNT_DELETED}
    connection.execute(update(CHALLENGE).where(waits).values(values))
    drop(connection, "challenge", own, now)


def challenge_leagues(store: Store) -> set[str]:
    """Return the leagues that are challenges: no list of leagues shows them."""
    asked = select(LEAGUE.c.name).join(CHALLENGE, CHALLENGE.c.league == LEAGUE.c.id)
    with reading(store) as connection:
        return {*connection.scalars(asked)}


def _challenges(connection: Connection, which: ColumnElement[bool]) -> list[Challenge]:
    asked = (
        select(
            *(CHALLENGE.c.id, CHALLENGE.c.account, LADDER.c.name.label("ladder")),
            *(CHALLENGE.c.first, CHALLENGE.c.second, CHALLENGE.c.duels),
            *(LEAGUE.c.name.label("league"), CHALLENGE.c.asked, CHALLENGE.c.state),
            CHALLENGE.c.reason,
        )
        .join_from(CHALLENGE, LADDER, LADDER.c.id == CHALLENGE.c.ladder)
        .join(LEAGUE, LEAGUE.c.id == CHALLENGE.c.league, isouter=True)
        .where(which)
        .order_by(CHALLENGE.c.id.desc())
    )
    return [exact(Challenge, row) for row in connection.execute(asked)]

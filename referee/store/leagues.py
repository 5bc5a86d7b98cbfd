"""Writes and reads leagues: their plans, entries, suspensions, epochs and states."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

from sqlalchemy import ColumnElement, Connection, Row, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from referee.beacon import Round
from referee.errors import ConfigError
from referee.json_forms import moment
from referee.store.bots import bot_of
from referee.store.database import Store, league_id, reading, writing
from referee.store.epochs import OPENINGS, draw, draw_next, opening_of
from referee.store.exact import exact
from referee.store.leases import Lease, fenced
from referee.store.log import SUSPENDING, append
from referee.store.models import Bot, Entry, Epoch, League, Opening, Plan, State, Suspension
from referee.store.plans import plan_columns, plan_of
from referee.store.rows import BOT, ENTRY, EPOCH, LEAGUE, LOG, OPENING, SUSPENSION
from referee.store.statement import NO_PROMISE, Promise
from referee.text import storable

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_EPOCH: Final = (
    *(EPOCH.c.number, EPOCH.c.seed, EPOCH.c.seed_given),
    *(EPOCH.c.opened, EPOCH.c.revealed),
)
_SUSPENSION: Final = [SUSPENSION.c[field] for field in Suspension._fields if field != "bundle"]
_IS_SUSPENDING: Final = LOG.c.kind.in_(sorted(SUSPENDING))
_IS_OF_ENTRY: Final = ENTRY.c.number == SUSPENSION.c.entrant
_BOT: Final = [BOT.c[field] for field in Bot._fields]
# The first entry is looked up, as most logs begin with one; only an older league's is searched.
_SUSPENDS: Final = or_(
    *(
        select(LOG.c.number).where(LOG.c.league == LEAGUE.c.id, which, _IS_SUSPENDING).exists()
        for which in (LOG.c.number == 1, LOG.c.number > 1)
    )
)


def create_league(  # noqa: PLR0913 (all that a league begins with)
    store: Store,
    name: str,
    plan: Plan,
    digests: Sequence[str],
    now: datetime,
    *,
    promises: Mapping[str, Promise] | None = None,
    beacon: Round | None = None,
) -> League:
    """Create a league of bots that are in the store, and draw the secret it is dealt from.

    Args:
        store: the store.
        name: what it is called.
        plan: how it is played.
        digests: the bots'.
        now: when that is.
        promises: the nonces of bots, by their digests.
        beacon: the round whose randomness is mixed in.

    Raises:
        ConfigError: there is one of that name, or no bot of a digest, or a bot is named twice.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"a league's name is letters, digits, dots, dashes and underscores, at most 64 and "
            f"first a letter or digit; not {name[:80]!r}"
        )
    row = {"name": name, "created": now, "state": "open", **plan_columns(plan)}
    try:
        with writing(store) as connection:
            inserted = connection.execute(insert(LEAGUE), row).inserted_primary_key
            assert inserted
            for number, digest in enumerate(digests, 1):
                promised = (promises or {}).get(digest, NO_PROMISE)
                _enter(connection, inserted[0], number, digest, promised)
            body = {
                "name": name,
                "plan": plan_columns(plan),
                "entrants": [*digests],
                "commitment": draw(connection, inserted[0], 1, now, beacon).commitment,
            }
            append(connection, inserted[0], "created", now, body)
            return _league(connection, name)
    except IntegrityError:
        raise ConfigError(f"there is a league {name} already; choose another name") from None


def league(store: Store, name: str) -> League:
    """Return a league by its name."""
    with reading(store) as connection:
        return _league(connection, name)


def leagues(store: Store) -> list[League]:
    """Return all leagues, the latest last."""
    with reading(store) as connection:
        return _leagues(connection)


def league_names(store: Store) -> list[str]:
    """Return the names of all leagues, the latest last."""
    with reading(store) as connection:
        return list(connection.scalars(select(LEAGUE.c.name).order_by(LEAGUE.c.id)))


def enter(
    store: Store,
    name: str,
    digest: str,
    *,
    promised: Promise = NO_PROMISE,
    reopen: bool = False,
) -> Entry:
    """Enter one more bot; it plays from the next epoch on, whose secret is drawn with the first.

    Raises:
        ConfigError: as `withdraw`; or there is no such bot, or it is entered already, or the
            opening statement is published of an epoch that has not begun.
    """
    with writing(store) as connection:
        found, state = _changeable(connection, name, reopen=reopen)
        now = datetime.now(UTC)
        epochs = connection.scalar(select(func.count()).where(EPOCH.c.league == found))
        assert epochs is not None
        if draw_next(connection, found, epochs + 1, now).statement:
            raise ConfigError(
                f"the opening statement of {name} is published, and its deals are not drawn yet; "
                f"enter others once it runs: upcard league run {name}"
            )
        last = connection.scalar(select(func.max(ENTRY.c.number)).where(ENTRY.c.league == found))
        number = (last or 0) + 1
        _enter(connection, found, number, digest, promised)
        _log_reopened(connection, found, state, now)
        append(connection, found, "entered", now, {"entrant": number, "digest": digest})
        return _league(connection, name).entry(number)


def withdraw(store: Store, name: str, number: int, now: datetime, *, reopen: bool = False) -> None:
    """Withdraw an entrant: it plays no more; its duels stay stored. The first time is what counts.

    Args:
        store: the store.
        name: the league's.
        number: the entrant's.
        now: when that is.
        reopen: whether a complete league may be changed, and is open again from then on.

    Raises:
        ConfigError: there is no such entrant, or the league is closed, or complete.
    """
    with writing(store) as connection:
        found, state = _changeable(connection, name, reopen=reopen)
        this = _entry_of(connection, found, name, number)
        first = connection.execute(
            update(ENTRY).where(this, ENTRY.c.withdrawn.is_(None)).values(withdrawn=now)
        )
        _log_reopened(connection, found, state, now)
        if first.rowcount:
            append(connection, found, "withdrawn", now, {"entrant": number})


def reinstate(store: Store, name: str, number: int, *, reopen: bool = False) -> None:
    """Take a withdrawal or a suspension back: the entrant plays on, and its duels count again.

    By duels up to the number after which it was suspended, it is not suspended again.

    Raises:
        ConfigError: as `withdraw`; or its deals were drawn without the nonce that it promised.
    """
    with writing(store) as connection:
        found, state = _changeable(connection, name, reopen=reopen)
        this = _entry_of(connection, found, name, number)
        entry = _league(connection, name).entry(number)
        if entry.epoch and entry.nonce_hash and entry.nonce is None:
            raise ConfigError(
                f"{entry.bot.name} was withdrawn before its nonce was revealed, and the others are "
                "dealt without it, so it plays no more; enter it in another league"
            )
        is_out = entry.withdrawn is not None or entry.suspended is not None
        after = -1 if entry.suspended is None else entry.suspended
        counted_from = max(entry.counted_from, after + 1)
        connection.execute(
            update(ENTRY)
            .where(this)
            .values(withdrawn=None, suspended=None, counted_from=counted_from)
        )
        now = datetime.now(UTC)
        _log_reopened(connection, found, state, now)
        if is_out:
            body = {"entrant": number, "counted_from": counted_from}
            append(connection, found, "reinstated", now, body)


def suspend(store: Store, lease: Lease, league: League, suspensions: Sequence[Suspension]) -> bool:
    """Suspend entrants, unless the entries of the league have changed since it was read.

    Returns:
        whether they are suspended now.

    Raises:
        UpcardError: another process has taken over the league.
    """
    del store  # as everything that writes takes one; a lease is of one store
    with fenced(lease) as connection:
        # Nobody is entered, withdrawn or reinstated before the end of the transaction.
        league_id(connection, lease.name, alone=True)
        if _league(connection, lease.name).entries != league.entries:
            return False
        for each in suspensions:
            this = (ENTRY.c.league == lease.league) & (ENTRY.c.number == each.entrant)
            connection.execute(update(ENTRY).where(this).values(suspended=each.after))
            connection.execute(insert(SUSPENSION), {"league": lease.league, **each._asdict()})
        for each in suspensions:
            reason = storable(each.reason)
            body = {"entrant": each.entrant, "after": each.after, "reason": reason}
            append(connection, lease.league, "suspended", each.at, body)
        return True


def suspensions(store: Store, name: str) -> dict[int, Suspension]:
    """Return the suspensions that hold in a league, by entrant, without their bundles."""
    with reading(store) as connection:
        asked = (
            select(*_SUSPENSION)
            .join(ENTRY, (ENTRY.c.league == SUSPENSION.c.league) & _IS_OF_ENTRY)
            .where(SUSPENSION.c.league == league_id(connection, name))
            .where(ENTRY.c.suspended == SUSPENSION.c.after)
            .order_by(SUSPENSION.c.id)
        )
        found = [exact(Suspension, (*row, None)) for row in connection.execute(asked)]
    return {each.entrant: each for each in found}


def suspension_bundle(store: Store, name: str, number: int) -> bytes:
    """Return the fault bundle of an entrant that was suspended since it never started.

    Raises:
        ConfigError: it was not, or was suspended without a bundle.
    """
    with reading(store) as connection:
        found = connection.scalar(
            select(SUSPENSION.c.bundle)
            .where(SUSPENSION.c.league == league_id(connection, name))
            .where(SUSPENSION.c.entrant == number)
            .order_by(SUSPENSION.c.id.desc())
            .limit(1)
        )
    if found is None:
        raise ConfigError(
            f"entrant {number} of {name} has no bundle: it was not suspended with one"
        )
    return bytes(found)


def _changeable(connection: Connection, name: str, *, reopen: bool) -> tuple[int, State]:
    """Return the id of a league whose entrants may change, and the state that it was in."""
    found = league_id(connection, name, alone=True)
    this = LEAGUE.c.id == found
    state = connection.scalar(select(LEAGUE.c.state).where(this))
    if state == "closed":
        raise ConfigError(f"{name} is closed; what it has is final. Make another league")
    if state == "complete":
        if not reopen:
            raise ConfigError(
                f"{name} is complete, and may be published: its table and its digest would change; "
                "open it again with --reopen, or make another league"
            )
        connection.execute(update(LEAGUE).where(this).values(state="open"))
        return found, "complete"
    return found, "open"


def _log_reopened(connection: Connection, league: int, was: State, now: datetime) -> None:
    if was == "complete":
        append(connection, league, "reopened", now, {})


def _entry_of(connection: Connection, league: int, name: str, number: int) -> ColumnElement[bool]:
    this = (ENTRY.c.league == league) & (ENTRY.c.number == number)
    if connection.scalar(select(ENTRY.c.number).where(this)) is None:
        raise ConfigError(f"league {name} has no entrant {number}")
    return this


def begin_epoch(  # noqa: PLR0913 (all that an epoch begins with)
    store: Store,
    lease: Lease,
    seed: bytes,
    seed_given: bool,
    now: datetime,
    *,
    drawn_for: League | None = None,
) -> League:
    """Open an epoch with its seed, for all entrants that have none yet; the league is open.

    Of an epoch whose opening statement was not published, the seed is the secret as well.

    Args:
        store: the store.
        lease: that of the league.
        seed: what is dealt from.
        seed_given: whether somebody chose it.
        now: when that is.
        drawn_for: the league as it was read for the seed, unless that follows from nothing.

    Raises:
        ConfigError: the league has changed since it was read.
    """
    del store  # as everything that writes takes one; a lease is of one store
    with fenced(lease) as connection:
        # Nobody is entered, withdrawn or reinstated, and nothing revealed, before the end of the
        # transaction.
        league_id(connection, lease.name, alone=True)
        if drawn_for is not None:
            found = _league(connection, lease.name)
            if (found.entries, found.pending) != (drawn_for.entries, drawn_for.pending):
                raise ConfigError(f"{lease.name} was changed just now; do this again")
        last = connection.scalar(
            select(func.max(EPOCH.c.number)).where(EPOCH.c.league == lease.league)
        )
        number = (last or 0) + 1
        connection.execute(
            update(OPENING)
            .where(
                OPENING.c.league == lease.league,
                OPENING.c.number == number,
                OPENING.c.statement.is_(None),
            )
            .values(secret=seed)
        )
        connection.execute(
            insert(EPOCH).values(
                league=lease.league,
                number=number,
                seed=seed,
                seed_given=seed_given,
                opened=now,
                revealed=False,
            )
        )
        connection.execute(
            update(ENTRY)
            .where(ENTRY.c.league == lease.league, ENTRY.c.epoch == 0)
            .values(epoch=number)
        )
        connection.execute(update(LEAGUE).where(LEAGUE.c.id == lease.league).values(state="open"))
        found = _league(connection, lease.name)
        body = {
            "epoch": number,
            "commitment": found.epochs[-1].commitment,
            "seed_given": seed_given,
            "opened": moment(now),
            "entrants": [entry.number for entry in found.entries if entry.epoch == number],
        }
        append(connection, lease.league, "epoch", now, body)
        return found


def set_state(store: Store, lease: Lease, state: Literal["complete", "closed"]) -> None:
    """End a league; its seeds are revealed from then on, and deal nothing any more.

    Raises:
        ConfigError: it is closed already.
    """
    del store  # as everything that writes takes one; a lease is of one store
    with fenced(lease) as connection:
        league_id(connection, lease.name, alone=True)
        was = connection.scalar(select(LEAGUE.c.state).where(LEAGUE.c.id == lease.league))
        if was == "closed":
            raise ConfigError(f"{lease.name} is closed already; what it has is final")
        connection.execute(update(LEAGUE).where(LEAGUE.c.id == lease.league).values(state=state))
        connection.execute(
            update(EPOCH).where(EPOCH.c.league == lease.league).values(revealed=True)
        )
        append(connection, lease.league, state, datetime.now(UTC), {})


def _enter(
    connection: Connection, league: int, number: int, digest: str, promised: Promise
) -> None:
    bot = connection.execute(select(BOT.c.id, BOT.c.name).where(BOT.c.digest == digest)).first()
    if bot is None:
        raise ConfigError(f"there is no bot {digest[:12]}; add it: upcard bots add DIR")
    this = (ENTRY.c.league == league) & (ENTRY.c.bot == bot.id)
    if connection.scalar(select(ENTRY.c.number).where(this)) is not None:
        raise ConfigError(f"{bot.name} ({digest[:12]}) is entered already; enter each bot once")
    row = {"league": league, "number": number, "bot": bot.id, "epoch": 0}
    connection.execute(insert(ENTRY), row | promised._asdict())


def _league(connection: Connection, name: str) -> League:
    (found,) = _leagues(connection, league_id(connection, name))
    return found


def _leagues(connection: Connection, only: int | None = None) -> list[League]:
    """Return all leagues, or one, by as many queries however many there are."""
    asked = select(LEAGUE, _SUSPENDS.label("suspends")).order_by(LEAGUE.c.id)
    epochs = select(EPOCH.c.league, *_EPOCH).order_by(EPOCH.c.league, EPOCH.c.number)
    openings = OPENINGS
    entries = (
        select(ENTRY, *_BOT)
        .join(BOT, BOT.c.id == ENTRY.c.bot)
        .order_by(ENTRY.c.league, ENTRY.c.number)
    )
    if only is not None:
        asked = asked.where(LEAGUE.c.id == only)
        epochs = epochs.where(EPOCH.c.league == only)
        openings = openings.where(OPENING.c.league == only)
        entries = entries.where(ENTRY.c.league == only)
    rows = connection.execute(asked).all()
    epochs_of, entries_of = defaultdict[int, list[Epoch]](list), defaultdict[int, list[Entry]](list)
    opening_by = {(row.league, row.number): opening_of(row) for row in connection.execute(openings)}
    for league, *epoch in connection.execute(epochs):
        opening = opening_by.pop((league, epoch[0]), None)
        stated = opening if opening and opening.statement else None
        epochs_of[league].append(exact(Epoch, (*epoch, stated)))
    for row in connection.execute(entries):
        entries_of[row.league].append(_entry(row))
    # What is left is of the epochs to come, of which there is at most one.
    pending = {league: opening for (league, _), opening in opening_by.items()}
    return [
        _league_of(row, entries_of[row.id], epochs_of[row.id], pending.get(row.id)) for row in rows
    ]


def _league_of(
    row: Row[Any], entries: Sequence[Entry], epochs: Sequence[Epoch], pending: Opening | None
) -> League:
    whole = (
        [entry.number for entry in entries] == [*range(1, len(entries) + 1)]
        and [epoch.number for epoch in epochs] == [*range(1, len(epochs) + 1)]
        and all(0 <= entry.epoch <= len(epochs) for entry in entries)
        and (pending is None or pending.number == len(epochs) + 1)
        and row.state in get_args(State)
        and _NAME.fullmatch(row.name)  # which names files, too
    )
    if not whole:
        raise ValueError(row.name)
    found = row.name, plan_of(row), row.created, row.state, tuple(entries), tuple(epochs), pending
    return exact(League, (*found, row.suspends))


def _entry(row: Row[Any]) -> Entry:
    _, number, _, epoch, withdrawn, suspended, counted_from, *rest = list[Any](row)
    nonce, nonce_hash, *columns = rest
    fields = number, bot_of(columns), epoch, withdrawn, suspended, counted_from, nonce, nonce_hash
    return exact(Entry, fields)

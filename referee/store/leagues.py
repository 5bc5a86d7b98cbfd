"""Keeps leagues: their plans, who is entered, and the seeds they are dealt from."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import Connection, Row, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from referee.errors import ConfigError
from referee.store.database import Store, reading, writing
from referee.store.finding import league_id
from referee.store.leases import Lease, fenced
from referee.store.models import Bot, Entry, Epoch, League, Plan
from referee.store.plans import plan_columns, plan_of
from referee.store.rows import BOT, ENTRY, EPOCH, LEAGUE

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_EPOCH: Final = [EPOCH.c[field] for field in Epoch._fields]
_BOT: Final = [BOT.c[field] for field in Bot._fields]


def create_league(
    store: Store, name: str, plan: Plan, digests: Sequence[str], now: datetime
) -> League:
    """Make a league of bots that are kept.

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
            made = connection.execute(insert(LEAGUE), row).inserted_primary_key
            assert made
            for number, digest in enumerate(digests, 1):
                _enter(connection, made[0], number, digest)
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
        names = list(connection.scalars(select(LEAGUE.c.name).order_by(LEAGUE.c.id)))
        return [_league(connection, name) for name in names]


def enter(store: Store, name: str, digest: str) -> Entry:
    """Enter one more bot; it plays from the next epoch on."""
    with writing(store) as connection:
        found = league_id(connection, name, alone=True)
        last = connection.scalar(select(func.max(ENTRY.c.number)).where(ENTRY.c.league == found))
        number = (last or 0) + 1
        _enter(connection, found, number, digest)
        return _league(connection, name).entry(number)


def withdraw(store: Store, name: str, number: int, now: datetime) -> None:
    """Have an entrant play no more; what it played stays. The first time is what counts."""
    with writing(store) as connection:
        found = league_id(connection, name, alone=True)
        this = (ENTRY.c.league == found) & (ENTRY.c.number == number)
        if connection.scalar(select(ENTRY.c.number).where(this)) is None:
            raise ConfigError(f"league {name} has no entrant {number}")
        connection.execute(
            update(ENTRY).where(this, ENTRY.c.withdrawn.is_(None)).values(withdrawn=now)
        )


def begin_epoch(store: Store, hold: Lease, seed: bytes, given: bool, now: datetime) -> League:
    """Open an epoch with its seed, for all who have none yet; a complete league is open again."""
    del store  # as everything that writes takes one; a hold is of one store
    with fenced(hold) as connection:
        last = connection.scalar(
            select(func.max(EPOCH.c.number)).where(EPOCH.c.league == hold.league)
        )
        epoch = Epoch((last or 0) + 1, seed, given, now)
        connection.execute(insert(EPOCH), {"league": hold.league, **epoch._asdict()})
        connection.execute(
            update(ENTRY)
            .where(ENTRY.c.league == hold.league, ENTRY.c.epoch == 0)
            .values(epoch=epoch.number)
        )
        connection.execute(update(LEAGUE).where(LEAGUE.c.id == hold.league).values(state="open"))
        return _league(connection, hold.name)


def set_state(store: Store, hold: Lease, state: Literal["complete", "closed"]) -> None:
    """Say that a league is over; its seeds are out from then on, and deal nothing any more."""
    del store  # as everything that writes takes one; a hold is of one store
    with fenced(hold) as connection:
        connection.execute(update(LEAGUE).where(LEAGUE.c.id == hold.league).values(state=state))
        connection.execute(update(EPOCH).where(EPOCH.c.league == hold.league).values(out=True))


def _enter(connection: Connection, league: int, number: int, digest: str) -> None:
    bot = connection.execute(select(BOT.c.id, BOT.c.name).where(BOT.c.digest == digest)).first()
    if bot is None:
        raise ConfigError(f"there is no bot {digest[:12]}; add it: upcard bots add DIR")
    this = (ENTRY.c.league == league) & (ENTRY.c.bot == bot.id)
    if connection.scalar(select(ENTRY.c.number).where(this)) is not None:
        raise ConfigError(f"{bot.name} ({digest[:12]}) is entered already; enter each bot once")
    row = {"league": league, "number": number, "bot": bot.id, "epoch": 0}
    connection.execute(insert(ENTRY), row)


def _league(connection: Connection, name: str) -> League:
    found = league_id(connection, name)
    row = connection.execute(select(LEAGUE).where(LEAGUE.c.id == found)).one()
    epochs = connection.execute(
        select(*_EPOCH).where(EPOCH.c.league == found).order_by(EPOCH.c.number)
    )
    entries = connection.execute(
        select(ENTRY, *_BOT)
        .join(BOT, BOT.c.id == ENTRY.c.bot)
        .where(ENTRY.c.league == found)
        .order_by(ENTRY.c.number)
    )
    return League(
        name,
        plan_of(row),
        row.created,
        row.state,
        tuple(map(_entry, entries)),
        tuple(Epoch(*epoch) for epoch in epochs),
    )


def _entry(row: Row[Any]) -> Entry:
    _, number, _, epoch, withdrawn, *columns = list[Any](row)
    bot = Bot(*columns)
    return Entry(number, bot._replace(games=tuple(bot.games)), epoch, withdrawn)

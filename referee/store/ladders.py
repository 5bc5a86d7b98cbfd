"""Ladders: their plans, epochs and entrants, and their ratings as they stood."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from referee import json_fields
from referee.errors import ConfigError
from referee.json_forms import MOST_ROUND_DUELS, TERMS, terms_as_json, terms_from_json
from referee.store.audit import append_audit
from referee.store.bots import bot_of
from referee.store.database import Store, reading, writing
from referee.store.exact import exact
from referee.store.hosting_models import (
    Account,
    By,
    EntrantState,
    Ladder,
    LadderEntrant,
    LadderEpoch,
    LadderPlan,
    LadderSnapshot,
    LadderState,
)
from referee.store.hosting_rows import (
    ACCOUNT,
    LADDER,
    LADDER_ENTRANT,
    LADDER_EPOCH,
    LADDER_SNAPSHOT,
)
from referee.store.models import Bot
from referee.store.rows import BOT, LEAGUE
from referee.text import close_names

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_MOST_SECONDS: Final = 10**8
_LADDER: Final = [LADDER.c[field] for field in Ladder._fields]
_BOT: Final = [BOT.c[field] for field in Bot._fields]
_PLAN: Final = (*TERMS, "round_duels", "epoch", "interval", "catch_up", "accepted", "sandboxed")


# Ladders


def create_ladder(store: Store, name: str, plan: LadderPlan, by: By) -> Ladder:
    """Create a ladder, on which nobody is yet.

    Raises:
        ConfigError: there is one of that name, or it can have no such name.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"a ladder's name is letters, digits, dots, dashes and underscores, at most 40 and "
            f"first a letter or digit; not {name[:80]!r}"
        )
    row = {"name": name, "plan": _plan_as_json(plan), "state": "open", "created": by.at}
    try:
        with writing(store) as connection:
            connection.execute(insert(LADDER), row)
            append_audit(connection, by, "create ladder", name)
            return _ladder(connection, name)
    except IntegrityError:
        raise ConfigError(f"there is a ladder {name} already; choose another name") from None


def ladder(store: Store, name: str) -> Ladder:
    """Return a ladder by its name.

    Raises:
        ConfigError: there is none.
    """
    with reading(store) as connection:
        return _ladder(connection, name)


def ladders(store: Store) -> list[Ladder]:
    """Return all ladders, the latest first."""
    with reading(store) as connection:
        found = connection.execute(select(*_LADDER).order_by(LADDER.c.id.desc()))
        return [_ladder_of(row) for row in found]


def set_ladder_state(store: Store, found: Ladder, state: LadderState, by: By) -> None:
    """Freeze a ladder, open it again, or end it.

    Raises:
        ConfigError: it has ended.
    """
    this = (LADDER.c.id == found.id) & (LADDER.c.state != "ended")
    with writing(store) as connection:
        if not connection.execute(update(LADDER).where(this).values(state=state)).rowcount:
            raise ConfigError(f"{found.name} has ended, for good; make another ladder")
        append_audit(connection, by, f"set ladder {state}", found.name)


def _ladder(connection: Connection, name: str) -> Ladder:
    row = connection.execute(select(*_LADDER).where(LADDER.c.name == name)).one_or_none()
    if row is None:
        known = [*connection.scalars(select(LADDER.c.name))]
        close = " or ".join(close_names(name[:80], known) or known[:10])
        advice = f"choose {close}" if close else "make one: upcard ladder create NAME"
        raise ConfigError(f"there is no ladder {name[:80]!r}; {advice}")
    return _ladder_of(row)


def _ladder_of(row: Row[Any]) -> Ladder:
    return exact(Ladder, (row.id, row.name, _plan_from_json(row.plan), row.state, row.created))


def _plan_as_json(plan: LadderPlan) -> dict[str, object]:
    return {
        **terms_as_json(plan.terms),
        "round_duels": plan.round_duels,
        "epoch": int(plan.epoch.total_seconds()),
        "interval": int(plan.interval.total_seconds()),
        "catch_up": plan.catch_up,
        "accepted": [*plan.accepted],
        "sandboxed": plan.sandboxed,
    }


def _plan_from_json(read: object) -> LadderPlan:
    """Read a plan.

    Raises:
        RecordError: it is damaged.
    """
    found = json_fields.fields(read, "plan", _PLAN)
    epoch, interval = (
        timedelta(seconds=json_fields.whole(found[name], name, 0, _MOST_SECONDS))
        for name in ("epoch", "interval")
    )
    return LadderPlan(
        terms_from_json(found),
        json_fields.whole(found["round_duels"], "round_duels", 1, MOST_ROUND_DUELS),
        epoch,
        interval,
        json_fields.whole(found["catch_up"], "catch_up"),
        tuple(
            json_fields.printable(each, place)
            for place, each in json_fields.items(found["accepted"], "accepted")
        ),
        json_fields.flag(found["sandboxed"], "sandboxed"),
    )


# Epochs


def begin_ladder_epoch(store: Store, found: Ladder, league: str, now: datetime) -> LadderEpoch:
    """Note that a league is the next epoch of a ladder."""
    with writing(store) as connection:
        last = connection.scalar(
            select(func.max(LADDER_EPOCH.c.number)).where(LADDER_EPOCH.c.ladder == found.id)
        )
        number = (last or 0) + 1
        of = select(LEAGUE.c.id).where(LEAGUE.c.name == league).scalar_subquery()
        row = {"ladder": found.id, "number": number, "league": of, "begins": now}
        connection.execute(insert(LADDER_EPOCH).values(row))
        return LadderEpoch(number, league, now, None, None)


def end_ladder_epoch(store: Store, found: Ladder, number: int, now: datetime) -> None:
    """Note that an epoch of a ladder is over."""
    this = (LADDER_EPOCH.c.ladder == found.id) & (LADDER_EPOCH.c.number == number)
    with writing(store) as connection:
        connection.execute(update(LADDER_EPOCH).where(this).values(ended=now))


def note_paired(store: Store, found: Ladder, number: int, now: datetime) -> None:
    """Note when the last round of an epoch was paired in which everybody plays."""
    this = (LADDER_EPOCH.c.ladder == found.id) & (LADDER_EPOCH.c.number == number)
    with writing(store, durable=False) as connection:
        connection.execute(update(LADDER_EPOCH).where(this).values(paired=now))


def ladder_epochs(store: Store, found: Ladder) -> list[LadderEpoch]:
    """Return the epochs of a ladder, the first one first."""
    asked = (
        select(
            LADDER_EPOCH.c.number,
            LEAGUE.c.name,
            LADDER_EPOCH.c.begins,
            LADDER_EPOCH.c.paired,
            LADDER_EPOCH.c.ended,
        )
        .join_from(LADDER_EPOCH, LEAGUE, LEAGUE.c.id == LADDER_EPOCH.c.league)
        .where(LADDER_EPOCH.c.ladder == found.id)
        .order_by(LADDER_EPOCH.c.number)
    )
    with reading(store) as connection:
        return [exact(LadderEpoch, row) for row in connection.execute(asked)]


# Entrants


def ladder_entrants(store: Store, found: Ladder) -> list[LadderEntrant]:
    """Return the entrants of a ladder, in the order of their numbers."""
    with reading(store) as connection:
        return entrants_in(connection, found.id)


def entrants_in(connection: Connection, ladder: int) -> list[LadderEntrant]:
    """Return the entrants of a ladder that a transaction sees."""
    asked = _entrants().where(LADDER_ENTRANT.c.ladder == ladder)
    rows = connection.execute(asked.order_by(LADDER_ENTRANT.c.number))
    return [_entrant(row) for row in rows]


def enter_ladder(
    connection: Connection, found: Ladder, bot: Bot, account: Account | None, now: datetime
) -> None:
    """Enter a bot, which plays from the next round on; one that was there plays again.

    Raises:
        ConfigError: it is somebody else's there, or an organiser has stopped it.
    """
    of = select(BOT.c.id).where(BOT.c.digest == bot.digest).scalar_subquery()
    this = (LADDER_ENTRANT.c.ladder == found.id) & (LADDER_ENTRANT.c.bot == of)
    there = connection.execute(select(LADDER_ENTRANT).where(this)).one_or_none()
    owner = account and account.id
    if there is not None and there.account != owner:
        raise ConfigError(
            f"exactly this bot is on {found.name} already, and belongs to somebody else"
        )
    if there is not None and there.state in {"suspended", "banned"}:
        raise ConfigError(f"exactly this bot is {there.state} on {found.name}; ask an organiser")
    if there is not None:
        connection.execute(update(LADDER_ENTRANT).where(this).values(state="active"))
        return
    last = connection.scalar(
        select(func.max(LADDER_ENTRANT.c.number)).where(LADDER_ENTRANT.c.ladder == found.id)
    )
    row = {"ladder": found.id, "number": (last or 0) + 1, "account": owner, "bot": of}
    values = row | {"state": "active", "joined": now}
    connection.execute(insert(LADDER_ENTRANT).values(values))


def set_entrant_states(
    connection: Connection, ladder: int, numbers: Collection[int], state: EntrantState
) -> None:
    """Bring entrants of a ladder into a state."""
    these = (LADDER_ENTRANT.c.ladder == ladder) & LADDER_ENTRANT.c.number.in_(sorted(numbers))
    connection.execute(update(LADDER_ENTRANT).where(these).values(state=state))


def _entrants() -> Select[Any]:
    joined = LADDER_ENTRANT.join(BOT, BOT.c.id == LADDER_ENTRANT.c.bot)
    return select(
        LADDER_ENTRANT.c.number,
        LADDER_ENTRANT.c.account,
        ACCOUNT.c.name.label("owner"),
        LADDER_ENTRANT.c.state,
        LADDER_ENTRANT.c.joined,
        *_BOT,
    ).select_from(joined.join(ACCOUNT, ACCOUNT.c.id == LADDER_ENTRANT.c.account, isouter=True))


def _entrant(row: Row[Any]) -> LadderEntrant:
    fields = row.number, bot_of(row[5:]), row.account, row.owner, row.state, row.joined
    return exact(LadderEntrant, fields)


# Ratings as they stood


def save_ladder_snapshot(store: Store, found: Ladder, taken: LadderSnapshot) -> None:
    """Store the ratings of a ladder as they stand."""
    ratings = {str(number): [*rating] for number, rating in taken.ratings.items()}
    row = {"ladder": found.id, "at": taken.at, "duels": taken.duels, "ratings": ratings}
    with writing(store, durable=False) as connection:
        connection.execute(insert(LADDER_SNAPSHOT), row)


def ladder_snapshots(store: Store, found: Ladder, since: datetime) -> list[LadderSnapshot]:
    """Return the ratings of a ladder as they stood since a moment, the first one first."""
    asked = (
        select(LADDER_SNAPSHOT.c.at, LADDER_SNAPSHOT.c.duels, LADDER_SNAPSHOT.c.ratings)
        .where(LADDER_SNAPSHOT.c.ladder == found.id, LADDER_SNAPSHOT.c.at >= since)
        .order_by(LADDER_SNAPSHOT.c.id)
    )
    with reading(store) as connection:
        return [
            exact(LadderSnapshot, (at, duels, _ratings(ratings)))
            for at, duels, ratings in connection.execute(asked)
        ]


def _ratings(read: Mapping[str, Sequence[float]]) -> dict[int, tuple[float, float]]:
    return {int(number): (float(mean), float(spread)) for number, (mean, spread) in read.items()}

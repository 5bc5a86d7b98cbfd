"""Writes and reads what epochs are dealt from: secrets, rounds of beacons, nonces, statements.

The secret of an epoch is drawn, and its commitment is in the log, before anything is known of what
will be mixed in: for the first epoch with the league, for a later one with its first entrant.
"""

import json
import secrets
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, insert, select, update

from referee.beacon import MOST_ROUNDS, NETWORKS, Round, Signed, check_signed, read_signed
from referee.engine.dealing import SEED_BYTES
from referee.errors import ConfigError, RecordError
from referee.store.database import Store, league_id, writing
from referee.store.exact import exact
from referee.store.leases import Lease, fenced
from referee.store.log import append
from referee.store.models import League, Opening
from referee.store.rows import ENTRY, EPOCH, LEAGUE, OPENING
from referee.store.statement import Required, opening_statement, refuse_other_nonce

OPENINGS: Final = select(OPENING).order_by(OPENING.c.league, OPENING.c.number)


class OpeningChoices(NamedTuple):
    """What an organiser chooses when she publishes an opening statement."""

    required: Required | None
    """What the sandbox has to guarantee; None if bots play without one."""
    seed: bytes | None = None
    """In place of the secret that was drawn."""
    beacon: Round | None = None
    """In place of the round that was chosen before."""


def draw(
    connection: Connection, league: int, number: int, now: datetime, beacon: Round | None = None
) -> Opening:
    """Draw and store the secret of an epoch; the caller logs its commitment."""
    opening = Opening(number, secrets.token_bytes(SEED_BYTES), now, beacon)
    row = {"league": league, "number": number, "secret": opening.secret, "committed": now}
    connection.execute(insert(OPENING), row | _beacon(beacon) | {"checked": False})
    return opening


def draw_next(connection: Connection, league: int, number: int, now: datetime) -> Opening:
    """Return the opening of the epoch that begins next; draw its secret if there is none."""
    this = (OPENING.c.league == league) & (OPENING.c.number == number)
    found = connection.execute(OPENINGS.where(this)).first()
    if found is not None:
        return opening_of(found)
    opening = draw(connection, league, number, now)
    body = {"epoch": number, "commitment": opening.commitment}
    append(connection, league, "committed", now, body)
    return opening


def opening_of(row: Row[Any]) -> Opening:
    """Return an opening from its row.

    Raises:
        TypeError: it is damaged.
        ValueError: likewise.
    """
    _, number, secret, committed, *rest = list[Any](row)
    network, round_, statement, signature, previous, checked = rest
    beacon = None if network is None else exact(Round, (network, round_))
    if beacon and not (network in NETWORKS and 1 <= beacon.number <= MOST_ROUNDS):
        raise ValueError(network)
    signed = None if signature is None else exact(Signed, (signature, previous))
    return exact(Opening, (number, secret, committed, beacon, statement, signed, checked))


def state(own: Lease, league: League, choices: OpeningChoices, now: datetime) -> None:
    """Publish the opening statement of the epoch that begins next.

    Raises:
        ConfigError: somebody was entered since the league was read.
    """
    with fenced(own) as connection:
        # The same lock as `enter` takes.
        league_id(connection, own.name, alone=True)
        entered = select(ENTRY.c.number).where(ENTRY.c.league == own.league)
        if len(connection.execute(entered).all()) != len(league.entries):
            raise ConfigError(f"somebody was entered in {own.name} just now; do this again")
        drawn = draw_next(connection, own.league, len(league.epochs) + 1, now)
        chosen = drawn._replace(
            secret=choices.seed or drawn.secret, beacon=choices.beacon or drawn.beacon
        )
        given = choices.seed is not None
        statement = opening_statement(league, chosen, choices.required, seed_given=given, now=now)
        stated = {"secret": chosen.secret, "statement": statement, **_beacon(chosen.beacon)}
        this = (OPENING.c.league == own.league) & (OPENING.c.number == chosen.number)
        connection.execute(update(OPENING).where(this).values(**stated))
        digest = chosen._replace(statement=statement).digest
        body = {"epoch": chosen.number, "digest": digest, "statement": json.loads(statement)}
        append(connection, own.league, "opened", now, body)


def _beacon(beacon: Round | None) -> dict[str, Any]:
    return {"network": beacon and beacon.network, "round": beacon and beacon.number}


def reveal(store: Store, league: League, number: int, nonce: str, now: datetime) -> None:
    """Store the nonce of an entrant whose hash is in the opening statement.

    Raises:
        ConfigError: it does not have that hash, or there is none, or it is revealed already, or the
            statement is not published yet, or the epoch has begun, or the league is over.
    """
    entry, pending = league.entry(number), league.pending
    refuse_other_nonce(entry, nonce)
    if entry.epoch:
        raise ConfigError(f"the deals of {entry.bot.name} are drawn already")
    if pending is None or pending.statement is None:
        raise ConfigError(
            "a nonce is revealed after the opening statement is published, which has its hash: "
            f"upcard league open {league.name}"
        )
    with writing(store) as connection:
        found = _open_league(connection, league.name)
        this = (ENTRY.c.league == found) & (ENTRY.c.number == number)
        # Of an epoch that has begun meanwhile, no nonce is revealed any more.
        secret = ENTRY.c.nonce.is_(None) & (ENTRY.c.epoch == 0)
        if connection.execute(update(ENTRY).where(this, secret).values(nonce=nonce)).rowcount:
            append(connection, found, "revealed", now, {"entrant": number, "nonce": nonce})


def bring(store: Store, league: League, text: str, now: datetime) -> Opening:
    """Store what came out of the round that is mixed in; return the opening with it.

    What could not be checked may be replaced until it is dealt.

    Raises:
        ConfigError: the league waits for none, or this is not what came out of it, or the league is
            over.
    """
    pending = league.pending
    if pending is None or pending.statement is None or pending.beacon is None:
        raise ConfigError(f"{league.name} waits for no round of a beacon")
    if pending.checked:
        raise _brought(league.name, pending.beacon)
    try:
        signed = read_signed(text, pending.beacon)
        checked = check_signed(pending.beacon, signed)
    except RecordError as error:
        raise ConfigError(f"this did not come out of {pending.beacon}: {error}") from None
    with writing(store) as connection:
        found = _open_league(connection, league.name)
        signature, previous = signed
        columns = {"signature": signature, "previous": previous, "checked": checked}
        is_dealt = select(EPOCH.c.number).where(
            EPOCH.c.league == found, EPOCH.c.number == pending.number
        )
        this = (OPENING.c.league == found) & (OPENING.c.number == pending.number)
        # Another may have brought it meanwhile.
        stored = update(OPENING).where(this, OPENING.c.checked.is_(False), ~is_dealt.exists())
        if not connection.execute(stored.values(**columns)).rowcount:
            raise _brought(league.name, pending.beacon)
        body = {
            "epoch": pending.number,
            "network": pending.beacon.network,
            "round": pending.beacon.number,
            "signature": signature.hex(),
            "previous_signature": previous.hex(),
            "checked": checked,
        }
        append(connection, found, "beacon", now, body)
    return pending._replace(signed=signed, checked=checked)


def _brought(name: str, beacon: Round) -> ConfigError:
    return ConfigError(f"{name} has {beacon} already; run it")


def _open_league(connection: Connection, name: str) -> int:
    """Lock a league until the end of the transaction; return its id.

    Raises:
        ConfigError: it is over.
    """
    found = league_id(connection, name, alone=True)
    state = connection.scalar(select(LEAGUE.c.state).where(LEAGUE.c.id == found))
    if state != "open":
        raise ConfigError(f"{name} is {state}, so nothing more is dealt; make another league")
    return found

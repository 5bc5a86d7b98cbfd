"""Opens epochs: publishes the statement, waits for what is promised in it, draws the deals."""

from collections.abc import Sequence
from datetime import datetime
from shlex import quote
from typing import Final

from referee.beacon import choose_round, refuse_due
from referee.engine.dealing import mixed_seed
from referee.errors import ConfigError
from referee.league.pending import refuse_unplayable
from referee.league.table import names
from referee.sandbox.doctor import GUARANTEES, REQUIRED
from referee.store.database import Store
from referee.store.epochs import OpeningChoices, state
from referee.store.leagues import begin_epoch, league
from referee.store.leases import Lease, lease
from referee.store.models import Entry, Isolation, League, Opening
from referee.store.statement import Required, is_seed_given, stated_sandbox
from referee.text import plain

_CHOICES: Final = ", ".join(GUARANTEES)


def required(accepted: Sequence[str], *, sandboxed: bool) -> Required | None:
    """Return what the sandbox has to guarantee; None if bots play without one.

    Raises:
        ConfigError: there is no guarantee of a name that is accepted as missing.
    """
    unknown = [name for name in accepted if name not in GUARANTEES]
    if unknown:
        raise ConfigError(f"there is no guarantee {unknown[0]!r}; choose from {_CHOICES}")
    return Required(REQUIRED, tuple(accepted)) if sandboxed else None


def open_league(
    store: Store, name: str, wanted: Required | None, beacon: str | None, now: datetime
) -> Opening:
    """Publish the opening statement of the epoch that begins next, and return the opening.

    Args:
        store: the store.
        name: the league's.
        wanted: what the sandbox has to guarantee; None if bots play without one.
        beacon: a round in place of the one that was chosen before, as `choose_round` takes it.
        now: when that is.

    Raises:
        ConfigError: it is published already, or every entrant has its deals, or the round that is
            mixed in was due already, or none was chosen though earlier epochs have one.
    """
    with lease(store, name) as own:
        found = league(store, name)
        refuse_unplayable(found)
        if found.pending and found.pending.statement:
            waiting = waits_for(found) or [f"run it: upcard league run {name}"]
            raise ConfigError(f"the opening statement of {name} is published; {waiting[0]}")
        if not any(entry.epoch == 0 for entry in found.entries):
            raise ConfigError(f"all of {name} is dealt already; there is nothing to open")
        chosen = choose_round(beacon, now) if beacon else found.pending and found.pending.beacon
        if chosen:
            refuse_due(chosen, now)
        elif any(epoch.opening and epoch.opening.beacon for epoch in found.epochs):
            raise ConfigError(
                f"those who came first in {name} were dealt with public randomness; choose a round "
                "for the others, too, as by --beacon quicknet:in=2h"
            )
        state(own, found, OpeningChoices(wanted, beacon=chosen), now)
        opened = league(store, name).pending
        assert opened
        return opened


def deal(own: Lease, found: League, choices: OpeningChoices, now: datetime) -> League:
    """Begin the epoch of all entrants that have none; publish its statement if it may be now.

    Raises:
        ConfigError: the statement is to be published first, or something that it promises is still
            to come, or a seed was chosen where others take part in the deals.
    """
    if found.pending is None or found.pending.statement is None:
        _refuse_unstated(found, choices)
        state(own, found, choices, now)
        found = league(own.store, own.name)
    assert found.pending
    assert found.pending.statement
    if choices.seed not in {None, found.pending.secret}:
        raise ConfigError(
            f"the opening statement of {found.name} is published, with another secret; leave out "
            "--seed"
        )
    given = is_seed_given(found.pending.statement)
    return begin_epoch(own.store, own, _seed(found, found.pending), given, now, drawn_for=found)


def _refuse_unstated(found: League, choices: OpeningChoices) -> None:
    """Refuse to publish a statement as the deals are drawn, where others have to see it before."""
    beacon = found.pending and found.pending.beacon
    if choices.seed and (beacon or _brought(found)):
        raise ConfigError(
            f"others take part in the deals of {found.name}, so nobody chooses the seed; leave out "
            "--seed"
        )
    earlier = any(epoch.opening and epoch.opening.beacon for epoch in found.epochs)
    if beacon or earlier or any(entry.nonce_hash for entry in _to_deal(found)):
        raise ConfigError(
            f"before it is dealt, publish what {found.name} is played on: upcard league open "
            f"{found.name}"
        )


def _brought(found: League) -> bool:
    return any(entry.nonce or entry.nonce_hash for entry in _to_deal(found))


def _to_deal(found: League) -> list[Entry]:
    return [entry for entry in found.entries if not entry.epoch]


def _seed(found: League, opening: Opening) -> bytes:
    """Return the seed of the epoch that begins next.

    Raises:
        ConfigError: something that is mixed into it is still to come.
    """
    waiting = waits_for(found)
    if waiting:
        raise ConfigError(f"{found.name} cannot be dealt yet: {waiting[0]}")
    randomness = opening.signed.randomness if opening.signed else b""
    return mixed_seed(opening.secret, found.nonces(0), randomness)


def refuse_less(found: League, isolation: Isolation) -> None:
    """Refuse to play with less than the opening statements promise.

    Raises:
        ConfigError: a guarantee is missing that one of them requires.
    """
    levels = {each["name"]: each["level"] for each in isolation.guarantees}
    for epoch in found.epochs:
        wanted = stated_sandbox(epoch.opening.statement) if epoch.opening else None
        if wanted is None:
            continue
        needed = {*wanted.guarantees} - {*wanted.accepted}
        missing = sorted(name for name in needed if levels.get(name, "missing") == "missing")
        if missing:
            what = ", ".join(missing) if isolation.sandboxed else "a sandbox"
            raise ConfigError(
                f"the opening statement of {found.name} promises {what}, which is missing here; "
                "play it where that holds, or make another league"
            )


def waits_for(found: League) -> list[str]:
    """Return what is still to come before a league can be dealt, and what to do then."""
    opening = found.pending
    if opening is None or opening.statement is None:
        return []
    called = {number: plain(name) for number, name in names(found.entries).items()}
    waiting = [
        f"the nonce of {called[entry.number]} is not revealed; upcard league reveal {found.name} "
        f"{quote(called[entry.number])} NONCE, or withdraw it"
        for entry in _to_deal(found)
        if entry.nonce_hash and entry.nonce is None and not entry.withdrawn
    ]
    if opening.beacon and not opening.signed:
        waiting.append(
            f"it waits for {opening.beacon}, due {opening.beacon.due:%Y-%m-%d %H:%M:%S} UTC; "
            f"upcard league beacon {found.name} FILE"
        )
    return waiting

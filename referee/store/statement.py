"""The opening statement of an epoch: all that is promised before its first duel; pure.

It is canonical JSON, so that its digest, which is published, is that of exactly one statement
(`docs/deals.md`).
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from referee.beacon import Round
from referee.engine.dealing import nonce_hash
from referee.errors import ConfigError
from referee.json_forms import extent_as_json, moment, terms_as_json
from referee.store.chain import canonical_json
from referee.store.models import Entry, League, Opening

FORMAT: Final = "upcard-statement-v1"
LONGEST_NONCE: Final = 200
_HEX: Final = frozenset("0123456789abcdef")


class Required(NamedTuple):
    """What the sandbox has to guarantee."""

    guarantees: tuple[str, ...]
    """Those without which nothing is played, by their names."""
    accepted: tuple[str, ...] = ()
    """Those of them that may be missing all the same."""


class Promise(NamedTuple):
    """The nonce of an entrant, or its hash; the other is None, or both are."""

    nonce: str | None = None
    nonce_hash: str | None = None


NO_PROMISE: Final = Promise()


def promise(nonce: str | None = None, hashed: str | None = None) -> Promise:
    """Return what an author brings.

    Raises:
        ConfigError: that cannot be a nonce, or the hash of one; or it is both.
    """
    if nonce is not None and hashed is not None:
        raise ConfigError("a nonce is brought, or its hash, to be revealed later; not both")
    if hashed is not None and not (len(hashed) == 64 and _HEX.issuperset(hashed)):
        raise ConfigError(
            f"the hash of a nonce is 64 lower-case hexadecimal digits, not {hashed[:80]!r}"
        )
    if nonce is not None and not (0 < len(nonce) <= LONGEST_NONCE and nonce.isprintable()):
        raise ConfigError(
            f"a nonce is a line of at most {LONGEST_NONCE} characters, not {nonce[:80]!r}"
        )
    return Promise(nonce, hashed)


def refuse_other_nonce(entry: Entry, nonce: str) -> None:
    """Refuse a nonce that does not have the hash its entrant's author brought.

    Raises:
        ConfigError: it does not, or she brought none.
    """
    if entry.nonce_hash is None:
        raise ConfigError(f"no hash was brought for {entry.bot.name}, so there is none to reveal")
    if nonce_hash(promise(nonce).nonce or "") != entry.nonce_hash:
        raise ConfigError(
            f"this is not the nonce of {entry.bot.name}: its hash is not {entry.nonce_hash}"
        )


def opening_statement(
    league: League, opening: Opening, required: Required | None, *, seed_given: bool, now: datetime
) -> str:
    """Return the statement that opens an epoch, as canonical JSON.

    Args:
        league: the league.
        opening: that of the epoch.
        required: what the sandbox has to guarantee; None if bots play without one.
        seed_given: whether somebody chose the seed, and so could know the deals.
        now: when it is published.
    """
    plan = league.plan
    form = {
        "format": FORMAT,
        "name": league.name,
        "epoch": opening.number,
        **terms_as_json(plan.terms),
        "strict": plan.terms.beat > 0,
        **extent_as_json(plan),
        "entrants": [_entrant(entry) for entry in league.entries if not entry.epoch],
        "sandbox": required
        and {"required": [*required.guarantees], "accepted": sorted(required.accepted)},
        "commitment": opening.commitment,
        "seed_given": seed_given,
        "beacon": opening.beacon and _round(opening.beacon),
        "created": moment(league.created),
        "opened": moment(now.astimezone(UTC)),
    }
    return canonical_json(form).decode()


def _entrant(entry: Entry) -> Mapping[str, object]:
    bot = entry.bot
    return {
        "number": entry.number,
        "name": bot.name,
        "version": bot.version,
        "author": bot.author,
        "digest": bot.digest,
        # A nonce whose hash is stated is revealed after it.
        "nonce": None if entry.nonce_hash else entry.nonce,
        "nonce_hash": entry.nonce_hash,
    }


def _round(beacon: Round) -> Mapping[str, object]:
    return {"network": beacon.network, "round": beacon.number, "due": moment(beacon.due)}


def is_seed_given(statement: str) -> bool:
    """Return whether somebody chose the seed, as its statement says."""
    return bool(json.loads(statement)["seed_given"])


def stated_sandbox(statement: str | None) -> Required | None:
    """Return what the sandbox has to guarantee, as a statement says; None if nothing is stated."""
    said = json.loads(statement)["sandbox"] if statement else None
    return said and Required(tuple(said["required"]), tuple(said["accepted"]))


def dealt_by(nonces: int, beacon: Round | None, *, checked: bool) -> str:
    """Return by whom an epoch is dealt, as every table says it.

    Args:
        nonces: how many were mixed into its seed that were revealed after its statement; what the
            organiser knew before does not keep her from drawing a secret that suits her.
        beacon: the round that was, if any.
        checked: whether the signature of that round was.
    """
    parts = []
    if nonces:
        parts.append("1 author's nonce" if nonces == 1 else f"{nonces} authors' nonces")
    if beacon:
        word = "" if checked else ", on the organiser's word"
        parts.append(f"public randomness ({beacon}{word})")
    return f"dealt with {' and '.join(parts)}" if parts else "dealt by the organiser alone"


def deals_text(league: League) -> str | None:
    """Return by whom a league is dealt; None before it is."""
    texts = [_epoch_text(league, number) for number, _ in enumerate(league.epochs, start=1)]
    if len(set(texts)) > 1:
        return "; ".join(f"epoch {number} {text}" for number, text in enumerate(texts, start=1))
    return texts[0] if texts else None


def _epoch_text(league: League, number: int) -> str:
    opening = league.epochs[number - 1].opening
    nonces = sum(
        entry.epoch == number and entry.nonce_hash is not None and entry.nonce is not None
        for entry in league.entries
    )
    return dealt_by(
        nonces, opening and opening.beacon, checked=opening is not None and opening.checked
    )

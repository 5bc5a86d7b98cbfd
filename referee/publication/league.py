"""What an export says of a league: all that anybody may know of it, and no seed that is secret."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Final, NamedTuple

from referee.arena.limits import Terms
from referee.json_forms import LONGEST_TEXT, moment, rounds_as_json, terms_as_json, until_as_json
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import LARGEST_VISIT
from referee.store.models import Entry, Epoch, Isolation, League, Opening, State

SCHEMA: Final = 3
"""Raised when anything in an export is written in another way."""
WITH_LOG: Final = 3
"""The first schema that has a log, statements that opened epochs, and suspensions."""


class ExportedEntrant(NamedTuple):
    """A bot in a league."""

    number: int
    """From 1."""
    name: str
    version: str
    author: str
    digest: str
    epoch: int
    """The epoch that began when it was first to play; 0 before that."""
    withdrawn: str | None
    """When."""
    suspended: int | None = None
    """The number of the duels after which it was suspended; -1 if it never started."""
    counted_from: int = 0
    """The first number of the duels by which it may be suspended."""
    nonce: str | None = None
    """What its author brought to be mixed into the seed, once that is known."""
    nonce_hash: str | None = None
    """The hash of a nonce that is revealed after the opening statement."""

    @property
    def label(self) -> str:
        """Return what tells it apart from every other bot; no spreadsheet reads it as a formula."""
        return f"{self.name}@{self.version}"


class ExportedBeacon(NamedTuple):
    """The round of public randomness that is mixed into a seed."""

    network: str
    round: int
    signature: str | None
    """What came out of it; None before that."""
    previous_signature: str
    """Of the round before, where the network signs that, too."""


class ExportedEpoch(NamedTuple):
    """An epoch, and what was published of its seed."""

    number: int
    """From 1."""
    commitment: str
    given: bool
    """Whether somebody chose the seed, and so could know the deals."""
    opened: str
    seed: bytes | None
    """None while there may be duels to come."""
    secret: bytes | None = None
    """What was committed to, from which the seed follows; likewise."""
    beacon: ExportedBeacon | None = None


class ExportedIsolation(NamedTuple):
    """One thing that a bot cannot do."""

    name: str
    level: str
    reason: str
    """Why it is not enforced."""


class Exclusion(NamedTuple):
    """What kept bots apart while some of the duels were played."""

    sandboxed: bool
    strict: bool
    duels: int
    guarantees: tuple[ExportedIsolation, ...]


class ExportedLeague(NamedTuple):
    """A league as everybody may know it."""

    upcard: str
    """The version that wrote the export."""
    name: str
    terms: Terms
    duels: int
    """Of each pairing, at most."""
    block: int
    until: Until | None
    state: State
    created: str
    entrants: tuple[ExportedEntrant, ...]
    epochs: tuple[ExportedEpoch, ...]
    sandboxes: tuple[Exclusion, ...]
    schema: int = SCHEMA
    """Of the export."""
    suspends: bool = True
    """Whether entrants are suspended; else those at fault in most duels do not count. Not written,
    as it follows from the log.
    """
    round_duels: int | None = None
    """How many duels a pair plays in a round, where pairs are chosen round by round."""

    def entrant(self, number: int) -> ExportedEntrant:
        """Return an entrant by its number."""
        return self.entrants[number - 1]

    def plays(self, number: int) -> bool:
        """Return whether there is such an entrant, and its first epoch has begun."""
        return number <= len(self.entrants) and self.entrant(number).epoch > 0

    def is_apart(self, key: DuelKey) -> bool:
        """Return whether a duel is no part of the league: it came after a suspension."""
        after = (self.entrant(number).suspended for number in (key.first, key.second))
        return any(number is not None and key.number > number for number in after)

    def epoch(self, key: DuelKey) -> ExportedEpoch:
        """Return the epoch of a duel: the later one of its two entrants."""
        return self.epochs[max(self.entrant(key.first).epoch, self.entrant(key.second).epoch) - 1]


def public_league(league: League, isolations: Sequence[tuple[Isolation, int]]) -> ExportedLeague:
    """Return what everybody may know of a league by now."""
    plan = league.plan
    return ExportedLeague(
        version("upcard-referee"),
        league.name,
        plan.terms,
        plan.duels,
        plan.block or LARGEST_VISIT,
        plan.until,
        league.state,
        moment(league.created),
        tuple(map(_entrant, league.entries)),
        tuple(map(public_epoch, league.epochs)),
        tuple(_exclusion(isolation, duels) for isolation, duels in isolations),
        suspends=league.suspends,
        round_duels=plan.round_duels,
    )


def _entrant(entry: Entry) -> ExportedEntrant:
    bot, withdrawn = entry.bot, entry.withdrawn
    return ExportedEntrant(
        entry.number,
        bot.name,
        bot.version,
        bot.author,
        bot.digest,
        entry.epoch,
        moment(withdrawn) if withdrawn else None,
        entry.suspended,
        entry.counted_from,
        entry.nonce,
        entry.nonce_hash,
    )


def public_epoch(epoch: Epoch) -> ExportedEpoch:
    """Return an epoch without its seed while a deck of it may still be dealt."""
    opening = epoch.opening
    return ExportedEpoch(
        epoch.number,
        epoch.commitment,
        epoch.seed_given,
        moment(epoch.opened),
        epoch.seed if epoch.revealed else None,
        epoch.secret if epoch.revealed else None,
        _beacon(opening) if opening else None,
    )


def _beacon(opening: Opening) -> ExportedBeacon | None:
    if opening.beacon is None:
        return None
    signed = opening.signed
    return ExportedBeacon(
        opening.beacon.network,
        opening.beacon.number,
        signed.signature.hex() if signed else None,
        signed.previous.hex() if signed else "",
    )


def _exclusion(isolation: Isolation, duels: int) -> Exclusion:
    guarantees = tuple(
        ExportedIsolation(each["name"], each["level"], each["reason"][:LONGEST_TEXT])
        for each in isolation.guarantees
    )
    return Exclusion(isolation.sandboxed, isolation.strict, duels, guarantees)


def epoch_as_json(epoch: ExportedEpoch) -> dict[str, object]:
    """Return what is written of an epoch."""
    return epoch._asdict() | {
        "seed": epoch.seed.hex() if epoch.seed else None,
        "secret": epoch.secret.hex() if epoch.secret else None,
        "beacon": epoch.beacon and epoch.beacon._asdict(),
    }


def league_as_json(league: ExportedLeague) -> dict[str, object]:
    """Return what is written of a league."""
    return {
        "schema": league.schema,
        "upcard": league.upcard,
        "name": league.name,
        **terms_as_json(league.terms),
        "duels": league.duels,
        "block": league.block,
        "until": league.until and until_as_json(league.until),
        **rounds_as_json(league.round_duels),
        "state": league.state,
        "created": league.created,
        "entrants": [entrant._asdict() for entrant in league.entrants],
        "epochs": [*map(epoch_as_json, league.epochs)],
        "sandboxes": [
            each._asdict() | {"guarantees": [guarantee._asdict() for guarantee in each.guarantees]}
            for each in league.sandboxes
        ],
    }

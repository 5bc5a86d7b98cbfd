"""What is true of a league: the game, the seeds, how far it is, the sandbox, its entrants."""

from typing_extensions import TypedDict

from referee.beacon import Round
from referee.engine.options import Value
from referee.json_forms import (
    GuaranteeForm,
    LimitsForm,
    UntilForm,
    game_as_json,
    guarantee_as_json,
    limits_as_json,
    moment,
    until_as_json,
)
from referee.league.duel_names import duel_name
from referee.league.table import LeagueFacts
from referee.store import models
from referee.text import plain


class BeaconReport(TypedDict):
    """A round of a public beacon, whose randomness is mixed into a seed."""

    network: str
    round: int
    due: str
    signature: str | None
    """What came out of it; None before it did."""
    checked: bool
    """Whether the signature was checked; if not, it is taken on the organiser's word."""


class OpeningReport(TypedDict):
    """What was published of an epoch before its first duel."""

    number: int
    """The epoch's, from 1."""
    statement: str | None
    """The digest of its opening statement; None before that is published, or if there is none."""
    commitment: str
    """To the secret."""
    beacon: BeaconReport | None


class EpochReport(OpeningReport):
    """A seed, and since when pairings are dealt from it."""

    opened: str
    seed_given: bool
    """Whether somebody chose it, and so could know the deals."""
    nonces: dict[str, str]
    """What authors brought to be mixed into it, by the numbers of their entrants."""
    secret: str | None
    """None as long as decks of it may still be dealt."""
    seed: str | None
    """What follows from the secret and from what was mixed in; None likewise."""


class VoidReport(TypedDict):
    """A duel that counted for nobody, once."""

    duel: str
    first: str
    second: str
    reason: str
    at: str


class IsolationReport(TypedDict):
    """What kept bots apart, and in how many duels."""

    sandboxed: bool
    strict: bool
    guarantees: list[GuaranteeForm]
    duels: int


class LogReport(TypedDict):
    """How long the log of a league is, and the head of its chain."""

    entries: int
    head: str
    """In hexadecimal. Written down, it proves later that nothing before it was changed."""


class StageReport(TypedDict):
    """Which pairs play on where rounds are adaptive."""

    after: int
    """So many duels a pair, of those that had not stopped before."""
    pairs: list[tuple[int, int]]
    """By the numbers of the two; none if all that was to be sure is."""


class RoundsReport(TypedDict):
    """How far a league is whose pairs are chosen round by round."""

    paired: int
    """Rounds whose pairs are known."""
    duels: int
    """Of a pair in each round."""


class Facts(TypedDict):
    """What is true of a league, whatever is asked about it."""

    league: str
    state: models.State
    created: str
    game: str
    rules: dict[str, Value]
    limits: LimitsForm
    forfeit_at: int
    """The fault, from 1, that costs the match; before it the first legal action is played."""
    deals: str
    """By whom it is dealt, in words."""
    epochs: list[EpochReport]
    pending: OpeningReport | None
    """Of the epoch that begins next, if it is known that there is one."""
    seed_given: bool
    """Whether any seed was."""
    duels_a_pairing: int
    until: UntilForm | None
    plays_on: StageReport | None
    """None before the first look, and where all pairs play on."""
    rounds: RoundsReport | None
    """None where everybody meets everybody."""
    planned: int
    """How many duels there are to play, at most."""
    played: int
    """How many of those are."""
    stored: int
    """How many duels there are, those of entrants that are withdrawn or suspended with them."""
    voids: list[VoidReport]
    unplayed: list[str]
    """Duels that were void too often to be tried again."""
    sandboxed: bool
    """Whether no duel was played without a sandbox."""
    held: list[IsolationReport]
    log: LogReport


class SuspensionReport(TypedDict):
    """That an entrant is suspended: it plays no more, and its duels count for nobody."""

    after: int
    """The number of its last duel in each pairing, from 1; 0 if it never started."""
    reason: str
    at: str


class EntryReport(TypedDict):
    """A bot in a league."""

    number: int
    """From 1, in the order in which they were entered."""
    name: str
    """What it is called in the league: by no more than tells it apart."""
    version: str
    digest: str
    epoch: int
    """The epoch that began when it was first to play; 0 before that."""
    withdrawn: str | None
    """When."""
    suspended: SuspensionReport | None


class Status(Facts):
    """How far a league is, and who is in it."""

    entrants: list[EntryReport]
    run_by: str | None
    """The process that runs it now, if one does."""


def facts(table: LeagueFacts) -> Facts:
    """Return what is true of a league."""
    league, plan = table.league, table.league.plan
    return {
        "league": league.name,
        "state": league.state,
        "created": moment(league.created),
        **game_as_json(plan.terms.game),
        "limits": limits_as_json(plan.terms.limits),
        "forfeit_at": plan.terms.policy.forfeit_at,
        "deals": table.deals,
        "epochs": [_epoch(league, epoch) for epoch in league.epochs],
        "pending": league.pending and _opening(league.pending),
        "seed_given": table.seed_given,
        "duels_a_pairing": plan.duels,
        "until": plan.until and until_as_json(plan.until),
        "plays_on": _stage(table),
        "rounds": table.rounds and {"paired": len(table.rounds.pairs), "duels": table.rounds.each},
        "planned": table.planned,
        "played": table.played,
        "stored": table.stored,
        "voids": [void(table, each) for each in table.voids],
        "unplayed": [duel_name(key) for key in table.unplayed],
        "sandboxed": table.sandboxed,
        "held": [_isolation(isolation, duels) for isolation, duels in table.isolations],
        "log": {"entries": table.head.number, "head": table.head.head},
    }


def _stage(table: LeagueFacts) -> StageReport | None:
    if table.stage.pairings is None:
        return None
    return {"after": table.stage.begin, "pairs": [*table.playing_on]}


def status(table: LeagueFacts, run_by: str | None) -> Status:
    """Return how far a league is."""
    entrants = [_entry(table, entry) for entry in table.league.entries]
    return {**facts(table), "entrants": entrants, "run_by": run_by}


def _entry(table: LeagueFacts, entry: models.Entry) -> EntryReport:
    return {
        "number": entry.number,
        "name": table.names[entry.number],
        "version": entry.bot.version,
        "digest": entry.bot.digest,
        "epoch": entry.epoch,
        "withdrawn": moment(entry.withdrawn) if entry.withdrawn else None,
        "suspended": _suspension(table.suspensions.get(entry.number)),
    }


def _suspension(found: models.Suspension | None) -> SuspensionReport | None:
    if found is None:
        return None
    return {"after": found.after + 1, "reason": plain(found.reason), "at": moment(found.at)}


def _epoch(league: models.League, epoch: models.Epoch) -> EpochReport:
    opening = epoch.opening or models.Opening(epoch.number, epoch.secret, epoch.opened)
    return {
        **_opening(opening),
        "opened": moment(epoch.opened),
        "seed_given": epoch.seed_given,
        "nonces": {str(each): nonce for each, nonce in league.nonces(epoch.number).items()},
        "secret": epoch.secret.hex() if epoch.revealed else None,
        "seed": epoch.seed.hex() if epoch.revealed else None,
    }


def _opening(opening: models.Opening) -> OpeningReport:
    return {
        "number": opening.number,
        "statement": opening.digest,
        "commitment": opening.commitment,
        "beacon": opening.beacon and _beacon(opening.beacon, opening),
    }


def _beacon(beacon: Round, opening: models.Opening) -> BeaconReport:
    return {
        "network": beacon.network,
        "round": beacon.number,
        "due": moment(beacon.due),
        "signature": opening.signed and opening.signed.signature.hex(),
        "checked": opening.checked,
    }


def void(table: LeagueFacts, void: models.StoredVoid) -> VoidReport:
    """Return a void."""
    return {
        "duel": duel_name(void.key),
        "first": table.names[void.key.first],
        "second": table.names[void.key.second],
        "reason": void.reason,
        "at": moment(void.at),
    }


def _isolation(isolation: models.Isolation, duels: int) -> IsolationReport:
    return {
        "sandboxed": isolation.sandboxed,
        "strict": isolation.strict,
        "guarantees": [*map(guarantee_as_json, isolation.guarantees)],
        "duels": duels,
    }

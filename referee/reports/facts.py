"""What every report of a league begins with: the game, the seeds, how far it is, the sandbox."""

from datetime import datetime

from typing_extensions import TypedDict

from referee.arena.limits import TimeLimits
from referee.engine.dealing import commitment
from referee.engine.options import Value
from referee.league.duel_names import duel_name
from referee.league.table import LeagueTable
from referee.ratings import stopping
from referee.store import models


class Limits(TypedDict):
    """How long a bot may take, in seconds."""

    decision: float
    ready: float
    bank: float
    """0 is no such limit."""
    increment: float


class Epoch(TypedDict):
    """A seed, and since when pairings are dealt from it."""

    number: int
    opened: str
    commitment: str
    seed_given: bool
    """Whether somebody chose it, and so could know the deals."""
    seed: str | None
    """None as long as decks of it may still be dealt."""


class Until(TypedDict):
    """How sure the order of the table has to be for the league to stop early."""

    confidence: float
    by: stopping.By


class Void(TypedDict):
    """A duel that counted for nobody, once."""

    duel: str
    first: str
    second: str
    reason: str
    at: str


class Guarantee(TypedDict):
    """Something the sandbox keeps from bots, and how well."""

    name: str
    level: str
    """Enforced, weak or missing."""
    reason: str
    """Why it is not enforced."""
    remedy: str


class IsolationReport(TypedDict):
    """What kept bots apart, and in how many duels."""

    sandboxed: bool
    strict: bool
    guarantees: list[Guarantee]
    duels: int


class Facts(TypedDict):
    """What is true of a league, whatever is asked about it."""

    league: str
    state: models.State
    created: str
    game: str
    rules: dict[str, Value]
    limits: Limits
    forfeit_at: int
    """The fault, from 1, that costs the match; before it the first legal action is played."""
    epochs: list[Epoch]
    seed_given: bool
    """Whether any seed was."""
    duels_a_pairing: int
    until: Until | None
    planned: int
    """How many duels there are to play, at most."""
    played: int
    """How many of those are."""
    stored: int
    """How many duels there are, those of entrants that withdrew with them."""
    voids: list[Void]
    unplayed: list[str]
    """Duels that were void too often to be tried again."""
    sandboxed: bool
    """Whether no duel was played without a sandbox."""
    held: list[IsolationReport]


def facts(table: LeagueTable) -> Facts:
    """Return what is true of a league."""
    league, plan = table.league, table.league.plan
    return {
        "league": league.name,
        "state": league.state,
        "created": moment(league.created),
        "game": plan.terms.game.name,
        "rules": plan.terms.game.rules._asdict(),
        "limits": _limits(plan.terms.limits),
        "forfeit_at": plan.terms.policy.forfeit_at,
        "epochs": [*map(_epoch, league.epochs)],
        "seed_given": table.seed_given,
        "duels_a_pairing": plan.duels,
        "until": plan.until and _until(plan.until),
        "planned": table.planned,
        "played": table.played,
        "stored": len(table.results),
        "voids": [void(table, each) for each in table.voids],
        "unplayed": [duel_name(key) for key in table.unplayed],
        "sandboxed": table.sandboxed,
        "held": [_held(held, duels) for held, duels in table.held],
    }


def _limits(limits: TimeLimits) -> Limits:
    return {
        "decision": limits.decision,
        "ready": limits.ready,
        "bank": limits.bank,
        "increment": limits.increment,
    }


def _epoch(epoch: models.Epoch) -> Epoch:
    return {
        "number": epoch.number,
        "opened": moment(epoch.opened),
        "commitment": commitment(epoch.seed),
        "seed_given": epoch.given,
        "seed": epoch.seed.hex() if epoch.out else None,
    }


def _until(until: stopping.Until) -> Until:
    return {"confidence": until.confidence, "by": until.by}


def void(table: LeagueTable, void: models.StoredVoid) -> Void:
    """Return a void."""
    return {
        "duel": duel_name(void.key),
        "first": table.names[void.key.first],
        "second": table.names[void.key.second],
        "reason": void.reason,
        "at": moment(void.at),
    }


def _held(held: models.Isolation, duels: int) -> IsolationReport:
    guarantees: list[Guarantee] = [
        {
            "name": each["name"],
            "level": each["level"],
            "reason": each["reason"],
            "remedy": each["remedy"],
        }
        for each in held.guarantees
    ]
    return {
        "sandboxed": held.sandboxed,
        "strict": held.strict,
        "guarantees": guarantees,
        "duels": duels,
    }


def moment(at: datetime) -> str:
    """Write a time down."""
    return at.isoformat(timespec="seconds")

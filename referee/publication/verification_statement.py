"""Checks the statement that opens an epoch: it was published with the league that was played.

It says before the first duel what is played, by whom, and what is mixed into the seed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from referee import json_fields
from referee.beacon import MOST_ROUNDS, NETWORKS, Round
from referee.engine.dealing import nonce_hash
from referee.errors import RecordError
from referee.json_fields import expect, instant, refuse_other_moment
from referee.json_forms import extent_as_json, moment, rounds_as_json, terms_as_json
from referee.publication.league import Exclusion, ExportedEntrant, ExportedLeague
from referee.publication.log_reading import LoggedEntry, statement_digest
from referee.publication.verification_league import refuse_earlier
from referee.store.statement import FORMAT

_FIELDS: Final = (
    *("format", "name", "epoch", "game", "rules", "limits", "policy", "tables", "at_least", "beat"),
    *("strict", "duels", "until", "entrants", "sandbox", "commitment", "seed_given", "beacon"),
    *("created", "opened"),
)
_ENTRANT: Final = ("number", "name", "version", "author", "digest", "nonce", "nonce_hash")
_MOST_GUARANTEES: Final = 100


class Stated(NamedTuple):
    """What a statement promises, as far as it is compared with what comes later."""

    digest: str
    commitment: str
    given: bool
    """Whether somebody chose the seed."""
    beacon: Round | None
    promised: frozenset[int]
    """The entrants whose nonces are to be revealed after it."""
    required: frozenset[str] | None
    """The guarantees without which nothing is played; None if bots play without a sandbox."""

    def lacking(self, held: Exclusion) -> str | None:
        """Return what a duel lacks that was played so, in words."""
        if self.required is None:
            return None
        if not held.sandboxed:
            return "a sandbox"
        there = {each.name for each in held.guarantees if each.level != "missing"}
        return ", ".join(sorted(self.required - there))[:80]


def check_statement(league: ExportedLeague, number: int, entry: LoggedEntry) -> Stated:
    """Refuse a statement in which anything is not as in the league.

    Args:
        league: the league.
        number: the epoch's that it opens; it may still be to come.
        entry: that of the log which has it.
    """
    digest = entry.body["digest"]
    expect("digest", digest, statement_digest(entry.body["statement"]))
    names = (*_FIELDS, *rounds_as_json(league.round_duels))
    said = json_fields.fields(entry.body["statement"], "statement", names)
    expected = {
        "format": FORMAT,
        "name": league.name,
        "epoch": number,
        **terms_as_json(league.terms),
        "strict": league.terms.beat > 0,
        **extent_as_json(league),
    }
    for name, value in expected.items():
        expect(f"statement.{name}", said[name], value)
    _check_moments(league, said, entry.at)
    waiting = 0 if number > len(league.epochs) else number
    entrants = [each for each in league.entrants if each.epoch == waiting]
    _check_entrants(entrants, said["entrants"])
    given, beacon = json_fields.flag(said["seed_given"], "statement.seed_given"), _round(said)
    if given and (beacon or any(each.nonce or each.nonce_hash for each in entrants)):
        raise RecordError("statement.seed_given", "is true, though others take part in the deals")
    return Stated(
        digest,
        json_fields.digest(said["commitment"], "statement.commitment"),
        given,
        beacon,
        frozenset(each.number for each in entrants if each.nonce_hash),
        _required(said["sandbox"]),
    )


def _check_entrants(entrants: Sequence[ExportedEntrant], read: object) -> None:
    field = "statement.entrants"
    stated = json_fields.items(read, field, len(entrants))
    expect(field, len(stated), len(entrants))
    for (inside, each), entrant in zip(stated, entrants, strict=True):
        found = json_fields.fields(each, inside, _ENTRANT)
        for name in _ENTRANT[:-2]:
            expect(f"{inside}.{name}", found[name], getattr(entrant, name))
        expect(f"{inside}.nonce_hash", found["nonce_hash"], entrant.nonce_hash)
        expect(f"{inside}.nonce", found["nonce"], None if entrant.nonce_hash else entrant.nonce)
        if entrant.nonce_hash and entrant.nonce is not None:
            expect(f"{inside}.nonce_hash", entrant.nonce_hash, nonce_hash(entrant.nonce))


def _check_moments(league: ExportedLeague, said: Mapping[str, Any], at: str) -> None:
    """Refuse a statement that was not published when its entry says, or before the league."""
    created = json_fields.moment(said["created"], "statement.created")
    opened = json_fields.moment(said["opened"], "statement.opened")
    refuse_other_moment("statement.created", created, league.created)
    refuse_other_moment("statement.opened", opened, at)
    refuse_earlier("statement.opened", opened, "the league", instant(league.created))


def _round(said: Mapping[str, Any]) -> Round | None:
    """Read the round that is mixed in; refuse one whose randomness was known by then."""
    if said["beacon"] is None:
        return None
    field = "statement.beacon"
    found = json_fields.fields(said["beacon"], field, ("network", "round", "due"))
    network = json_fields.one_of(found["network"], f"{field}.network", tuple(NETWORKS))
    number = json_fields.whole(found["round"], f"{field}.round", 1, MOST_ROUNDS)
    chosen = Round(network, number)
    due = json_fields.moment(found["due"], f"{field}.due")
    refuse_other_moment(f"{field}.due", due, moment(chosen.due))
    if instant(said["opened"]) >= chosen.due:
        raise RecordError(f"{field}.round", "was out when the statement was published")
    return chosen


def _required(read: object) -> frozenset[str] | None:
    field = "statement.sandbox"
    if read is None:
        return None
    found = json_fields.fields(read, field, ("required", "accepted"))
    required, accepted = (
        frozenset(
            json_fields.printable(each, inside)
            for inside, each in json_fields.items(found[name], f"{field}.{name}", _MOST_GUARANTEES)
        )
        for name in ("required", "accepted")
    )
    return required - accepted

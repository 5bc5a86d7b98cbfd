"""Checks the entries of a log one by one, each against those before it and the rest of the export.

What they come to is kept in `Logged`: no more of an entry than what is needed later.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, get_args

from referee import json_fields
from referee.arena.limits import MOST_VOIDS
from referee.errors import RecordError
from referee.json_fields import expect, refuse_other_moment
from referee.json_forms import LONGEST_TEXT, extent_as_json, terms_as_json
from referee.publication.export import LEAGUE_FILE
from referee.publication.league import Exclusion, ExportedBeacon, ExportedEpoch, ExportedLeague
from referee.publication.log_reading import (
    LoggedEntry,
    logged_entrant,
    logged_epoch,
    logged_key,
    logged_text,
)
from referee.publication.verification_league import named, refuse_earlier, rounds_so_far
from referee.publication.verification_statement import Stated, check_statement
from referee.scheduling.keys import DuelKey, pairing
from referee.scheduling.round_robin import LARGEST_VISIT
from referee.store.chain import START
from referee.store.log import SUSPENDING, WorkerChange

_NOT_WHEN_COMPLETE: Final = frozenset({"duel", "void", "unplayed", "suspended"})
_WHEN_CLOSED: Final = frozenset({"exported", "killed", "stopped"})


@dataclass
class LoggedEpoch:
    """What the log says of an epoch."""

    commitment: str | None = None
    """To its secret, before its statement."""
    statement: Stated | None = None
    beacon: ExportedBeacon | None = None
    """What came out of the round that the statement names."""
    is_checked: bool = False
    """Whether the organiser's program checked the signature of that."""
    has_begun: bool = False


@dataclass
class Logged:
    """What a log comes to."""

    sandboxes: Mapping[str, Exclusion] = field(default_factory=dict)
    """Those of the league, by the digests that runs have of them."""
    head: str = START
    entries: int = 0
    written_down: int | None = None
    """The entry after which the head was the one that somebody wrote down."""
    began: bool = False
    """Whether it began with the league, and was not added later."""
    imported: int = 0
    """Duels that were there before."""
    suspends: bool = False
    """Whether it shows that entrants are suspended."""
    entrants: list[str] = field(default_factory=list)
    """Their digests."""
    withdrawn: dict[int, str] = field(default_factory=dict)
    suspended: dict[int, int] = field(default_factory=dict)
    counted_from: dict[int, int] = field(default_factory=dict)
    stated: dict[int, LoggedEpoch] = field(default_factory=dict)
    nonces: set[int] = field(default_factory=set)
    """The entrants whose nonces were revealed."""
    epochs: int = 0
    running: set[str] = field(default_factory=set)
    """Those of the last run, or of the last shard whose duels were imported: of one machine, or of
    the workers that joined the run.
    """
    isolations: set[str] = field(default_factory=set)
    """Those of the league that runs had."""
    rounds: list[frozenset[tuple[int, int]]] = field(default_factory=list)
    """The pairs of each round, where pairs are chosen round by round."""
    duels: dict[DuelKey, str] = field(default_factory=dict)
    """Those not seen in the export yet, with their digests."""
    voids: Counter[DuelKey] = field(default_factory=Counter)
    unlogged: int = 0
    """Duels of the export that are older than the log."""
    state: str = ""
    """Empty while it is not known."""
    is_reopened: bool = False
    """Whether it was over, and no epoch has begun since: its seeds are known."""

    def epoch(self, number: int) -> LoggedEpoch:
        """Return what is known of an epoch."""
        return self.stated.setdefault(number, LoggedEpoch())


def follow(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    """Take one entry into account; refuse one that cannot follow on those before it."""
    if (entry.kind in {"created", "imported"}) != (entry.number == 1):
        raise RecordError("kind", "a log begins with the league, or with what was there before it")
    kind, state = entry.kind, logged.state
    if (state == "closed" and kind not in _WHEN_CLOSED) or (
        state == "complete" and kind in _NOT_WHEN_COMPLETE
    ):
        raise RecordError("kind", f"is {kind}, though the league was {state}")
    logged.suspends = logged.suspends or kind in SUSPENDING
    if check := _CHECKS.get(kind):
        check(logged, league, entry)


# How a league begins, and ends


def _created(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    expect("name", entry.body["name"], league.name)
    plan = {
        **terms_as_json(league.terms),
        **extent_as_json(league),
        "block": league.block,
    }
    said = entry.body["plan"]
    if isinstance(said, dict) and said.get("block") == 0:
        said = said | {"block": LARGEST_VISIT}
    expect("plan", said, plan)
    refuse_other_moment("at", entry.at, league.created)
    logged.entrants = [
        json_fields.digest(each, place)
        for place, each in json_fields.items(entry.body["entrants"], "entrants")
    ]
    logged.began, logged.state = True, "open"
    logged.epoch(1).commitment = json_fields.digest(entry.body["commitment"], "commitment")


def _imported(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    logged.imported = json_fields.whole(entry.body["duels"], "duels")


def _state(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    if entry.kind == "reopened" and logged.state == "open":
        raise RecordError("kind", "is reopened, though the league was open")
    logged.state = "open" if entry.kind == "reopened" else entry.kind
    logged.is_reopened = entry.kind == "reopened"


# Who plays


def _entered(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    number = logged_entrant(entry)
    digest = json_fields.digest(entry.body["digest"], "digest")
    if logged.began:
        expect("entrant", number, len(logged.entrants) + 1)
        logged.entrants.append(digest)
    elif number > len(league.entrants) or league.entrant(number).digest != digest:
        raise RecordError("entrant", f"is {number}, which is another bot in the export")


def _withdrawn(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    number = _known(league, entry)
    if number in logged.withdrawn:
        raise RecordError("entrant", f"is {number}, which was withdrawn before")
    logged.withdrawn[number] = entry.at


def _suspended(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    number = _known(league, entry)
    if number in logged.suspended:
        raise RecordError("entrant", f"is {number}, which was suspended before")
    logged.suspended[number] = json_fields.whole(entry.body["after"], "after", -1)


def _reinstated(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    number = _known(league, entry)
    if logged.began and not {number} & {*logged.withdrawn, *logged.suspended}:
        raise RecordError("entrant", f"is {number}, which was neither withdrawn nor suspended")
    logged.withdrawn.pop(number, None)
    logged.suspended.pop(number, None)
    counted_from = json_fields.whole(entry.body["counted_from"], "counted_from")
    logged.counted_from[number] = counted_from


def _known(league: ExportedLeague, entry: LoggedEntry) -> int:
    number = logged_entrant(entry)
    if number > len(league.entrants):
        raise RecordError("entrant", f"is {number}, which is not in the export")
    return number


# What an epoch is dealt from: first a commitment, then the statement, then what it waits for


def _committed(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    epoch = logged.epoch(_coming(logged, league, entry))
    if epoch.commitment:
        raise RecordError("epoch", "had a commitment before")
    epoch.commitment = json_fields.digest(entry.body["commitment"], "commitment")


def _opened(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    number = _coming(logged, league, entry)
    epoch = logged.epoch(number)
    if epoch.statement:
        raise RecordError("epoch", "was opened before; a statement is published once")
    stated = check_statement(league, number, entry)
    if not stated.given:
        expect("statement.commitment", stated.commitment, epoch.commitment)
    epoch.statement = stated


def _revealed(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    number = _known(league, entry)
    entrant = league.entrant(number)
    epoch = logged.stated.get(entrant.epoch or len(league.epochs) + 1, LoggedEpoch())
    if number in logged.nonces:
        raise RecordError("entrant", f"is {number}, whose nonce was revealed before")
    if epoch.statement is None or number not in epoch.statement.promised:
        raise RecordError("entrant", f"is {number}, whose nonce no statement before this promises")
    _refuse_begun(epoch, "entrant")
    expect("nonce", logged_text(entry, "nonce"), entrant.nonce)
    logged.nonces.add(number)


def _brought(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    body, epoch = entry.body, logged.stated.get(logged_epoch(entry), LoggedEpoch())
    chosen = epoch.statement and epoch.statement.beacon
    if chosen is None:
        raise RecordError("epoch", "has no statement before this that names a round")
    expect("network", body["network"], chosen.network)
    expect("round", body["round"], chosen.number)
    refuse_earlier("at", entry.at, f"{chosen} was due", chosen.due)
    _refuse_begun(epoch, "epoch")
    if epoch.is_checked:
        raise RecordError("epoch", "has what came out of its round, which was checked")
    signed = (logged_text(entry, name) for name in ("signature", "previous_signature"))
    epoch.beacon = ExportedBeacon(chosen.network, chosen.number, *signed)
    epoch.is_checked = json_fields.flag(body["checked"], "checked")


def _coming(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> int:
    """Read the number of an epoch, which has to be the next that begins."""
    number, last = logged_epoch(entry), len(league.epochs)
    if logged.began or logged.epochs:
        expect("epoch", number, logged.epochs + 1)
    elif number > last + 1:
        raise RecordError("epoch", f"is {number}, but {last} have begun")
    return number


def _refuse_begun(epoch: LoggedEpoch, name: str) -> None:
    if epoch.has_begun:
        raise RecordError(name, "is of an epoch that has begun, so nothing more is mixed in")


def _epoch(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    number = _coming(logged, league, entry)
    if number > len(league.epochs):
        raise RecordError("epoch", f"is {number}, which is not in the export")
    epoch, found = league.epochs[number - 1], logged.epoch(number)
    expect("commitment", entry.body["commitment"], epoch.commitment)
    expect("seed_given", entry.body["seed_given"], epoch.given)
    opened_at = json_fields.moment(entry.body["opened"], "opened")
    refuse_other_moment("opened", opened_at, epoch.opened)
    refuse_other_moment("at", entry.at, epoch.opened)
    entrants = [each.number for each in league.entrants if each.epoch == number]
    expect("entrants", entry.body["entrants"], entrants)
    _check_stated(logged, found, epoch)
    found.has_begun, logged.epochs, logged.state = True, number, "open"
    logged.is_reopened = False


def _check_stated(logged: Logged, found: LoggedEpoch, epoch: ExportedEpoch) -> None:
    """Refuse an epoch that was not stated, or before it had all that its statement waits for."""
    stated = found.statement
    if stated is None:
        raise RecordError("epoch", f"is {epoch.number}, which no statement before this opened")
    expect("commitment", epoch.commitment, stated.commitment)
    expect("seed_given", epoch.given, stated.given)
    for number in sorted(stated.promised - logged.nonces - logged.withdrawn.keys()):
        raise RecordError("entrants", f"have {number}, whose nonce was not revealed before this")
    if stated.beacon and found.beacon is None:
        raise RecordError("epoch", f"waits for {stated.beacon}, which was not brought before this")
    if epoch.beacon != found.beacon:
        raise RecordError("epoch", "has another round than was brought before")


# What is played


def _run(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    logged.running.clear()
    _add_isolation(logged, json_fields.digest(entry.body["isolation"], "isolation"))


def _worker(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    json_fields.printable(entry.body["worker"], "worker", LONGEST_TEXT)
    logged_text(entry, "why")
    change = json_fields.one_of(entry.body["change"], "change", get_args(WorkerChange))
    if change == "joined":
        _add_isolation(logged, json_fields.digest(entry.body["isolation"], "isolation"))
    else:
        expect("isolation", entry.body["isolation"], None)


def _add_isolation(logged: Logged, digest: str) -> None:
    """Add what isolates bots in a run; duels may have been played with any of the league's."""
    if digest in logged.sandboxes:
        logged.running.add(digest)
        logged.isolations.add(digest)


def _shard(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    json_fields.digest(entry.body["file"], "file")
    _run(logged, league, entry)


def _round(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    """Read who meets whom in a round; everybody plays in it once at most."""
    if league.round_duels is None:
        raise RecordError("kind", "is round, though everybody meets everybody")
    expect("round", entry.body["round"], len(logged.rounds) + 1)
    read = json_fields.items(entry.body["pairs"], "pairs", len(league.entrants) // 2)
    pairs = [_pair(each, place) for place, each in read]
    met = [number for pair in pairs for number in pair]
    if not pairs or len({*met}) < len(met):
        raise RecordError("pairs", "have an entrant twice, or nobody")
    for pair in pairs:
        if not all(map(league.plays, pair)):
            raise RecordError("pairs", f"have {pair[0]}-{pair[1]}, one of whom had not begun")
    logged.rounds.append(frozenset(pairs))


def _pair(read: object, place: str) -> tuple[int, int]:
    found = [json_fields.whole(each, at, 1) for at, each in json_fields.items(read, place, 2)]
    if len(found) < 2 or found[0] == found[1] or (found[0], found[1]) != pairing(*found):
        raise RecordError(place, "must be A's number and B's")
    return found[0], found[1]


def _duel(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    key = _in_epoch(logged, league, entry)
    if key in logged.duels:
        raise RecordError("duel", f"{named(key)} was played before")
    if logged.voids[key] >= MOST_VOIDS:
        raise RecordError("duel", f"{named(key)} was void too often to be played")
    if not league.is_apart(key):
        _check_sandbox(logged, league, key)
    logged.duels[key] = json_fields.digest(entry.body["digest"], "digest")


def _check_sandbox(logged: Logged, league: ExportedLeague, key: DuelKey) -> None:
    """Refuse a duel that was played with less than the statement of its epoch requires."""
    if not logged.running:
        reason = f"{named(key)} was played in a sandbox of which {LEAGUE_FILE} does not tell"
        raise RecordError("duel", reason)
    epoch = logged.stated.get(league.epoch(key).number, LoggedEpoch())
    for digest in logged.running if epoch.statement else ():
        assert epoch.statement
        if lacking := epoch.statement.lacking(logged.sandboxes[digest]):
            reason = f"{named(key)} was played without {lacking}, which its statement requires"
            raise RecordError("duel", reason)


def _void(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    key = _in_epoch(logged, league, entry)
    if key in logged.duels:
        raise RecordError("duel", f"{named(key)} was played before")
    logged_text(entry, "reason")
    logged.voids[key] += 1


def _unplayed(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    key = _in_epoch(logged, league, entry)
    if logged.began:
        expect("duel", logged.voids[key], MOST_VOIDS)


def _in_epoch(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> DuelKey:
    """Read the key of a duel, which cannot be played before its epoch has begun."""
    key = logged_key(entry.body["duel"])
    pair = key.first, key.second
    if not min(pair) or not all(map(league.plays, pair)):
        raise RecordError("duel", f"{named(key)} is of no entrants that play")
    if logged.began and league.epoch(key).number > logged.epochs:
        raise RecordError("duel", f"{named(key)} is of an epoch that had not begun")
    rounds = rounds_so_far(league, logged.rounds)
    if rounds and not rounds.has(*key):
        raise RecordError("duel", f"{named(key)} is of no round that was paired before it")
    return key


_CHECKS: Final[Mapping[str, Callable[[Logged, ExportedLeague, LoggedEntry], None]]] = {
    "created": _created,
    "imported": _imported,
    "entered": _entered,
    "withdrawn": _withdrawn,
    "suspended": _suspended,
    "reinstated": _reinstated,
    "committed": _committed,
    "opened": _opened,
    "revealed": _revealed,
    "beacon": _brought,
    "epoch": _epoch,
    "round": _round,
    "run": _run,
    "worker": _worker,
    "shard": _shard,
    "duel": _duel,
    "void": _void,
    "unplayed": _unplayed,
    "complete": _state,
    "closed": _state,
    "reopened": _state,
}

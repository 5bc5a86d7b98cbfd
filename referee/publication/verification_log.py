"""Checks the log of an export: its chain, and that the rest of the export agrees with it.

The log is read first, and what it comes to is kept in `Logged`. Its duels are compared one by one
as they are played again; whatever is left then is missing.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from referee import json_fields
from referee.arena.limits import MOST_VOIDS
from referee.errors import RecordError
from referee.json_fields import expect
from referee.json_forms import terms_as_json, until_as_json
from referee.publication.duels import ExportedDuel
from referee.publication.export import LOG_FILE
from referee.publication.league import ExportedLeague
from referee.publication.log_reading import (
    LoggedEntry,
    logged_entrant,
    logged_epoch,
    logged_key,
    logged_text,
    read_log,
    statement_digest,
)
from referee.publication.verification_files import VerificationFailure, opened
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import LARGEST_VISIT
from referee.store.chain import START, duel_digest, isolation_digest

_NOT_WHEN_COMPLETE: Final = frozenset({"duel", "void", "unplayed", "suspended"})
_WHEN_CLOSED: Final = frozenset({"exported", "killed", "stopped"})


@dataclass
class StatedEpoch:
    """What the log says of an epoch before it began."""

    commitment: str | None = None
    statement: Mapping[str, Any] | None = None
    digest: str | None = None
    stated: str = ""
    """When the statement was published."""
    beacon: Mapping[str, Any] | None = None


@dataclass
class Logged:
    """What a log comes to."""

    head: str = START
    entries: int = 0
    written_down: int | None = None
    """The entry after which the head was the one that somebody wrote down."""
    began: bool = False
    """Whether it began with the league, and was not added later."""
    imported: int = 0
    """Duels that were there before."""
    entrants: list[str] = field(default_factory=list)
    """Their digests."""
    withdrawn: dict[int, str] = field(default_factory=dict)
    suspended: dict[int, int] = field(default_factory=dict)
    counted_from: dict[int, int] = field(default_factory=dict)
    stated: dict[int, StatedEpoch] = field(default_factory=dict)
    nonces: dict[int, str] = field(default_factory=dict)
    """Those that were revealed."""
    epochs: int = 0
    isolations: set[str] = field(default_factory=set)
    duels: dict[DuelKey, str] = field(default_factory=dict)
    """Those not seen in the export yet, with their digests."""
    voids: Counter[DuelKey] = field(default_factory=Counter)
    unlogged: int = 0
    """Duels of the export that are older than the log."""
    state: str = ""
    """Empty while it is not known."""

    def epoch(self, number: int) -> StatedEpoch:
        """Return what is known of an epoch."""
        return self.stated.setdefault(number, StatedEpoch())


def check_log(
    directory: Path, league: ExportedLeague, written_down: str | None
) -> tuple[Logged, list[VerificationFailure]]:
    """Read a log, up to the first entry that makes no sense.

    Args:
        directory: the export.
        league: what it says of the league.
        written_down: a head that somebody wrote down; its entry is remembered.
    """
    logged = Logged()
    try:
        with opened(directory, LOG_FILE) as file:
            for entry in read_log(file):
                _follow(logged, league, entry)
                logged.head, logged.entries = entry.head, entry.number
                if entry.head == written_down:
                    logged.written_down = entry.number
    except RecordError as error:
        line = logged.entries + 1
        return logged, [VerificationFailure(LOG_FILE, line, error.field, error.reason)]
    failures = []
    try:
        _check_league(logged, league)
    except RecordError as error:
        failures.append(VerificationFailure(LOG_FILE, None, error.field, error.reason))
    return logged, failures


def _follow(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    """Take one entry into account."""
    if (entry.kind in {"created", "imported"}) != (entry.number == 1):
        raise RecordError("kind", "a log begins with the league, or with what was there before it")
    kind, state = entry.kind, logged.state
    if (state == "closed" and kind not in _WHEN_CLOSED) or (
        state == "complete" and kind in _NOT_WHEN_COMPLETE
    ):
        raise RecordError("kind", f"is {kind}, though the league was {state}")
    if follow := _FOLLOW.get(kind):
        follow(logged, league, entry)


def _created(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    expect("name", entry.body["name"], league.name)
    plan = {
        **terms_as_json(league.terms),
        "duels": league.duels,
        "block": league.block,
        "until": league.until and until_as_json(league.until),
    }
    said = entry.body["plan"]
    if isinstance(said, dict) and said.get("block") == 0:
        said = said | {"block": LARGEST_VISIT}
    expect("plan", said, plan)
    _expect_moment("at", entry.at, league.created)
    logged.entrants = [
        json_fields.digest(each, place)
        for place, each in json_fields.items(entry.body["entrants"], "entrants")
    ]
    logged.began, logged.state = True, "open"
    logged.epoch(1).commitment = json_fields.digest(entry.body["commitment"], "commitment")


def _imported(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    logged.imported = json_fields.whole(entry.body["duels"], "duels")


def _committed(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    stated = logged.epoch(logged_epoch(entry))
    if stated.commitment:
        raise RecordError("epoch", "had a commitment before")
    stated.commitment = json_fields.digest(entry.body["commitment"], "commitment")


def _opened(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    stated = logged.epoch(logged_epoch(entry))
    if stated.digest:
        raise RecordError("epoch", "was opened before; a statement is published once")
    expect("digest", entry.body["digest"], statement_digest(entry.body["statement"]))
    stated.digest, stated.stated = entry.body["digest"], entry.at
    if not isinstance(entry.body["statement"], dict):
        raise RecordError("statement", "must be a JSON object")
    stated.statement = entry.body["statement"]


def _revealed(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    number = logged_entrant(entry)
    if number in logged.nonces:
        raise RecordError("entrant", f"is {number}, whose nonce was revealed before")
    logged.nonces[number] = logged_text(entry, "nonce")


def _brought(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    stated = logged.epoch(logged_epoch(entry))
    if not stated.digest:
        raise RecordError("epoch", "has no statement that names a round")
    stated.beacon = entry.body


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


def _run(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    logged.isolations.add(json_fields.digest(entry.body["isolation"], "isolation"))


def _epoch(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    number = logged_epoch(entry)
    if logged.began or logged.epochs:
        expect("epoch", number, logged.epochs + 1)
    if number > len(league.epochs):
        raise RecordError("epoch", f"is {number}, which is not in the export")
    logged.epochs = number
    epoch = league.epochs[number - 1]
    expect("commitment", entry.body["commitment"], epoch.commitment)
    expect("seed_given", entry.body["seed_given"], epoch.given)
    opened_at = json_fields.moment(entry.body["opened"], "opened")
    _expect_moment("opened", opened_at, epoch.opened)
    entrants = [each.number for each in league.entrants if each.epoch == epoch.number]
    expect("entrants", entry.body["entrants"], entrants)
    committed = logged.epoch(epoch.number).commitment
    if committed and not epoch.given:
        expect("commitment", entry.body["commitment"], committed)
    logged.state = "open"


def _duel(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    key = _in_epoch(logged, league, entry)
    if key in logged.duels:
        raise RecordError("duel", f"{_named(key)} was played before")
    if logged.voids[key] >= MOST_VOIDS:
        raise RecordError("duel", f"{_named(key)} was void too often to be played")
    logged.duels[key] = json_fields.digest(entry.body["digest"], "digest")


def _void(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    key = _in_epoch(logged, league, entry)
    if key in logged.duels:
        raise RecordError("duel", f"{_named(key)} was played before")
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
        raise RecordError("duel", f"{_named(key)} is of no entrants that play")
    if logged.began and league.epoch(key).number > logged.epochs:
        raise RecordError("duel", f"{_named(key)} is of an epoch that had not begun")
    return key


def _state(logged: Logged, league: ExportedLeague, entry: LoggedEntry) -> None:
    del league
    logged.state = "open" if entry.kind == "reopened" else entry.kind


_FOLLOW: Final[Mapping[str, Callable[[Logged, ExportedLeague, LoggedEntry], None]]] = {
    "created": _created,
    "imported": _imported,
    "committed": _committed,
    "opened": _opened,
    "revealed": _revealed,
    "beacon": _brought,
    "entered": _entered,
    "withdrawn": _withdrawn,
    "suspended": _suspended,
    "reinstated": _reinstated,
    "run": _run,
    "epoch": _epoch,
    "duel": _duel,
    "void": _void,
    "unplayed": _unplayed,
    "complete": _state,
    "closed": _state,
    "reopened": _state,
}


def _expect_moment(name: str, found: str | None, expected: str) -> None:
    """Refuse another time; the same one may be written in two zones."""
    if found is None or json_fields.instant(found) != json_fields.instant(expected):
        expect(name, found, expected)


def _named(key: DuelKey) -> str:
    return f"{key.first}-{key.second}/{key.number + 1}"


def _check_league(logged: Logged, league: ExportedLeague) -> None:
    """Refuse a league that is not what its log comes to."""
    if logged.began:
        _check_whole(logged, league)
    if logged.epochs:
        expect("epochs", len(league.epochs), logged.epochs)
    for entrant in league.entrants:
        number, place = entrant.number, f"entrants[{entrant.number - 1}]"
        if number in logged.withdrawn:
            _expect_moment(f"{place}.withdrawn", entrant.withdrawn, logged.withdrawn[number])
        expect(f"{place}.suspended", entrant.suspended, logged.suspended.get(number))
        expect(f"{place}.counted_from", entrant.counted_from, logged.counted_from.get(number, 0))
    if logged.state:
        expect("state", league.state, logged.state)


def _check_whole(logged: Logged, league: ExportedLeague) -> None:
    """Refuse what a log that began with the league would have."""
    expect("entrants", [each.digest for each in league.entrants], logged.entrants)
    expect("epochs", len(league.epochs), logged.epochs)
    for place, each in enumerate(league.entrants):
        if each.withdrawn and each.number not in logged.withdrawn:
            raise RecordError(f"entrants[{place}].withdrawn", "is not in the log")
    for number, held in enumerate(league.sandboxes):
        levels = [(one.name, one.level, one.reason) for one in held.guarantees]
        if isolation_digest(held.sandboxed, held.strict, levels) not in logged.isolations:
            raise RecordError(f"sandboxes[{number}]", "is not what any run of the log had")


def check_logged_duel(logged: Logged, duel: ExportedDuel) -> None:
    """Refuse a duel that the log does not have, or has otherwise."""
    digest = logged.duels.pop(duel.key, None)
    if digest is None and not logged.began:
        logged.unlogged += 1
        return
    if digest is None:
        raise RecordError("", f"is not in {LOG_FILE}")
    if digest != duel_digest(duel.key, duel.rooms, duel.faults):
        raise RecordError("", f"is not the duel that {LOG_FILE} has")


def check_rest_of_log(
    logged: Logged, league: ExportedLeague, voids: Counter[DuelKey]
) -> list[VerificationFailure]:
    """Return what the log has and the export lacks, once all duels were compared."""
    failures = []
    for key in logged.duels:
        if not _is_apart(league, key):
            reason = f"the duel {_named(key)} was played, and is not in the export"
            failures.append(VerificationFailure(LOG_FILE, None, "duel", reason))
            break
    later = {key: times for key, times in logged.voids.items() if not _is_apart(league, key)}
    wrong = next((key for key, times in later.items() if voids[key] < times), None)
    if logged.began:
        wrong = wrong or next((key for key in voids if voids[key] != later.get(key)), None)
    if wrong:
        reason = f"{_named(wrong)} was void as often as voids.csv does not say"
        failures.append(VerificationFailure(LOG_FILE, None, "void", reason))
    if logged.entries and not logged.began and logged.unlogged > logged.imported:
        reason = f"are {logged.imported}, but {logged.unlogged} duels have no entry"
        failures.append(VerificationFailure(LOG_FILE, 1, "duels", reason))
    return failures


def _is_apart(league: ExportedLeague, key: DuelKey) -> bool:
    """Return whether a duel is no part of the league: it came after a suspension."""
    after = (league.entrant(number).suspended for number in (key.first, key.second))
    return any(number is not None and key.number > number for number in after)

"""Leagues played at random, and exports of them that a forger has had in hand."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import combinations, zip_longest
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from referee.arena.duel import Timing
from referee.arena.fault import CRASHED
from referee.arena.limits import Terms
from referee.duel_checks import counts
from referee.engine.dealing import commitment
from referee.engine.game import Game
from referee.engine.record import MatchRecord, Scoresheet
from referee.engine.registry import preset
from referee.engine.seating import entrant_at
from referee.engine.seating import rooms as rooms_of
from referee.json_forms import FaultForm, moment
from referee.publication.checksums import SUMS, sums
from referee.publication.duels import ExportedDuel, canonical
from referee.publication.export import Exported, export
from referee.publication.verification import Report, VerificationRequest, verify
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey, pairing
from referee.store.chain import START, canonical_json, chained, duel_digest
from referee.store.log import LogEntry, entry_as_json
from referee.store.models import (
    Bot,
    Entry,
    Epoch,
    Isolation,
    League,
    Opening,
    Plan,
    State,
    StoredVoid,
)
from referee.store.plans import plan_columns
from referee.store.statement import Required, opening_statement

NOW = datetime(2025, 1, 31, 18, 30, tzinfo=UTC)
SEEDS = (bytes(range(32)), b"\xa5" * 32)
FAULTY = DuelKey(1, 2, 1)
NOTHING_ELSE = VerificationRequest()
HELD = Isolation(
    sandboxed=True,
    strict=False,
    guarantees=(
        {"name": "no-network", "level": "enforced", "reason": "", "remedy": ""},
        {"name": "fair-cpu", "level": "weak", "reason": "no cgroup", "remedy": "mount it"},
    ),
)


def league(
    state: State = "complete",
    game: str | Game = "euchre",
    *,
    entrants: int = 3,
    duels: int = 2,
    until: Until | None = None,
    target: int = 3,
    given: bool = False,
) -> League:
    """Make a league whose last entrant came later, in an epoch of its own."""
    entries = tuple(
        Entry(number, _bot(number), 2 if number == entrants else 1)
        for number in range(1, entrants + 1)
    )
    played = preset(game).game({"target": target}) if isinstance(game, str) else game
    plan = Plan(Terms(played), duels, 128, until)
    out = state != "open"
    epochs = tuple(Epoch(n, seed, given, NOW, out) for n, seed in enumerate(SEEDS, start=1))
    return League("spring", plan, NOW, state, entries, epochs)


def _bot(number: int) -> Bot:
    digest = sha256(bytes([number])).hexdigest()
    name = ("ann", "bob", "cid", "dot", "eve", "fay")[number - 1]
    return Bot(digest, name, "1.0", "Ann O'Nymous", "python", ("euchre",), "", NOW)


def exported(
    found: League, faulty: Iterable[DuelKey] = (), lacking: Iterable[DuelKey] = ()
) -> Exported:
    """Play a league; in a faulty duel A crashes at once in the open room, later in the closed."""
    numbers = [entry.number for entry in found.entries if entry.epoch]
    keys = [
        DuelKey(*pairing(one, other), number)
        for one, other in combinations(numbers, 2)
        for number in range(found.plan.duels)
    ]
    keys = sorted(set(keys) - set(lacking), key=canonical)
    duels = [_duel(found, key, faulty=key in faulty) for key in keys]
    voids = [StoredVoid(key, "the referee was behind", NOW) for key in lacking for _ in range(3)]
    return Exported(found, duels, voids, [(HELD, len(duels))])


def _duel(found: League, key: DuelKey, *, faulty: bool) -> ExportedDuel:
    random = Random(str(key))
    game = found.plan.terms.game
    dealer = game.first_dealer(key.number)
    at_fault = [(0, 0, dealer & 2), (1, 1, 1)] if faulty else []
    rooms = tuple(
        _match(found, key, random, fault) for _, fault in zip_longest(rooms_of(game), at_fault)
    )
    faults = tuple(
        FaultForm(
            CRASHED,
            (key.first, key.second)[entrant_at(game, room, record.forfeit.seat)],
            record.forfeit.seat,
            room,
            len(record.hands),
            True,
            "exit status 1",
        )
        for room, record in enumerate(rooms)
        if record.forfeit
    )
    slowest = (
        Timing(
            0.0123456789, 0, 0, 0, "trick 1" if "trick 1" in game.decisions else game.decisions[0]
        ),
        None,
    )
    return ExportedDuel(key, rooms, *counts(rooms), faults, slowest)


def _match(
    found: League, key: DuelKey, random: Random, fault: tuple[int, int, int] | None
) -> MatchRecord:
    """Play a match; a fault is the hand, how many of its actions are played, and whose it is."""
    game = found.plan.terms.game
    sheet = Scoresheet(game, game.first_dealer(key.number), found.dealt(key))
    left = fault[1] if fault else 0
    while sheet.state.actor is not None:
        if fault and sheet.match.hand == fault[0]:
            if not left:
                return sheet.record(fault[2])
            left -= 1
        sheet.play(random.choice(sheet.state.legal))
    return sheet.record()


REQUIRED = Required(("no-network",))


class LogWriter:
    """Writes a log, chained as a league's is."""

    def __init__(self, at: datetime = NOW) -> None:
        self.entries: list[LogEntry] = []
        self._at = at

    def add(self, kind: str, body: Mapping[str, object], at: datetime | None = None) -> None:
        """Append an entry."""
        at = at or self._at
        number = len(self.entries) + 1
        before = self.entries[-1].head if self.entries else START
        head = chained(before, entry_as_json(number, kind, at, body))
        self.entries.append(LogEntry(number, kind, at, body, head))


def logged(
    whole: Exported,
    at: datetime = NOW,
    required: Mapping[int, Required | None] = MappingProxyType({}),
) -> Exported:
    """Return a league with a log of it, and the statements that opened its epochs.

    Args:
        whole: the league.
        at: when all of it was.
        required: what the statements of epochs require, if not `REQUIRED`.
    """
    log, found, duels = LogWriter(at), whole.league, list(whole.duels)
    early = [entry.bot.digest for entry in found.entries if entry.epoch <= 1]
    plan, epochs = plan_columns(found.plan), list(found.epochs)
    body = {"name": found.name, "plan": plan, "entrants": early}
    log.add("created", body | {"commitment": commitment(SEEDS[0])})
    for place, epoch in enumerate(epochs):
        entries = [entry for entry in found.entries if entry.epoch == epoch.number]
        if epoch.number > 1:
            log.add("committed", {"epoch": epoch.number, "commitment": epoch.commitment})
            for entry in entries:
                log.add("entered", {"entrant": entry.number, "digest": entry.bot.digest})
        wanted = required.get(epoch.number, REQUIRED)
        epochs[place] = opening = opened(log, found, epoch, entries, at, wanted)
        dealt = {
            "epoch": epoch.number,
            "commitment": opening.commitment,
            "seed_given": epoch.seed_given,
            "opened": moment(epoch.opened),
            "entrants": [entry.number for entry in entries],
        }
        log.add("epoch", dealt, epoch.opened)
    for isolation, _ in whole.isolations:
        log.add("run", {"version": "0.1.0", "isolation": isolation.digest})
    for void in whole.voids:
        log.add("void", {"duel": [*void.key], "reason": void.reason})
    for duel in duels:
        digest = duel_digest(duel.key, duel.rooms, duel.faults)
        log.add("duel", {"duel": [*duel.key], "digest": digest})
    for entry in found.entries:
        if entry.withdrawn:
            log.add("withdrawn", {"entrant": entry.number}, entry.withdrawn)
    if found.state != "open":
        log.add(found.state, {})
    return whole._replace(league=found._replace(epochs=tuple(epochs)), duels=duels, log=log.entries)


def opened(
    log: LogWriter,
    found: League,
    epoch: Epoch,
    entries: Sequence[Entry],
    at: datetime,
    required: Required | None = REQUIRED,
) -> Epoch:
    """Publish the statement of an epoch of these entrants, from whose secret its seed follows."""
    opening = epoch.opening or Opening(epoch.number, epoch.seed, at)
    waiting = tuple(entry._replace(epoch=0) for entry in entries)
    statement = opening_statement(
        found._replace(entries=waiting),
        opening,
        required,
        seed_given=epoch.seed_given,
        now=at,
    )
    opening = opening._replace(statement=statement)
    body = {"epoch": epoch.number, "digest": opening.digest, "statement": json.loads(statement)}
    log.add("opened", body)
    for entry in entries:
        if entry.nonce_hash and entry.nonce:
            log.add("revealed", {"entrant": entry.number, "nonce": entry.nonce})
    if opening.beacon and opening.signed:
        signature, previous = opening.signed
        body = {
            "epoch": epoch.number,
            "network": opening.beacon.network,
            "round": opening.beacon.number,
            "signature": signature.hex(),
            "previous_signature": previous.hex(),
            "checked": opening.checked,
        }
        log.add("beacon", body)
    return epoch._replace(opening=opening)


def written(
    directory: Path,
    found: League,
    faulty: Iterable[DuelKey] = (),
    lacking: Iterable[DuelKey] = (),
) -> Path:
    """Write an export."""
    export(directory, exported(found, faulty, lacking))
    return directory


def checked(
    directory: Path, asked: VerificationRequest = NOTHING_ELSE, now: datetime = NOW
) -> Report:
    return verify(directory, asked, lambda lines, _about: lines, now)


def wrong(directory: Path) -> str:
    """Return the first thing that is wrong."""
    report = checked(directory)
    assert report.outcome == "failed"
    return str(report.failures[0])


def sealed(directory: Path) -> Path:
    """Make the sums anew, as a forger would."""
    files = [path for path in directory.iterdir() if path.name != SUMS]
    digests = {path.name: sha256(path.read_bytes()).hexdigest() for path in files}
    (directory / SUMS).write_text(sums(digests))
    return directory


def forged_league(directory: Path, change: Callable[[Any], object]) -> Path:
    """Change what is said of the league."""
    path = directory / "league.json"
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    return sealed(directory)


def forged_duels(directory: Path, change: Callable[[list[Any]], object]) -> Path:
    """Change the duels."""
    path = directory / "duels.jsonl"
    told = [json.loads(line) for line in path.read_text().splitlines()]
    change(told)
    path.write_text("".join(json.dumps(each) + "\n" for each in told))
    return sealed(directory)


def forged_log(directory: Path, change: Callable[[list[Any]], object]) -> Path:
    """Change the log, and chain it anew."""
    path = directory / "log.jsonl"
    told = [json.loads(line) for line in path.read_text().splitlines()]
    change(told)
    head = START
    for number, entry in enumerate(told, start=1):
        entry.pop("head", None)
        entry["number"] = number
        head = chained(head, entry)
        entry["head"] = head
    path.write_bytes(b"".join(canonical_json(entry) + b"\n" for entry in told))
    return sealed(directory)


def place(entries: list[Any], kind: str, nth: int = 0) -> int:
    """Return where the n-th entry of a kind is."""
    return [number for number, entry in enumerate(entries) if entry["kind"] == kind][nth]


def forged_text(directory: Path, file: str, change: Callable[[str], str]) -> Path:
    """Change the text of a file."""
    path = directory / file
    text = path.read_bytes().decode()
    changed = change(text)
    assert changed != text
    path.write_bytes(changed.encode())
    return sealed(directory)

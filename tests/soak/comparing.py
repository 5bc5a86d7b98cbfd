"""Compares a league that was disturbed with the same league undisturbed, and has it verified."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from referee.store.chain import START, chained
from referee.store.duels import stored_duels, stored_keys
from referee.store.log import entries, entry_as_json
from referee.store.models import StoredDuel
from tests.soak.scene import NAME, Scene, opened, start

_OWN: Final = ("league.json", "log.jsonl", "statement.json", "voids.csv", "SHA256SUMS")
"""Files that tell when each was played, and what went wrong meanwhile."""
_SHOWN: Final = 3


def differences(calm: Scene, stormy: Scene, log: Path) -> list[str]:
    """Return in what a league differs from the same league undisturbed."""
    found = [*stored_differences(calm, stormy), *log_faults(stormy, NAME)]
    # The same league undisturbed may be compared with many.
    exports = [calm.place.with_name("calm-export"), log.with_name("stormy-export")]
    for scene, export in zip((calm, stormy), exports, strict=True):
        if (
            not export.exists()
            and start(scene, "league", "export", NAME, str(export), log=log).wait()
        ):
            return [*found, f"{scene.place.name} cannot be exported: {last_line(log)}"]
    found += _exported(*exports)
    if start(stormy, "verify", str(exports[1]), log=log).wait():
        found.append(f"verify does not pass: {last_line(log)}")
    return found


def last_line(log: Path) -> str:
    """Return what a command said last."""
    return log.read_text().strip().rpartition("\n")[2] if log.exists() else ""


def stored_differences(calm: Scene, stormy: Scene) -> list[str]:
    """Compare the play, byte for byte, and all that was counted from it."""
    was, is_now = _duels(calm), _duels(stormy)
    changed = {key for key in was if was[key] != is_now.get(key)}
    return [
        *_some("was lost", was.keys() - is_now.keys()),
        *_some("is one too many", is_now.keys() - was.keys()),
        *_some("was played otherwise", changed),
    ]


def _duels(scene: Scene) -> dict[str, tuple[Any, ...]]:
    with opened(scene) as store:
        duels = list(stored_duels(store, NAME))
    doubled = [key for key, times in Counter(duel.key for duel in duels).items() if times > 1]
    assert not doubled, f"stored twice: {doubled}"
    return {duel.key.text(NAME, "duel"): _untimed(duel) for duel in duels}


def log_faults(scene: Scene, name: str) -> Iterator[str]:
    """Check that a league's log is a chain, with each duel that is stored in it once."""
    with opened(scene) as store:
        log = list(entries(store, name))
        stored = Counter(map(tuple, stored_keys(store, name)))
    head = START
    for number, entry in enumerate(log, start=1):
        head = chained(head, entry_as_json(number, *entry[1:4]))
        if entry.head != head:
            yield f"entry {number} of the log is not chained to those before it"
            return
    if stored != Counter(tuple(entry.body["duel"]) for entry in log if entry.kind == "duel"):
        yield "the log has other duels than the store"
    kinds = {entry.kind for entry in log}
    if not kinds & {"run", "shard"} or "complete" not in kinds:
        yield "the log lacks the runs or the end of the league"


def _untimed(duel: StoredDuel) -> tuple[Any, ...]:
    tallies = [side.tallies for side in duel.sides]
    # What a bundle holds, and which of many alike are stored with one, depends on the session.
    faults = [fault._replace(bundle=None) for fault in duel.faults]
    return duel.play, duel.wins, duel.margin, duel.hands, tallies, faults


def _some(what: str, keys: set[str]) -> Iterator[str]:
    for key in sorted(keys)[:_SHOWN]:
        yield f"{key} {what}"
    if len(keys) > _SHOWN:
        yield f"and {len(keys) - _SHOWN} more {what}"


def _exported(calm: Path, stormy: Path) -> Iterator[str]:
    names = [sorted(path.name for path in export.iterdir()) for export in (calm, stormy)]
    if names[0] != names[1]:
        yield f"the exports have other files: {names[0]} and {names[1]}"
        return
    for name in names[0]:
        if name not in _OWN and _read(calm / name) != _read(stormy / name):
            yield f"{name} is not the same"


def _read(file: Path) -> object:
    text = file.read_text()
    if file.suffix == ".jsonl":
        return [json.loads(line) | {"slowest": None} for line in text.splitlines()]
    if file.name == "ratings.csv":
        return [row | {"voids": None} for row in csv.DictReader(text.splitlines())]
    return text

"""Reads from the store what an export is made from."""

from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import Final

from referee.publication.duels import ExportedDuel
from referee.publication.export import Exported
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.duels import isolations, results, stored_duels, voids
from referee.store.leagues import league
from referee.store.log import LogEntry, entries, head
from referee.store.models import League, StoredDuel
from referee.store.play import unpacked

_TRIES: Final = 100
"""How often a league that goes on is read again, to have it as it was at one moment."""


def collect(store: Store, name: str) -> Exported:
    """Read a league from the store.

    Its state is read first: if it was over then, no deck is secret any more. It may go on while it
    is read; what was logged since then is left to the next export.
    """
    for _ in range(_TRIES):
        last = head(store, name)
        found, void, unlogged = league(store, name), voids(store, name), _unlogged(store, name)
        if head(store, name) == last:
            break
    void = [void for void in void if _begun(found, void.key)]
    duels = _duels(store, found, last.number, unlogged)
    return Exported(found, duels, void, isolations(store, name), _log(store, name, last.number))


def _unlogged(store: Store, name: str) -> Collection[DuelKey]:
    """Return the duels of a league that is older than logs, some of which no entry is of."""
    first = next(entries(store, name), None)
    if first and first.kind == "created":
        return ()
    return [DuelKey(*result[:3]) for result in results(store, name)]


def _log(store: Store, name: str, last: int) -> Iterator[LogEntry]:
    return takewhile(lambda entry: entry.number <= last, entries(store, name))


def _duels(
    store: Store, found: League, last: int, unlogged: Collection[DuelKey]
) -> Iterator[ExportedDuel]:
    """Yield the duels that were stored when the log had so many entries."""
    log = _log(store, found.name, last)
    logged = (DuelKey(*entry.body["duel"]) for entry in log if entry.kind == "duel")
    there = {*unlogged, *logged}
    for duel in stored_duels(store, found.name):
        if duel.key in there and _begun(found, duel.key):
            yield _duel(found, duel)


def _begun(found: League, key: DuelKey) -> bool:
    pair = key.first, key.second
    return max(pair) <= len(found.entries) and all(found.entry(each).epoch for each in pair)


def _duel(found: League, duel: StoredDuel) -> ExportedDuel:
    rooms = unpacked(duel.play, found.dealt(duel.key), found.plan.terms.game)
    first, second = duel.sides
    slowest = first.slowest, second.slowest
    faults = tuple(fault.form for fault in duel.faults)
    return ExportedDuel(duel.key, rooms, duel.wins, duel.margin, duel.hands, faults, slowest)

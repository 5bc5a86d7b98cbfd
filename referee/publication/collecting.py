"""Reads from the store what an export is made from."""

from referee.publication.duels import ExportedDuel, Slowest
from referee.publication.export import Exported
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.duels import isolations, stored_duels, voids
from referee.store.leagues import league
from referee.store.models import League, StoredDuel
from referee.store.play import unpacked


def collect(store: Store, name: str) -> Exported:
    """Read a league from the store.

    Its state is read first: if it was over then, no deck is secret any more.
    """
    found = league(store, name)
    # It may go on while it is read; who joined meanwhile is left to the next export.
    duels = (_duel(found, duel) for duel in stored_duels(store, name) if _begun(found, duel.key))
    void = [void for void in voids(store, name) if _begun(found, void.key)]
    return Exported(found, duels, void, isolations(store, name))


def _begun(found: League, key: DuelKey) -> bool:
    pair = key.first, key.second
    return max(pair) <= len(found.entries) and all(found.entry(each).epoch for each in pair)


def _duel(found: League, duel: StoredDuel) -> ExportedDuel:
    rooms = unpacked(duel.play, found.dealt(duel.key))
    first, second = duel.sides
    slowest: Slowest = (first.slowest, second.slowest)
    faults = tuple(fault.form for fault in duel.faults)
    return ExportedDuel(duel.key, rooms, duel.wins, duel.margin, duel.hands, faults, slowest)

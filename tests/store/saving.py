"""Stores one duel or one void at a time, as a league does whose duels take long."""

from referee.store.database import Store
from referee.store.duels import save_outcomes
from referee.store.leases import Lease
from referee.store.models import Isolation, StoredDuel, StoredVoid

_NONE = Isolation(False, False, ())


def save_duel(store: Store, lease: Lease, duel: StoredDuel, isolation: Isolation) -> bool:
    """Store a duel; return whether it was not there yet."""
    return bool(save_outcomes(store, lease, [duel], isolation))


def save_void(store: Store, lease: Lease, void: StoredVoid) -> None:
    save_outcomes(store, lease, [void], _NONE)

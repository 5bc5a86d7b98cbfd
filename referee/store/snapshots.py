"""Writes and reads snapshots: the ratings of a league as they stood from time to time."""

from collections.abc import Mapping, Sequence

from sqlalchemy import insert, select

from referee.store.database import Store, league_id, reading
from referee.store.exact import exact
from referee.store.leases import Lease, fenced
from referee.store.models import Snapshot
from referee.store.rows import SNAPSHOT


def save_snapshot(store: Store, lease: Lease, snapshot: Snapshot) -> None:
    """Store a snapshot."""
    del store  # as everything that writes takes one; a lease is of one store
    ratings = {str(number): rating for number, rating in snapshot.ratings.items()}
    row = {**snapshot._asdict(), "ratings": ratings, "league": lease.league}
    with fenced(lease, durable=False) as connection:
        connection.execute(insert(SNAPSHOT), row)


def snapshots(store: Store, name: str) -> list[Snapshot]:
    """Return the snapshots of a league, the oldest first."""
    with reading(store) as connection:
        asked = (
            select(SNAPSHOT.c.at, SNAPSHOT.c.duels, SNAPSHOT.c.ratings)
            .where(SNAPSHOT.c.league == league_id(connection, name))
            .order_by(SNAPSHOT.c.id)
        )
        return [
            exact(Snapshot, (at, duels, _ratings(read)))
            for at, duels, read in connection.execute(asked)
        ]


def _ratings(read: Mapping[str, Sequence[float]]) -> dict[int, tuple[float, float]]:
    return {int(number): (float(mean), float(spread)) for number, (mean, spread) in read.items()}

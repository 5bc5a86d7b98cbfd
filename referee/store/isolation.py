"""Keeps what kept bots apart while they played: mostly the same, so it is kept once."""

import json
from contextlib import suppress
from hashlib import sha256

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from referee.store.database import Store, reading, writing
from referee.store.models import Isolation
from referee.store.rows import ISOLATION


def save_isolation(store: Store, held: Isolation) -> int:
    """Return the id of what kept bots apart; the same is kept once."""
    digest = sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()
    found = _found(store, digest)
    if found is not None:
        return found
    row = held._asdict() | {"digest": digest, "guarantees": [*map(dict, held.guarantees)]}
    with suppress(IntegrityError), writing(store) as connection:
        connection.execute(insert(ISOLATION), row)
    # Whether ours or that of another run, which was faster.
    found = _found(store, digest)
    assert found is not None
    return found


def _found(store: Store, digest: str) -> int | None:
    with reading(store) as connection:
        return connection.scalar(select(ISOLATION.c.id).where(ISOLATION.c.digest == digest))

"""The rounds of a league whose pairs are chosen round by round."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, insert, select

from referee.scheduling.keys import pairing
from referee.store.database import Store, league_id, reading
from referee.store.exact import exact
from referee.store.leases import Lease, fenced
from referee.store.log import append
from referee.store.models import PairedRound
from referee.store.rows import ROUND


def pair_round(own: Lease, pairs: Sequence[tuple[int, int]], now: datetime) -> PairedRound:
    """Add the round that comes next; what is logged of it is before all of its duels.

    Args:
        own: the lease of the league.
        pairs: who meets whom, by the numbers of the two.
        now: when that is.

    Raises:
        UpcardError: another process has taken over the league.
    """
    with fenced(own) as connection:
        count = connection.scalar(select(func.count()).where(ROUND.c.league == own.league))
        assert count is not None
        paired = PairedRound(count, now, tuple(pairing(*pair) for pair in pairs))
        written = [*map(list, paired.pairs)]
        row = {"league": own.league, "number": count, "at": now, "pairs": written}
        connection.execute(insert(ROUND), row)
        append(connection, own.league, "round", now, {"round": count + 1, "pairs": written})
        return paired


def rounds(store: Store, name: str) -> list[PairedRound]:
    """Return the rounds of a league in their order; none of one in which everybody meets."""
    asked = select(ROUND.c.number, ROUND.c.at, ROUND.c.pairs).order_by(ROUND.c.number)
    with reading(store) as connection:
        of = asked.where(ROUND.c.league == league_id(connection, name))
        return [
            exact(PairedRound, (number, at, _pairs(pairs)))
            for number, at, pairs in connection.execute(of)
        ]


def _pairs(read: list[list[int]]) -> tuple[tuple[int, int], ...]:
    """Return pairs of numbers.

    Raises:
        TypeError: the row is damaged.
        ValueError: likewise.
    """
    pairs = tuple((first, second) for first, second in read)
    if not {type(number) for pair in pairs for number in pair} <= {int}:
        raise TypeError(read)
    return pairs

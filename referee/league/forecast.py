"""What a run of a league would play, and how long that may take."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from typing import Final, NamedTuple

from referee.league.pace import visit_size
from referee.league.pending import pending_blocks, refuse_unplayable
from referee.league.table import unplayed
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.duels import finished, results, voids
from referee.store.leagues import league, leagues
from referee.store.models import League

_PAUSE: Final = 60.0
"""Seconds between two duels after which nobody was playing."""


class Forecast(NamedTuple):
    """What is to come."""

    pairings: int
    duels: int
    """At most; where the league may stop early, until it is looked at next."""
    sessions: int
    seconds: float | None
    """How long it takes if it goes on as it went; None where nothing like it was played."""


def forecast(store: Store, name: str) -> Forecast:
    """Return what a run of a league would play.

    Raises:
        ConfigError: it cannot be played as it is.
    """
    found = league(store, name)
    refuse_unplayable(found)
    played = results(store, name)
    given_up = unplayed(voids(store, name), played)
    each = pace(store, found)
    size = found.plan.block or visit_size(found.plan.duels, each or 0.0)
    missing = pending_blocks(found, {DuelKey(*one[:3]): one for one in played}, given_up, size)
    duels = sum(len(block.numbers) for block in missing)
    pairings = Counter((block.first, block.second) for block in missing)
    return Forecast(len(pairings), duels, len(missing), None if each is None else duels * each)


def pace(store: Store, found: League) -> float | None:
    """Return the seconds from duel to duel, here or else where the same game was played last."""
    game = found.plan.terms.game.name
    alike = [each.name for each in leagues(store) if each.plan.terms.game.name == game]
    for name in (found.name, *reversed(alike)):
        gaps = list(_gaps(finished(store, name)))
        if gaps:
            return sum(gaps) / len(gaps)
    return None


def _gaps(times: Iterable[datetime]) -> Iterable[float]:
    between = ((after - before).total_seconds() for before, after in pairwise(times))
    return (gap for gap in between if gap < _PAUSE)

"""What a run of a league would play, and how long that may take."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from referee.arena.limits import GRACE, Terms
from referee.engine.cards import Action, Seat
from referee.engine.game import State
from referee.engine.record import SeededDeal, play_match
from referee.engine.seating import rooms
from referee.errors import GameError
from referee.league.bots import LeagueBots
from referee.league.pace import visit_size
from referee.league.pending import (
    active_entrants,
    checked,
    judged_layers,
    pending_blocks,
    refuse_unplayable,
    round_blocks,
    rounds_so_far,
)
from referee.league.table import unplayed
from referee.league.workers import default_jobs
from referee.scheduling.keys import DuelKey
from referee.store.database import Store
from referee.store.duels import finished, results, voids
from referee.store.leagues import league, leagues
from referee.store.models import League
from referee.store.rounds import rounds as stored_rounds

_PAUSE: Final = 60.0
"""Seconds between two duels after which nobody was playing."""
_SAMPLED: Final = 100
"""Matches that are played at random to see how many decisions a long one takes."""


class Forecast(NamedTuple):
    """What is to come."""

    pairings: int
    duels: int
    """At most; where the league may stop early, until it is looked at next."""
    sessions: int
    seconds: float | None
    """How long it takes if it goes on as it went; None where nothing like it was played."""
    most_seconds: float
    """How long it takes if every bot uses all the time that the limits allow."""


def forecast(store: Store, name: str, jobs: int | None = None) -> Forecast:
    """Return what a run of a league would play.

    Args:
        store: the store it is in.
        name: the league's.
        jobs: how many sessions are played at a time, if that is chosen.

    Raises:
        ConfigError: it cannot be played as it is.
    """
    found = league(store, name)
    refuse_unplayable(found)
    played = results(store, name)
    given_up = unplayed(voids(store, name), played)
    rounds = rounds_so_far(found, stored_rounds(store, name))
    stage = judged_layers(found, checked(found, played), given_up, rounds).stages[-1]
    each = pace(store, found)
    size = found.plan.block or visit_size(found.plan.duels, each or 0.0)
    done = {*(DuelKey(*result[:3]) for result in played), *given_up}
    to_come = round_blocks(rounds, done) if rounds else pending_blocks(found, stage, done, size)
    missing = [*to_come]
    duels = sum(len(block.numbers) for block in missing)
    pairings = Counter((block.first, block.second) for block in missing)
    terms = found.plan.terms
    starts = len(missing) * len(rooms(terms.game)) * terms.limits.ready
    most = jobs or default_jobs(
        LeagueBots(store).limits(found, active_entrants(found)), len(terms.game.seats)
    )
    at_once = max(1, min(most, len(missing)))
    return Forecast(
        len(pairings),
        duels,
        len(missing),
        None if each is None else duels * each,
        (starts + duels * longest_duel(terms)) / at_once,
    )


def longest_duel(terms: Terms) -> float:
    """Return the seconds that the limits allow for a duel, as long as matches are by random play.

    In a session one bot thinks at a time, so that all their times add up.
    """
    game, limits, decisions = terms.game, terms.limits, _most_decisions(terms)
    seat = decisions * (limits.decision + GRACE)
    if limits.bank:
        seat = min(seat, limits.bank + decisions * limits.increment)
    return len(rooms(game)) * len(game.seats) * (seat + decisions * terms.beat)


def _most_decisions(terms: Terms) -> int:
    """Return the most decisions that a seat is asked for in some random matches."""
    draw, asked = Random(0).random, Counter[tuple[int, Seat | None]]()  # noqa: S311 (no secret)
    for number in range(_SAMPLED):

        def choose(state: State) -> Action:
            legal = state.legal
            asked[number, state.actor] += len(legal) >= terms.at_least  # noqa: B023 (used within)
            return legal[int(draw() * len(legal))]

        dealt = SeededDeal(bytes(32), f"forecast {number}")
        with suppress(GameError):  # such a duel is void
            play_match(terms.game, terms.game.first_dealer(number), dealt, choose)
    return max(asked.values(), default=0)


def _game(league: League) -> tuple[str, str]:
    """Return which game is played, whatever its rules."""
    game = league.plan.terms.game
    return game.name, game.title


def pace(store: Store, found: League) -> float | None:
    """Return the seconds from duel to duel, here or else where the same game was played last."""
    alike = [each.name for each in leagues(store) if _game(each) == _game(found)]
    for name in (found.name, *reversed(alike)):
        gaps = list(_gaps(finished(store, name)))
        if gaps:
            return sum(gaps) / len(gaps)
    return None


def _gaps(times: Iterable[datetime]) -> Iterable[float]:
    between = ((after - before).total_seconds() for before, after in pairwise(times))
    return (gap for gap in between if gap < _PAUSE)

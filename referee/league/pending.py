"""What is still to be played of a league, from its plan and from what was played."""

from collections.abc import Collection, Mapping
from itertools import groupby
from math import comb
from operator import attrgetter

from referee.errors import ConfigError
from referee.ratings.results import Result
from referee.ratings.stopping import looks, may_stop
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block, blocks, missing, visits
from referee.store.models import League, Plan


def active_entrants(found: League) -> list[int]:
    """Return the entrants that play on, by their numbers: not withdrawn, nor suspended."""
    return [
        entry.number for entry in found.entries if not entry.withdrawn and entry.suspended is None
    ]


def refuse_unplayable(found: League) -> None:
    """Refuse to play a league that is over, or in which nobody has anybody to play.

    Raises:
        ConfigError: it is closed, or fewer than two are still in it; those that are suspended
            are, for they may have been so by this run.
    """
    if found.state == "closed":
        raise ConfigError(f"{found.name} is closed; what it has is final")
    if sum(not entry.withdrawn for entry in found.entries) < 2:
        raise ConfigError(
            f"{found.name} has nobody to play: enter two bots or more by "
            f"'upcard league add-bot {found.name} BOT'"
        )


def planned_duels(found: League) -> int:
    """Return how many duels there are to play, at most."""
    return comb(len(active_entrants(found)), 2) * found.plan.duels


def plan_visits(plan: Plan, size: int) -> list[range]:
    """Cut the duels of a pairing into visits; where it may stop early, each look ends one."""
    return visits(plan.duels, size, looks(plan.duels) if plan.until else ())


def pending_blocks(
    found: League,
    results: Mapping[DuelKey, Result],
    given_up: Collection[DuelKey],
    size: int,
) -> list[Block]:
    """Return the visits to come, in order, as far as is known: at most until the next look.

    A look goes by the duels of the rounds before it and no others, so that it says the same however
    often the league was stopped and in whatever order duels came in.

    Args:
        found: the league.
        results: what was played.
        given_up: the duels that are not tried again.
        size: the most duels in a visit.
    """
    numbers, plan = active_entrants(found), found.plan
    if len(numbers) < 2:
        return []
    done = {*results, *given_up}
    rounds = plan_visits(plan, size)
    every = blocks(numbers, rounds)
    secret = (block for block in every if not is_revealed(found, block.first, block.second))
    to_play = missing(secret, done)
    if not plan.until:
        return list(to_play)
    by_round = {number: list(group) for number, group in groupby(to_play, attrgetter("round"))}
    for number, visit in enumerate(rounds):
        if number in by_round:
            return by_round[number]
        if visit.stop in looks(plan.duels) and may_stop(
            plan.until, first_duels(visit.stop, results), numbers, plan.duels
        ):
            break
    return []


def is_revealed(found: League, first: int, second: int) -> bool:
    """Return whether everybody may know the decks of a pairing, which is then over for good."""
    epoch = found.epoch(first, second)
    return epoch is not None and epoch.revealed


def first_duels(stop: int, results: Mapping[DuelKey, Result]) -> list[Result]:
    """Return what came of the first duels of each pairing."""
    return [result for result in results.values() if result.number < stop]

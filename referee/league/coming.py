"""What is still to be played of a league, from its plan and from what was played."""

from collections.abc import Collection, Mapping
from itertools import groupby
from math import comb
from operator import attrgetter

from referee.ratings.results import Result
from referee.ratings.stopping import looks, may_stop
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block, blocks, to_come, visits
from referee.store.kept import League, Plan


def playing(found: League) -> list[int]:
    """Give the entrants that are still in it, by their numbers."""
    return [entry.number for entry in found.entries if not entry.withdrawn]


def planned(found: League) -> int:
    """Say how many duels there are to play, at most."""
    return comb(len(playing(found)), 2) * found.plan.duels


def plan_visits(plan: Plan) -> list[range]:
    """Part the duels of a pairing into visits; where it may stop early, each look ends one."""
    return visits(plan.duels, plan.block, looks(plan.duels) if plan.until else ())


def coming(
    found: League, results: Mapping[DuelKey, Result], given_up: Collection[DuelKey]
) -> list[Block]:
    """Give the visits to come, in order, as far as is known: at most until the next look.

    A look goes by the duels of the rounds before it and no others, so that it says the same however
    often the league was stopped and in whatever order duels came in.
    """
    numbers, plan = playing(found), found.plan
    done = {*results, *given_up}
    rounds = plan_visits(plan)
    missing = to_come(blocks(numbers, rounds), done)
    if not plan.until:
        return list(missing)
    by_round = {number: list(group) for number, group in groupby(missing, attrgetter("round"))}
    for number, visit in enumerate(rounds):
        if number in by_round:
            return by_round[number]
        if visit.stop in looks(plan.duels) and may_stop(
            plan.until, up_to(visit.stop, results), numbers, plan.duels
        ):
            break
    return []


def up_to(stop: int, results: Mapping[DuelKey, Result]) -> list[Result]:
    """Give what came of the first duels of each pairing."""
    return [result for result in results.values() if result.number < stop]

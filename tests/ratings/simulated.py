"""Leagues of entrants whose true skills are known, played by drawing performances."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import comb, sqrt
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from referee.ratings.fitting import BETA, MEAN, Fit, fit
from referee.ratings.margins import against_field, margin_of, margins
from referee.ratings.methods import FIRST, LATEST, Method
from referee.ratings.pairs import PairCount
from referee.ratings.points import Margin
from referee.ratings.probit import Numbers, chance
from referee.ratings.results import Result
from referee.ratings.standings import Standing, standings
from referee.ratings.stopping import (
    By,
    Neighbours,
    Until,
    enough,
    looks,
    needed_pairings,
    neighbours,
    order_of,
)
from referee.ratings.suspension import Stage

WIDTH = 1.959963984540054
DRAWN = (0.1, 0.35, 0.6)
"""How often equals draw, in one league after the other."""
_QUANTILE = {0.1: 0.12566, 0.35: 0.45376, 0.6: 0.84162}


class Covered(NamedTuple):
    """Which part of the 95 % intervals held the truth."""

    skills: float
    """Of those of single skills, from the mean of all."""
    neighbours: float
    """Of those of differences between neighbours in the table as fitted."""
    true_neighbours: float
    """The same for neighbours by true skill."""


def margin(drawn: float) -> float:
    """Return how far two performances may differ and still be a draw."""
    return _QUANTILE[drawn] * sqrt(2) * BETA


def played(
    random: Generator, skills: Sequence[float], drawn: float, duels: int
) -> Mapping[tuple[int, int], PairCount]:
    """Play so many duels a pair; entrants are numbered from 1."""
    pairs = {}
    for one, other in combinations(range(len(skills)), 2):
        performed = (
            random.normal(skills[one], BETA, duels),
            random.normal(skills[other], BETA, duels),
        )
        ahead = performed[0] - performed[1]
        won, lost = int((ahead > margin(drawn)).sum()), int((ahead < -margin(drawn)).sum())
        pairs[one + 1, other + 1] = PairCount(won, duels - won - lost, lost)
    return pairs


def as_results(pairs: Mapping[tuple[int, int], PairCount]) -> Iterator[Result]:
    """Return the same as single duels."""
    for (first, second), (won, drawn, lost) in pairs.items():
        for number, wins in enumerate([2] * won + [1] * drawn + [0] * lost):
            yield Result(first, second, number, wins, float(wins - 1), 20, (0, 0))


def coverage(entrants: int, spread: float, duels: int, leagues: int, seed: int) -> Covered:
    """Play leagues and count; skills are drawn about the prior's mean."""
    random = np.random.default_rng(seed)
    held = []
    for league in range(leagues):
        skills = random.normal(MEAN, spread, entrants).tolist()
        found = fit(range(1, entrants + 1), played(random, skills, DRAWN[league % 3], duels))
        held.append(_held(found, np.array(skills)))
    return Covered(*np.mean(held, axis=0).tolist())


def _held(found: Fit, skills: Numbers) -> tuple[float, float, float]:
    ratings = [found.rating(entrant) for entrant in found.places]
    means, spreads = np.array(ratings).T
    strays = (means - MEAN - (skills - skills.mean())) / spreads
    return (
        float((np.abs(strays) < WIDTH).mean()),
        _between(found, skills, np.argsort(-means)),
        _between(found, skills, np.argsort(-skills)),
    )


def _between(found: Fit, skills: Numbers, order: NDArray[np.intp]) -> float:
    covariance, fitted = np.array(found.covariance), np.array(found.skills)
    one, other = order[:-1], order[1:]
    variances = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    strays = (fitted[one] - fitted[other] - skills[one] + skills[other]) / np.sqrt(variances)
    return float((np.abs(strays) < WIDTH).mean())


def sums(random: Generator, edge: float, duels: int) -> list[tuple[float, int]]:
    """Play duels hand by hand, both rooms with the same luck; give what A won, over how many hands.

    A match ends at ten points, so how long it is depends on how it goes.
    """
    shape = duels, 20
    luck = random.normal(size=shape)
    rooms = [_room(random, luck + side * edge) for side in (1, -1)]
    hands = np.minimum(*(_length(room) for room in rooms))
    ours = (rooms[0] - rooms[1]) / 2
    totals = np.where(np.arange(shape[1]) < hands[:, None], ours, 0).sum(axis=1)
    return list(zip(totals.tolist(), map(int, hands.tolist()), strict=True))


def worth(edge: float) -> float:
    """Return what A truly wins a hand: by Wald's identity it does not matter when matches end."""
    return 1.35 * (2 * chance(edge / sqrt(2)) - 1)


def _room(random: Generator, strength: Numbers) -> Numbers:
    won = strength + random.normal(size=strength.shape) > 0
    points = random.choice([1, 2, 4], size=strength.shape, p=[0.75, 0.2, 0.05])
    return np.where(won, points, -points)


def _length(room: Numbers) -> Numbers:
    ours, theirs = np.maximum(room, 0).cumsum(axis=1), np.maximum(-room, 0).cumsum(axis=1)
    length: Numbers = 1 + (np.maximum(ours, theirs) < 10).sum(axis=1)
    return length


def margins_covered(
    duels: int, samples: int, seed: int, edge: float = 0.2, method: Method = LATEST
) -> float:
    """Say which part of the intervals of points per hand held the truth."""
    random = np.random.default_rng(seed)
    held = 0
    for _ in range(samples):
        found = margin_of(sums(random, edge, duels), method=method)
        held += _holds(found, worth(edge))
    return held / samples


def field_covered(entrants: int, duels: int, samples: int, seed: int) -> float:
    """Say the same of points per hand against the field."""
    random = np.random.default_rng(seed)
    held = 0
    for _ in range(samples):
        edges = random.normal(0, 0.3, entrants - 1).tolist()
        found = against_field([margin_of(sums(random, edge, duels)) for edge in edges])
        held += _holds(found, sum(map(worth, edges)) / len(edges))
    return held / samples


def visits_covered(duels: int, leagues: int, seed: int, visit: int = 4) -> float:
    """Say which part of the intervals of points hold where a bot is better or worse by the visit.

    Of four entrants as good as each other, so that what is true does not depend on how hands go.
    """
    random = np.random.default_rng(seed)
    held = []
    for _ in range(leagues):
        results = [
            Result(one, two, first + number, 1, total, hands, (0, 0))
            for one, two in combinations(range(1, 5), 2)
            for first in range(0, duels, visit)
            for number, (total, hands) in enumerate(sums(random, random.normal(0, 0.15), visit))
        ]
        held += [_holds(found, 0.0) for found in margins(results).values()]
    return float(np.mean(held))


def _holds(found: Margin, truth: float) -> bool:
    assert found.mean is not None
    assert found.plus_or_minus is not None
    return abs(found.mean - truth) < found.plus_or_minus


UNTIL: dict[By, Until] = {"rating": Until(0.95, "rating"), "points": Until(0.95, "points")}


def false_alarms(
    by: By, skills: Sequence[float], duels: int, leagues: int, seed: int, top: int | None = None
) -> tuple[float, float]:
    """Say how often any equal neighbours were told apart, and how often a league stopped early."""
    random = np.random.default_rng(seed)
    alarms = stops = 0
    needed = enough(UNTIL[by]._replace(top=top), len(skills), duels)
    for league in range(leagues):
        results = _PLAY[by](random, skills, duels, DRAWN[league % 3])
        told: list[list[Neighbours]] = []
        for look in looks(duels):
            so_far = [result for result in results if result.number < look]
            told.append(neighbours(by, range(1, len(skills) + 1), so_far)[:top])
        alarms += any(
            two.better > needed and skills[two.upper - 1] == skills[two.lower - 1]
            for look in told
            for two in look
        )
        stops += any(all(two.better > needed for two in look) for look in told[:-1])
    return alarms / leagues, stops / leagues


def _by_performance(
    random: Generator, skills: Sequence[float], duels: int, drawn: float
) -> list[Result]:
    results = []
    for one, other in combinations(range(len(skills)), 2):
        ahead = skills[one] - skills[other] + random.normal(0, sqrt(2) * BETA, duels)
        wins = 1 + (ahead > margin(drawn)).astype(int) - (ahead < -margin(drawn))
        results += [
            Result(one + 1, other + 1, number, won, 0.0, 0, (0, 0))
            for number, won in enumerate(wins.tolist())
        ]
    return results


def _by_hands(random: Generator, skills: Sequence[float], duels: int, _: float) -> list[Result]:
    results = []
    for one, other in combinations(range(len(skills)), 2):
        found = sums(random, (skills[one] - skills[other]) / 10, duels)
        results += [
            Result(one + 1, other + 1, number, 1, total, hands, (0, 0))
            for number, (total, hands) in enumerate(found)
        ]
    return results


_PLAY = {"rating": _by_performance, "points": _by_hands}


Drawn = tuple[Sequence[Result], Sequence[float]]
"""The duels of a league, and the true skills of its entrants."""


class Judged(NamedTuple):
    """How true the tables of many leagues are."""

    covered: float
    """Which part of the 95 % intervals of ratings hold the truth."""
    said: float
    """How likely it is that each entrant is better than the next, as the tables say, on average."""
    true: float
    """How often it is."""


class Field(NamedTuple):
    """Leagues that are alike."""

    skills: Callable[[Generator], Sequence[float]]
    depends: float = 0.0
    """Which part of the luck is the same in all duels of a visit."""
    visit: int = 8


def judge_field(field: Field, duels: int, leagues: int, seed: int, method: Method) -> Judged:
    """Play leagues of a field by drawing performances."""
    random = np.random.default_rng(seed)
    judged = []
    for league in range(leagues):
        skills = np.array(field.skills(random))
        results = _in_visits(random, field, skills, DRAWN[league % 3], duels)
        judged.append(judge(results, skills, method))
    return Judged(*np.mean(judged, axis=0).tolist())


def judge(results: Sequence[Result], skills: Numbers, method: Method) -> Judged:
    """Compare the table of a league with the true skills; entrants are numbered from 1."""
    rows = standings(range(1, len(skills) + 1), results, method=method).rows
    truth = dict(enumerate((skills - skills.mean() + MEAN).tolist(), start=1))
    covered = [_inside(row, truth[row.entrant], method) for row in rows]
    said = [row.better_than_next for row in rows if row.better_than_next is not None]
    true = [truth[one.entrant] > truth[two.entrant] for one, two in pairwise(rows)]
    return Judged(float(np.mean(covered)), float(np.mean(said)), float(np.mean(true)))


def _inside(row: Standing, truth: float, method: Method) -> bool:
    """The first release had no intervals but 1.96 standard errors to either side."""
    if method == FIRST:
        return abs(row.rating.mean - truth) < WIDTH * row.rating.spread
    low, high = row.interval
    return (low is None or low < truth) and (high is None or truth < high)


def _in_visits(
    random: Generator, field: Field, skills: Numbers, drawn: float, duels: int
) -> list[Result]:
    results = []
    for one, other in combinations(range(len(skills)), 2):
        shared = np.repeat(random.normal(size=-(-duels // field.visit)), field.visit)
        luck = sqrt(field.depends) * shared[:duels]
        luck = luck + sqrt(1 - field.depends) * random.normal(size=duels)
        ahead = skills[one] - skills[other] + sqrt(2) * BETA * luck
        wins = 1 + (ahead > margin(drawn)).astype(int) - (ahead < -margin(drawn))
        results += [
            Result(one + 1, other + 1, number, won, 0.0, 0, (0, 0))
            for number, won in enumerate(wins.tolist())
        ]
    return results


class Adaptive(NamedTuple):
    """How leagues with adaptive rounds went."""

    alarms: float
    """In which part of them any two were told apart that are equal, or the other way round."""
    played: float
    """Which part of the duels was played."""
    judged: Judged
    """How true the tables were in the end."""


def adaptively(
    until: Until, league: Callable[[Generator], Drawn], duels: int, leagues: int, seed: int
) -> Adaptive:
    """Play leagues of which only those pairings play on that are needed."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(leagues):
        results, skills = league(random)
        entrants = range(1, len(skills) + 1)
        kept, alarm = _played_adaptively(until, results, skills, duels)
        judged = judge(kept, np.array(skills), until.method)
        share = len(kept) / (comb(len(entrants), 2) * duels)
        found.append((alarm, share, *judged))
    alarms, share, *rest = np.mean(found, axis=0).tolist()
    return Adaptive(alarms, share, Judged(*rest))


def _played_adaptively(
    until: Until, every: Sequence[Result], skills: Sequence[float], duels: int
) -> tuple[list[Result], bool]:
    """Return the duels that are played, of all that might be, and whether an alarm was false."""
    entrants = range(1, len(skills) + 1)
    needed = enough(until, len(entrants), duels)
    stage, kept, alarm = Stage(0, None), list[Result](), False
    for begin, look in pairwise((0, *looks(duels))):
        to_play = range(begin, look)
        kept += [r for r in every if r.number in to_play and stage.includes(r.first, r.second)]
        order = order_of(until.by, entrants, kept, until.method)
        alarm |= any(
            order.better(one, other) > needed and skills[one - 1] <= skills[other - 1]
            for one, other in [*pairwise(order.entrants)][: until.top]
        )
        stage = Stage(look, needed_pairings(until, order, duels))
        if stage.is_last:
            break
    return kept, alarm


def field_league(field: Field, duels: int) -> Callable[[Generator], Drawn]:
    """Return what draws a league of a field, by performances."""

    def drawn(random: Generator) -> Drawn:
        skills = field.skills(random)
        often = DRAWN[int(random.integers(len(DRAWN)))]
        return _in_visits(random, field, np.array(skills), often, duels), skills

    return drawn


def hands_league(skills: Sequence[float], duels: int) -> Callable[[Generator], Drawn]:
    """Return what draws a league hand by hand."""
    return lambda random: (_by_hands(random, skills, duels, 0.0), skills)

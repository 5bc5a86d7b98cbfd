"""Duels of example bots, played in this process, and leagues drawn from them.

Thousands of leagues of real play would take days. So each pairing is played a few hundred times,
and a league draws its duels from those, with replacement: what a pairing does on average is then
known.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from referee.engine.registry import preset
from referee.ratings.fitting import UNIT, highest_point, indexed
from referee.ratings.margins import margin_of
from referee.ratings.methods import Method
from referee.ratings.probit import Numbers
from referee.ratings.results import Result
from tests.examples_bots.duels import bot, duel
from tests.ratings.simulated import Drawn, Judged, judge
from upcard import Action, Bot, View

_STEADY: type[Bot] = bot("steady", "Steady")
_FLAT: float = 1e6
"""The variance of a prior that says nothing."""
_OFTEN = 1000.0
"""How many times what was played is taken to have happened, for the truth."""


class DuelScore(NamedTuple):
    """A duel: matches won, points, hands."""

    wins: int
    margin: float
    hands: int


Pool = dict[tuple[int, int], list[DuelScore]]


def noisy(share: float) -> type[Bot]:
    """Return steady that does anything at all at some of its decisions."""

    class Noisy(_STEADY):  # type: ignore[misc, valid-type]
        def choose(self, view: View, legal: tuple[Action, ...], /) -> Action:
            chosen: Action = self.random.choice(legal)
            if self.random.random() >= share:
                chosen = super().choose(view, legal)
            return chosen

    return Noisy


def steady_noisy_random() -> list[type[Bot]]:
    """Return who plays in everybody's first league."""
    return [_STEADY, noisy(0.1), bot("random", "Random")]


def near_clones() -> list[type[Bot]]:
    """Return two that decide alike 99 times of 100."""
    return [_STEADY, noisy(0.01)]


def play(bots: Sequence[type[Bot]], duels: int) -> Pool:
    """Play all pairings; entrants are numbered from 1."""
    game = preset("euchre").game()
    pool: Pool = {}
    for pair, ((first, one), (second, other)) in enumerate(
        combinations(enumerate(bots, start=1), 2)
    ):
        played = (duel(game, (one, other), number + pair * duels) for number in range(duels))
        pool[first, second] = [
            DuelScore(sum(each.matches), sum(map(sum, each.hands)) / 2, len(each.hands))
            for each in played
        ]
    return pool


def true_skills(pool: Pool) -> Numbers:
    """Return the skills to which the rating tends with ever more of such duels."""
    count = max(second for _, second in pool)
    rows = sorted(pool)
    wins = [[each.wins for each in pool[row]] for row in rows]
    counts = [[_OFTEN * each.count(won) for won in (2, 1, 0)] for each in wins]
    table = np.array([*counts, [1.0, 1.0, 1.0]])
    first, second = np.array([*(np.array(row) - 1 for row in rows), (count, count)]).T
    start = np.zeros(count + 2)
    start[-1] = 1.0
    point = highest_point(indexed(count + 1, first, second, table), start, _FLAT).point
    skills: Numbers = point[:count] * UNIT
    return skills


def judge_pool(pool: Pool, duels: int, leagues: int, seed: int, method: Method) -> Judged:
    """Draw leagues from what was played, and compare their tables with the truth."""
    random, skills = np.random.default_rng(seed), true_skills(pool)
    judged = [judge(_drawn(random, pool, duels), skills, method) for _ in range(leagues)]
    return Judged(*np.mean(judged, axis=0).tolist())


def drawn_league(pool: Pool, duels: int, random: Generator) -> Drawn:
    """Draw a league from what was played, with the true skills."""
    return _drawn(random, pool, duels), true_skills(pool).tolist()


def _drawn(random: Generator, pool: Pool, duels: int) -> list[Result]:
    return [
        Result(first, second, number, each.wins, each.margin, each.hands, (0, 0))
        for (first, second), played in pool.items()
        for number, which in enumerate(random.integers(0, len(played), duels).tolist())
        for each in [played[which]]
    ]


def points_covered(pool: Pool, duels: int, samples: int, seed: int, method: Method) -> float:
    """Return which part of the intervals of points a hand, of so many duels, hold the truth."""
    random = np.random.default_rng(seed)
    (played,) = pool.values()
    truth = sum(each.margin for each in played) / sum(each.hands for each in played)
    held = 0
    for _ in range(samples):
        found = margin_of(
            (played[which][1:] for which in random.integers(0, len(played), duels)), method=method
        )
        assert found.mean is not None
        assert found.plus_or_minus is not None
        held += abs(found.mean - truth) <= found.plus_or_minus
    return held / samples

"""How often `upcard compare` is wrong, and how many duels it takes against a test of fixed size.

Comparisons are simulated whose true difference is known. The duels are those of real play, drawn
with replacement: steady against one that does anything at all at three of a hundred decisions. How
often either does better is changed so that the difference is what it is to be; how many duels are
level is left as it was played.

The fixed-size test is a z-test of as many duels as find the least difference that matters as often
as the comparison does, and with the same error rate.
"""

import argparse
import sys
from collections import Counter
from math import sqrt
from random import Random
from statistics import NormalDist, mean
from typing import NamedTuple

from figures import Row, as_json, as_table
from real_play import noisy, play, steady_noisy_random

from referee.ratings.comparison import Answer, Comparison, Question, score
from referee.ratings.results import Result

ASKED = Question()
MOST = 2000
COMPARISONS = 2000
PLAYED = 300
"""Duels of real play."""
SEED = 5


class ComparisonOutcomes(NamedTuple):
    """What came of comparisons with one true difference."""

    duels: float
    """How many they took, on average."""
    answers: Counter[Answer | None]

    def share(self, *answers: Answer) -> float:
        """Return in which part of them one of these was the answer."""
        return sum(self.answers[each] for each in answers) / self.answers.total()


def decisive() -> float:
    """Return in which share of real duels of close bots one of them does better."""
    steady, *_ = steady_noisy_random()
    (played,) = play([steady, noisy(0.03)], PLAYED).values()
    scores = [score(Result(1, 2, 0, *each, (0, 0))) for each in played]
    return mean(map(abs, scores))


def judge(share: float, difference: float) -> ComparisonOutcomes:
    """Compare bots of a true difference, of whose duels so many are not level."""
    random = Random(f"{SEED} {difference}")
    better = (share + difference) / 2
    duels, answers = [], Counter[Answer | None]()
    for _ in range(COMPARISONS):
        comparison = Comparison(ASKED)
        for number in range(MOST):
            drawn = random.random()
            comparison.add(number, 1 if drawn < better else -1 if drawn < share else 0)
            if comparison.answer:
                break
        duels.append(comparison.tally.duels)
        answers[comparison.answer] += 1
    return ComparisonOutcomes(mean(duels), answers)


def fixed_size(share: float, power: float) -> float:
    """Return how many duels a test needs that is made once, to find what matters so often."""
    normal = NormalDist()
    errors = normal.inv_cdf(1 - ASKED.error / 2) + normal.inv_cdf(power)
    return (errors * sqrt(share - ASKED.difference**2) / ASKED.difference) ** 2


def measure() -> list[Row]:
    """Measure all of it."""
    share = decisive()
    equal, matters, double, four = (
        judge(share, times * ASKED.difference) for times in (0, 1, 2, 4)
    )
    # Of so few comparisons it is not known how much rarer than one of them a failure is.
    fixed = fixed_size(share, min(matters.share("better"), 1 - 1 / COMPARISONS))
    print(
        f"{share:.0%} of duels not level; duels: fixed {fixed:.0f}, equal {equal.duels:.0f}, "
        f"0.1 {matters.duels:.0f}, 0.2 {double.duels:.0f}, 0.4 {four.duels:.0f}",
        file=sys.stderr,
    )
    error = ASKED.error
    return [
        Row("equals told apart", equal.share("better", "worse"), "at_most", error),
        Row(
            "a difference that matters overlooked",
            matters.share("no difference", "worse"),
            "at_most",
            error,
        ),
        Row("equals found not to differ", equal.share("no difference"), "at_least", 0.9),
        Row("duels against the fixed-size test: equals", equal.duels / fixed, "at_most", 1.0),
        Row(
            "duels against the fixed-size test: the least difference that matters",
            matters.duels / fixed,
            "at_most",
            0.7,
        ),
        Row("duels against the fixed-size test: twice that", double.duels / fixed, "at_most", 0.25),
        Row(
            "duels against the fixed-size test: four times that", four.duels / fixed, "at_most", 0.1
        ),
    ]


def main() -> int:
    """Print the figures; return 1 if one misses its bound, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    rows = measure()
    print(as_json(rows) if options.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

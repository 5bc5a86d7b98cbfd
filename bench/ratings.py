"""What a table costs against the package's update, and how often tables say what is true.

The cost is that of 100,000 duels of 100 entrants, counting them included. The rest is simulation:
in leagues whose true skills are known, how many 95 % intervals hold them, and how often a league
that may stop early tells apart two that are equal.
"""

import argparse
import sys
from collections.abc import Callable
from itertools import combinations, islice
from math import sqrt
from statistics import median
from time import process_time

import numpy as np
from figures import Row, as_json, as_table
from trueskill import TrueSkill, rate_1vs1  # type: ignore[import-untyped]

from referee.ratings.fitting import BETA, MEAN, SPREAD, Fit, fit
from referee.ratings.pairs import count_pairs
from referee.ratings.results import Result
from referee.ratings.standings import standings
from tests.ratings.simulated import UNTIL, coverage, false_alarms, field_covered, margins_covered

ENTRANTS = 100
DUELS = 100_000
SAMPLE = 2_000
"""Duels the package is timed on; it takes as long for each."""
ROUNDS = 3
FEW = 10
"""Duels a pair, where it is about whether intervals hold the truth."""
LEAGUES = 500
LONGEST = 128
"""Duels a pair, where it is about stopping before that."""
ALIKE = [25.0] * 8
PAIRS_FAR_APART = [skill for skill in (5.0, 15.0, 25.0, 35.0) for _ in range(2)]


def league() -> list[Result]:
    """Play a round-robin, as far as it goes."""
    random = np.random.default_rng(1)
    skills = random.normal(MEAN, 3, ENTRANTS + 1)
    pairs = list(combinations(range(1, ENTRANTS + 1), 2))
    keys = ((number, *pair) for number in range(DUELS // len(pairs) + 1) for pair in pairs)
    results = []
    for (number, first, second), noise in zip(
        islice(keys, DUELS), random.normal(0, sqrt(2) * BETA, DUELS), strict=True
    ):
        ahead = skills[first] - skills[second] + noise
        wins = 1 + int(ahead > 3) - int(ahead < -3)
        margin = float(round(ahead * 2)) / 2
        results.append(Result(first, second, number, wins, margin, 20, (0, 0)))
    return results


def table(results: list[Result]) -> Fit:
    """Make the table alone."""
    return fit(range(1, ENTRANTS + 1), count_pairs(results))


def everything(results: list[Result]) -> object:
    """Make the table and the crosstable, with the ratings of both kinds and points."""
    return standings(range(1, ENTRANTS + 1), results)


def by_package(results: list[Result]) -> object:
    """Rate some of the duels with the package, one after the other."""
    package = TrueSkill(MEAN, SPREAD, BETA, 0.0, 0.4)
    ratings = {entrant: package.create_rating() for entrant in range(1, ENTRANTS + 1)}
    for first, second, _, wins, *_ in results[:SAMPLE]:
        one, two = (second, first) if wins == 0 else (first, second)
        ratings[one], ratings[two] = rate_1vs1(
            ratings[one], ratings[two], drawn=wins == 1, env=package
        )
    return ratings


def seconds(work: Callable[[list[Result]], object], results: list[Result]) -> float:
    """Give the processor time it takes."""
    start = process_time()
    work(results)
    return process_time() - start


def measure_speed() -> list[Row]:
    """Time all three, one right after the other."""
    results = league()
    taken = []
    for _ in range(ROUNDS):
        packaged = seconds(by_package, results) * DUELS / SAMPLE
        taken.append((packaged, seconds(table, results), seconds(everything, results)))
    packaged, fitted, whole = (median(column) for column in zip(*taken, strict=True))
    print(
        f"package {packaged:.2f} s, table {fitted:.3f} s, everything {whole:.2f} s",
        file=sys.stderr,
    )
    return [
        Row("seconds of the table of 100,000 duels of 100 entrants", fitted, "at_most", 1.0),
        Row(
            "duels a second into the table, against the package", packaged / fitted, "at_least", 20
        ),
        Row("duels a second into all tables, against the package", packaged / whole, "at_least", 5),
    ]


def measure_coverage() -> list[Row]:
    """Count intervals that hold the truth, of ratings and of points."""
    rows = []
    for entrants in (8, 20):
        for spread in (2.0, SPREAD):
            found = coverage(entrants, spread, FEW, LEAGUES, 2)
            league = f"{entrants} entrants, skills spread by {spread:.1f}"
            rows += [
                _off(f"skills, {league}", found.skills),
                _off(f"neighbours in the table, {league}", found.neighbours),
                _off(f"true neighbours, {league}", found.true_neighbours),
            ]
    for duels in (3, FEW, 40):
        rows.append(_off(f"points per hand, {duels} duels", margins_covered(duels, 4000, 2)))
    rows.append(_off("points against the field of 7", field_covered(8, FEW, 2000, 2)))
    return rows


def _off(name: str, covered: float) -> Row:
    print(f"{covered:.1%} of 95 % intervals hold: {name}", file=sys.stderr)
    return Row(f"coverage less 95 %: {name}", abs(covered - 0.95), "at_most", 0.02)


def measure_stopping() -> list[Row]:
    """Count leagues in which two equals were told apart at any look."""
    return [
        Row(
            f"false alarms by {by}: {name}",
            false_alarms(by, skills, LONGEST, leagues, 2)[0],
            "at_most",
            0.05,
        )
        for by in UNTIL
        for name, skills, leagues in (
            ("two equals", [MEAN, MEAN], 2000),
            ("eight equals", ALIKE, 300),
            ("four pairs of equals", PAIRS_FAR_APART, 600),
        )
    ]


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure what ratings cost and whether they hold.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--speed", action="store_true", help="measure only what they cost")
    wanted = parser.parse_args()
    rows = measure_speed()
    if not wanted.speed:
        rows += measure_coverage() + measure_stopping()
    print(as_json(rows) if wanted.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

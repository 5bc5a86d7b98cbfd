"""What a table costs against the package's update, and how often tables say what is true.

The cost is that of 100,000 duels of 100 entrants, counting them included. The rest is simulation:
in leagues whose true skills are known, how many 95 % intervals hold them, and how often a league
that may stop early tells apart two that are equal.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, islice
from math import sqrt
from statistics import median
from time import process_time

import numpy as np
from figures import Row, as_json, as_table
from numpy.random import Generator
from real_play import (
    drawn_league,
    judge_pool,
    near_clones,
    play,
    points_covered,
    steady_noisy_random,
)
from trueskill import TrueSkill, rate_1vs1  # type: ignore[import-untyped]

from referee.ratings.fitting import BETA, MEAN, SPREAD, Fit, fit
from referee.ratings.methods import FIRST, LATEST, Method
from referee.ratings.pairs import count_pairs
from referee.ratings.results import Result
from referee.ratings.standings import standings
from referee.ratings.stopping import Until
from tests.ratings.simulated import (
    UNTIL,
    Drawn,
    Field,
    Judged,
    adaptively,
    coverage,
    false_alarms,
    field_covered,
    field_league,
    hands_league,
    judge_field,
    margins_covered,
    visits_covered,
)

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
    """Return the processor time it takes."""
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


FAR_WORSE = "two good ones and one far worse"
"""How much worse, few duels cannot say, so it rests on the prior and is nearly always inside."""


def spread(width: float) -> Callable[[Generator], Sequence[float]]:
    """Draw the skills of six."""
    return lambda random: random.normal(MEAN, width, 6).tolist()


FIELDS = {
    "six near-equal entrants": Field(spread(0.7)),
    "six entrants spread by 15": Field(spread(15.0)),
    FAR_WORSE: Field(lambda _: [25.0, 24.0, 3.0]),
    "six, a fifth of the luck the same in each 4 duels": Field(spread(2.0), 0.2, 4),
    "six, a tenth of the luck the same in each 8 duels": Field(spread(2.0), 0.1, 8),
}
TRIES = 100
ENOUGH = 24
"""Duels a pair from which on a table has to be right about who is better, not only modest."""
ADAPTIVE_FIELDS = ("six near-equal entrants", "six entrants spread by 15", FAR_WORSE)
ADAPTIVE_LEAGUES = 100
DUELS_A_PAIR = (8, 24, 100)
REAL = 400
"""Duels a pair that are played, of which leagues are drawn."""


def measure_fields() -> list[Row]:
    """Count intervals that hold the truth where the field is not as the model takes it."""
    rows = []
    for duels in DUELS_A_PAIR:
        for name, field in FIELDS.items():
            if field.depends and field.visit >= duels:
                continue  # One visit a pair: nothing shows how much its duels depend on each other.
            league = partial(judge_field, field, duels, TRIES, 5)
            rows += _judged(f"{name}, {duels} duels", duels, league)
    for duels in (24, 100):
        name = f"points a hand, luck that lasts for 4 duels, {duels} duels"
        covered = visits_covered(duels, TRIES, 5)
        print(f"{covered:.1%} of 95 % intervals hold: {name}", file=sys.stderr)
        rows.append(_near_95(name, covered))
    return rows


def measure_real_play() -> list[Row]:
    """Count the same of real play of example bots, and intervals of points a hand."""
    rows = []
    pool = play(steady_noisy_random(), REAL)
    for duels in DUELS_A_PAIR:
        rows += _judged(
            f"steady, noisy and random, {duels} duels",
            duels,
            partial(judge_pool, pool, duels, TRIES, 5),
        )
    league = partial(drawn_league, pool, LONGEST)
    rows += _adaptive("steady, noisy and random", UNTIL["rating"], league, ADAPTIVE_LEAGUES)
    clones = play(near_clones(), REAL)
    for duels in (2, 4, 8):
        before, now = (points_covered(clones, duels, 2000, 5, m) for m in (FIRST, LATEST))
        print(f"{before:.1%}, now {now:.1%}: points of near-clones, {duels} duels", file=sys.stderr)
        rows.append(Row(f"points of near-clones, {duels} duels", now, "at_least", 0.92))
    return rows


def _near_95(name: str, covered: float) -> Row:
    if name.startswith(FAR_WORSE):
        return Row(f"intervals that hold: {name}", covered, "at_least", 0.92)
    return Row(f"coverage less 95 %: {name}", abs(covered - 0.95), "at_most", 0.03)


def _judged(name: str, duels: int, leagues: Callable[[Method], Judged]) -> list[Row]:
    """Say how it was in the first release, and how it is."""
    before, now = leagues(FIRST), leagues(LATEST)
    print(
        f"{before.covered:.1%}, now {now.covered:.1%} of 95 % intervals hold; better than the next "
        f"said {before.said:.2f} where {before.true:.2f} was true, now {now.said:.2f} and "
        f"{now.true:.2f}: {name}",
        file=sys.stderr,
    )
    return [
        _near_95(name, now.covered),
        _calibrated(name, duels, now),
    ]


def _calibrated(name: str, duels: int, found: Judged) -> Row:
    """Bound how far *better than the next* is off; after few duels, only how much too sure."""
    off = found.said - found.true
    if duels < ENOUGH:
        return Row(f"too sure of better than the next: {name}", off, "at_most", 0.1)
    return Row(f"better than the next is off by: {name}", abs(off), "at_most", 0.05)


def measure_stopping() -> list[Row]:
    """Count leagues in which two equals were told apart at any look."""
    return [
        Row(
            f"false alarms by {by}: {name}",
            false_alarms(by, skills, LONGEST, leagues, 2, top)[0],
            "at_most",
            0.05,
        )
        for by in UNTIL
        for name, skills, leagues, top in (
            ("two equals", [MEAN, MEAN], 2000, None),
            ("eight equals", ALIKE, 300, None),
            ("eight equals, the first place", ALIKE, 300, 1),
            ("four pairs of equals", PAIRS_FAR_APART, 600, None),
            ("four pairs of equals, the first place", PAIRS_FAR_APART, 600, 1),
        )
    ]


def measure_adaptive() -> list[Row]:
    """Count duels, false alarms and true intervals in leagues with adaptive rounds."""
    rows = []
    for name in ADAPTIVE_FIELDS:
        league = field_league(FIELDS[name], LONGEST)
        rows += _adaptive(name, UNTIL["rating"], league, ADAPTIVE_LEAGUES)
    for name, skills, top in (
        ("two equals", [MEAN, MEAN], None),
        ("eight equals", ALIKE, None),
        ("eight equals, the first place", ALIKE, 1),
        ("four pairs of equals", PAIRS_FAR_APART, None),
        ("four pairs of equals, the first place", PAIRS_FAR_APART, 1),
    ):
        until, league = UNTIL["rating"]._replace(top=top), field_league(always(skills), LONGEST)
        rows += _adaptive(name, until, league, 2 * ADAPTIVE_LEAGUES)[:1]
    league = hands_league(PAIRS_FAR_APART, LONGEST)
    name = "four pairs of equals, by points"
    return rows + _adaptive(name, UNTIL["points"], league, 2 * ADAPTIVE_LEAGUES)[:1]


def always(skills: Sequence[float]) -> Field:
    """Return the field of these skills."""
    return Field(lambda _: skills)


def _adaptive(
    name: str, until: Until, league: Callable[[Generator], Drawn], leagues: int
) -> list[Row]:
    """Play leagues in which only those pairs play on that are needed."""
    found = adaptively(until._replace(adaptive=True), league, LONGEST, leagues, 5)
    judged = found.judged
    print(
        f"adaptive rounds: {found.alarms:.1%} false alarms, {found.played:.1%} of duels played, "
        f"{judged.covered:.1%} of 95 % intervals hold, better than the next said {judged.said:.2f} "
        f"where {judged.true:.2f} was true: {name}",
        file=sys.stderr,
    )
    return [
        Row(f"false alarms with adaptive rounds: {name}", found.alarms, "at_most", 0.05),
        Row(f"part of the duels with adaptive rounds: {name}", found.played, "at_most", 0.5),
        # Who is told apart after eight duels has as wide an interval as those leave it.
        Row(f"intervals that hold with adaptive rounds: {name}", judged.covered, "at_least", 0.92),
        _calibrated(f"{name}, adaptive rounds", LONGEST, judged),
    ]


def main() -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Measure what ratings cost and whether they hold.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--speed", action="store_true", help="measure only what they cost")
    parser.add_argument("--fields", action="store_true", help="measure only leagues like real ones")
    parser.add_argument("--adaptive", action="store_true", help="measure only adaptive rounds")
    wanted = parser.parse_args()
    rows = [] if wanted.fields or wanted.adaptive else measure_speed()
    if wanted.fields:
        rows += measure_fields() + measure_real_play()
    elif wanted.adaptive:
        rows += measure_adaptive()
    elif not wanted.speed:
        rows += measure_coverage() + measure_stopping() + measure_adaptive()
        rows += measure_fields() + measure_real_play()
    print(as_json(rows) if wanted.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""How well a ladder's pairs find out who is better, in fields drawn at random.

Bots play rounds of one duel each, and are rated by the league's own fit. Three ways to pair are
compared, on the same strengths: a ladder's own, in which every other round takes the nearest of
those who have met least; rounds that all take those who met least, at random; and rounds that all
take the nearest. What counts is how far the score that the ratings expect of a bot against the
whole field is from the true one: the root of the mean square over all bots.

Fields are *wide*, as where beginners meet experts; *close*, where skill hardly matters; and
*intransitive*, where who beats whom depends on a style besides.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np
from figures import Row, as_json, as_table
from numpy.typing import NDArray

from referee.ratings.fitting import MEAN, UNIT, Fit, fit
from referee.ratings.pairs import PairCount
from referee.ratings.probit import chance
from referee.scheduling.keys import pairing
from referee.scheduling.ladder import Contender, pair_round
from referee.scheduling.rounds import Pair

Numbers = NDArray[np.float64]

BOTS: Final = 60
ROUNDS: Final = 30
REPEATS: Final = 12
MARGIN: Final = 0.5
"""How close two performances are in a draw, in units of the noise."""
FIELDS: Final[Mapping[str, tuple[float, float]]] = {
    "wide": (1.5, 0.0),
    "intransitive": (0.7, 0.7),
    "close": (0.2, 0.0),
}
"""How far skills spread, and how much style matters, in units of the noise."""
OWN, LEAST, NEAREST = "every other round the nearest", "least met", "nearest"
AT_MOST: Final = 1.15


class LadderField(NamedTuple):
    """Who beats whom how often."""

    leads: Numbers
    """By how much each bot is better against each other, in units of the noise."""

    def score(self) -> Numbers:
        """Return the share that each wins against the whole field; a draw is half."""
        wins = _chances(self.leads - MARGIN)
        found: Numbers = (wins + 1 - wins.T) / 2
        np.fill_diagonal(found, 0)
        share: Numbers = found.sum(axis=1) / (len(found) - 1)
        return share


def _chances(leads: Numbers) -> Numbers:
    found: Numbers = np.vectorize(chance)(leads)
    return found


def drawn_field(spread: float, style: float, rng: np.random.Generator) -> LadderField:
    """Draw a field; a style is a direction, and beats those a quarter turn further."""
    skills, turn = rng.normal(0, spread, BOTS), rng.uniform(0, 2 * np.pi, BOTS)
    return LadderField(skills[:, None] - skills + style * np.sin(turn[:, None] - turn))


Way = Callable[[Sequence[Contender], Mapping[frozenset[int], int], int, bytes], list[Pair]]


def least(
    field: Sequence[Contender], met: Mapping[frozenset[int], int], number: int, seed: bytes
) -> list[Pair]:
    """Pair those who met least, at random."""
    return pair_round(field, met, 2 * number, seed)


def nearest(
    field: Sequence[Contender], met: Mapping[frozenset[int], int], number: int, seed: bytes
) -> list[Pair]:
    """Pair the nearest, however often they have met."""
    del met, number
    return pair_round(field, {}, 1, seed)


WAYS: Final[Mapping[str, Way]] = {OWN: pair_round, LEAST: least, NEAREST: nearest}


def error(field: LadderField, way: Way, rng: np.random.Generator) -> float:
    """Play all rounds, and return how far the expected scores are from the true ones."""
    played: dict[Pair, Counter[int]] = {}
    met: Counter[frozenset[int]] = Counter()
    ratings = dict.fromkeys(range(1, BOTS + 1), MEAN)
    for number in range(ROUNDS):
        contenders = [Contender(each, each, ratings[each], number) for each in ratings]
        for pair in way(contenders, met, number, bytes([number])):
            first, second = pairing(*pair)
            lead = field.leads[first - 1, second - 1] + rng.normal()
            outcome = 0 if lead > MARGIN else 2 if lead < -MARGIN else 1
            played.setdefault((first, second), Counter())[outcome] += 1
            met[frozenset(pair)] += 1
        found = _fitted(played)
        ratings = {each: found.rating(each).mean for each in ratings}
    expected = found.chances_in_field([*ratings])
    scores = np.array([expected[each].match for each in ratings])
    return float(np.sqrt(np.mean((scores - field.score()) ** 2)))


def _fitted(played: Mapping[Pair, Counter[int]]) -> Fit:
    pairs = {pair: PairCount(*(each[kind] for kind in range(3))) for pair, each in played.items()}
    return fit(range(1, BOTS + 1), pairs)


def errors(spread: float, style: float, repeats: int, seed: int) -> dict[str, float]:
    """Return the error of each way to pair, over fields that are the same for all."""
    found: dict[str, list[float]] = {name: [] for name in WAYS}
    for repeat in range(repeats):
        field = drawn_field(spread, style, np.random.default_rng((seed, repeat)))
        for name, way in WAYS.items():
            found[name].append(error(field, way, np.random.default_rng((seed, repeat, 1))) ** 2)
    return {name: sqrt(fmean(each)) for name, each in found.items()}


def measure(repeats: int, seed: int) -> list[Row]:
    """Compare the ways in each field."""
    rows = []
    for name, (spread, style) in FIELDS.items():
        found = errors(spread, style, repeats, seed)
        shown = ", ".join(f"{way} {100 * each:.1f}" for way, each in found.items())
        print(f"{name} (spread {UNIT * spread:.1f}): {shown} points", file=sys.stderr, flush=True)
        best = min(found.values())
        what = f"error of a ladder, {name}, against the best way"
        rows.append(Row(what, found[OWN] / best, "at_most", AT_MOST))
    return rows


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description="Measure how a ladder pairs its bots.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="fields of each kind")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rows = measure(asked.repeats, asked.seed)
    print(as_json(rows) if asked.json else as_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""How much a match says of who is better in a game of many sides, by how entrants are seated.

Strengths are drawn at random. In a match each side performs as well as its entrant is strong, plus
the luck of the deal at that side, which is the same whenever that deal is played, plus chance;
sides finish in the order of that. The same number of matches is spent on each way to rate:

- *duels*: two entrants over all seatings of the same deals, as a league plays. The duel is won,
  drawn or lost by the finishing order of all pairs of sides, and rated by the league's own fit.
- *points*: the same duels, rated by how often more a side of one finished before one of the other.
- *Plackett-Luce*: as many entrants as there are sides, drawn at random, who move around the sides
  so that each sits everywhere once on the same deal; rated by fitting that model to the orders.
- *pairs*: the same matches, each two entrants of one counted as a duel, rated by the league's fit.

What is compared is how many pairs of entrants the ratings put in the right order, and how many
times as many matches the others need to be as right as duels are. Where the league's fit calls a
pair sure to 95 %, it is counted how often that is wrong. Then some entrants help those at the
table who are of their kin, by a fixed part of an opponent's strength for each side that helps.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Final, NamedTuple

import numpy as np
from figures import Row, as_json, as_table
from numpy.typing import NDArray

from referee.engine.seating import rooms_of_sides
from referee.ratings.fitting import Fit, fit
from referee.ratings.pairs import PairCount

Numbers = NDArray[np.float64]
Orders = NDArray[np.intp]

SIDES: Final = (3, 4, 5)
ENTRANTS: Final = 10
DEALS: Final = 4
"""For each pairing; what that takes in matches is what the others get, too."""
TIMES: Final = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)
"""How many matches the others get, in parts of that."""
REPEATS: Final = 200
LUCK: Final = 2.0
"""The spread of the luck of the deal; that of strengths is 1, and so is that of chance."""
HELP: Final = 0.5
"""What a side that is helped against performs worse by, for each other side that helps."""
SURE: Final = 0.95
DUELS, POINTS, ORDERS, PAIRS = "duels", "points", "Plackett-Luce", "pairs"
_STEPS: Final = 60


class World(NamedTuple):
    """Who plays how well, and who helps whom."""

    strengths: Numbers
    kin: Mapping[int, int]
    """By entrant, what family it is of; sides of one help each other, and those of none nobody."""


def performed(world: World, seated: Orders, luck: Numbers, rng: np.random.Generator) -> Numbers:
    """Return how well each side does in matches: a row for each, a column for each side."""
    found = world.strengths[seated] + luck + rng.normal(size=seated.shape)
    for family in set(world.kin.values()):
        of_it = np.isin(seated, [each for each, own in world.kin.items() if own == family])
        helpers = of_it.sum(axis=1, keepdims=True)
        found -= HELP * np.where(of_it, 0, np.maximum(helpers - 1, 0))
    return found


# Two entrants over all seatings


class Rated(NamedTuple):
    """What ratings say."""

    places: Numbers
    """Of each entrant; the higher the better."""
    fitted: Fit | None = None
    """What says how sure they are, if anything does."""

    def sure(self) -> list[tuple[int, int]]:
        """Return the pairs of which the first is better, to 95 %."""
        pairs = permutations(range(ENTRANTS), 2) if self.fitted else ()
        return [pair for pair in pairs if self.fitted and self.fitted.better(*pair) > SURE]


class PlayedPairings(NamedTuple):
    """The duels of every pairing."""

    counts: Mapping[tuple[int, int], PairCount]
    leads: Mapping[tuple[int, int], float]
    """How often more a side of one finished before one of the other, on average over duels."""


def duels(world: World, sides: int, deals: int, rng: np.random.Generator) -> PlayedPairings:
    """Play the duels of every pairing."""
    seatings = np.array(rooms_of_sides(sides))
    counts, leads = {}, {}
    for pair in combinations(range(ENTRANTS), 2):
        seated = np.array(pair)[np.tile(seatings, (deals, 1))]
        luck = LUCK * np.repeat(rng.normal(size=(deals, sides)), len(seatings), axis=0)
        done = performed(world, seated, luck, rng)
        ours = np.tile(seatings, (deals, 1)) == 0
        ahead = np.sign(done[:, :, None] - done[:, None, :])
        lead = (ahead * (ours[:, :, None] & ~ours[:, None, :])).sum(axis=(1, 2))
        ends = lead.reshape(deals, -1).sum(axis=1)
        counts[pair] = PairCount(*(int((np.sign(ends) == end).sum()) for end in (1, 0, -1)))
        leads[pair] = float(ends.mean())
    return PlayedPairings(counts, leads)


def matches_of(sides: int, deals: int) -> int:
    """Return how many matches that takes."""
    return deals * len(rooms_of_sides(sides)) * ENTRANTS * (ENTRANTS - 1) // 2


def fitted(counts: Mapping[tuple[int, int], PairCount]) -> Rated:
    """Rate entrants as a league does."""
    found = fit(range(ENTRANTS), counts)
    return Rated(np.array([found.ratings[entrant].mean for entrant in range(ENTRANTS)]), found)


def by_points(leads: Mapping[tuple[int, int], float]) -> Rated:
    """Rate entrants by their leads against all others, each weighing alike."""
    places = np.zeros(ENTRANTS)
    for (first, second), lead in leads.items():
        places[first] += lead
        places[second] -= lead
    return Rated(places)


# As many entrants as sides


def orders(world: World, sides: int, matches: int, rng: np.random.Generator) -> Orders:
    """Play matches of entrants who move around the sides; return each from first to last."""
    deals = matches // sides
    drawn = rng.permuted(np.tile(np.arange(ENTRANTS), (deals, 1)), axis=1)[:, :sides]
    turns = (np.arange(sides)[:, None] + np.arange(sides)) % sides
    seated = drawn[:, turns].reshape(-1, sides)
    luck = LUCK * np.repeat(rng.normal(size=(deals, sides)), sides, axis=0)
    done = performed(world, seated, luck, rng)
    return np.take_along_axis(seated, np.argsort(-done, axis=1), axis=1)


def plackett_luce(found: Orders) -> Rated:
    """Fit the model's strengths by minorization and maximization, as Hunter (2004) does.

    Everybody also wins and loses once against nobody, or who always wins would have no strength.
    """
    sides = found.shape[1]
    better = np.bincount(found[:, :-1].ravel(), minlength=ENTRANTS) + 1.0
    worth = np.ones(ENTRANTS)
    for _ in range(_STEPS):
        left = np.cumsum(worth[found][:, ::-1], axis=1)[:, ::-1][:, : sides - 1]
        shares = np.cumsum(1 / left, axis=1)
        shares = np.concatenate([shares, shares[:, -1:]], axis=1)
        asked = np.bincount(found.ravel(), shares.ravel(), ENTRANTS) + 2 / (worth + 1)
        worth = better / asked
        worth /= np.exp(np.log(worth).mean())
    return Rated(np.log(worth))


def in_pairs(found: Orders) -> Rated:
    """Count each two entrants of a match as a duel that one of them won."""
    won: Counter[tuple[int, int]] = Counter()
    for first, second in combinations(range(found.shape[1]), 2):
        won.update(zip(found[:, first].tolist(), found[:, second].tolist(), strict=True))
    pairs = combinations(range(ENTRANTS), 2)
    return fitted({(a, b): PairCount(won[a, b], 0, won[b, a]) for a, b in pairs})


# What is compared


def in_order(world: World, found: Rated) -> float:
    """Return how many pairs of entrants are rated in the order of their strengths."""
    pairs = np.array([*combinations(range(ENTRANTS), 2)]).T
    ways = (each[pairs[0]] - each[pairs[1]] for each in (world.strengths, found.places))
    true, rated = map(np.sign, ways)
    return float((true == rated).mean())


class RatingTally:
    """What was found with ratings of one kind."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.right: list[list[float]] = [[] for _ in TIMES]
        """By how many matches were played."""
        self._sure = self._wrong = 0

    def add(self, place: int, world: World, found: Rated) -> None:
        """Add ratings."""
        self.right[place].append(in_order(world, found))
        if TIMES[place] == 1:
            true, sure = world.strengths, found.sure()
            self._sure += len(sure)
            self._wrong += sum(true[first] < true[second] for first, second in sure)

    @property
    def means(self) -> list[float]:
        """Return how right they were on average."""
        return [float(np.mean(each)) for each in self.right if each]

    @property
    def wrong(self) -> float:
        """Return which part of the pairs was wrong that were called sure."""
        return self._wrong / max(1, self._sure)


def accuracy(sides: int, rng: np.random.Generator) -> dict[str, RatingTally]:
    """Simulate leagues whose entrants help nobody."""
    spent, base = matches_of(sides, DEALS), TIMES.index(1)
    found = {name: RatingTally() for name in (DUELS, POINTS, ORDERS, PAIRS)}
    for _ in range(REPEATS):
        world = World(rng.normal(size=ENTRANTS), {})
        played = duels(world, sides, DEALS, rng)
        found[DUELS].add(base, world, fitted(played.counts))
        found[POINTS].add(base, world, by_points(played.leads))
        for place, times in enumerate(TIMES):
            ended = orders(world, sides, int(times * spent), rng)
            found[ORDERS].add(place, world, plackett_luce(ended))
            found[PAIRS].add(place, world, in_pairs(ended))
    return found


def needed(right: float, others: Sequence[float]) -> float:
    """Return how many times as many matches it takes to be as right, between those tried."""
    return float(np.exp(np.interp(right, np.maximum.accumulate(others), np.log(TIMES))))


def gained(sides: int, rng: np.random.Generator) -> dict[str, float]:
    """Return by how many spreads of strengths an entrant is rated higher for helping its kin.

    In duels these are the other sides that it plays itself, else those of a copy that is entered.
    """
    found: dict[str, list[float]] = {DUELS: [], ORDERS: []}
    for _ in range(REPEATS):
        strengths = rng.normal(size=ENTRANTS)
        strengths[1] = strengths[0]
        alone, with_copy = World(strengths, {0: 0}), World(strengths, {0: 0, 1: 0})
        honest = World(strengths, {})
        rated = [
            placed(strengths, fitted(duels(world, sides, DEALS, rng).counts))
            for world in (alone, honest)
        ]
        found[DUELS].append(rated[0] - rated[1])
        spent = matches_of(sides, DEALS)
        rated = [
            placed(strengths, plackett_luce(orders(world, sides, spent, rng)))
            for world in (with_copy, honest)
        ]
        found[ORDERS].append(rated[0] - rated[1])
    return {ways: float(np.mean(each)) for ways, each in found.items()}


def placed(strengths: Numbers, found: Rated) -> float:
    """Return how strong the first entrant is by its rating, as those of the others are spread."""
    others = found.places[2:]
    slope = np.polyfit(strengths[2:], others, 1)[0]
    return float((found.places[0] - others.mean()) / slope)


def measure() -> list[Row]:
    """Simulate all of it."""
    rows = []
    for sides in SIDES:
        rng = np.random.default_rng(sides)
        found = accuracy(sides, rng)
        spent = TIMES.index(1)
        right = found[DUELS].means[0]
        for name, tally in found.items():
            means = tally.means
            at = means[spent] if len(means) > 1 else means[0]
            rows.append(Row(f"{sides} sides, {name}: pairs in the right order", at))
            if len(means) > 1:
                rows.append(Row(f"{sides} sides, {name}: matches needed", needed(right, means)))
        rows += [
            Row(f"{sides} sides, {name}: wrong of the pairs sure to 95 %", found[name].wrong)
            for name in (DUELS, PAIRS)
        ]
        rows += [
            Row(f"{sides} sides, {name}: gained by helping kin, in spreads", gain)
            for name, gain in gained(sides, rng).items()
        ]
    return rows


def main() -> int:
    """Simulate and print; give the exit code."""
    parser = argparse.ArgumentParser(description="Compare ways to rate games of many sides.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    wanted = parser.parse_args()
    rows = measure()
    sys.stdout.write((as_json(rows) if wanted.json else as_table(rows)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Who meets whom in the next round of a ladder: those who met least, every other time the nearest.

Everybody plays once in a round. Among those who have met as seldom, a round takes pairs at random
or, every other round, the nearest in rating: measured, that finds the order of close fields nearly
as well as random pairs do, and that of wide ones better (`bench/ladder.py`). No two bots of one
owner meet, so that nobody can lift a bot by another one.

Who has just come catches up in rounds of its own, against those that are rated already.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations, product
from typing import Final, NamedTuple

from referee.scheduling.rounds import Pair

_PASSES: Final = 20
"""How often all pairs are looked at once more, at most."""


class Contender(NamedTuple):
    """An entrant of a ladder that is to be paired."""

    number: int
    owner: object
    """Whose it is."""
    rating: float
    rounds: int
    """How many it has played."""


class _Cost(NamedTuple):
    """How little a pair is wanted: how often it met counts before all else."""

    met: int
    rest: float

    def plus(self, other: "_Cost") -> "_Cost":
        return _Cost(self.met + other.met, self.rest + other.rest)


Met = Mapping[frozenset[int], int]
"""How many rounds two have met in."""
_Costs = Mapping[frozenset[int], _Cost]


def pair_round(contenders: Sequence[Contender], met: Met, number: int, seed: bytes) -> list[Pair]:
    """Return the pairs of a round.

    Args:
        contenders: who is to play.
        met: how often two have met; never if they are not there.
        number: that of the round; every other one takes the nearest.
        seed: decides between what is as good, and is to be another one for each round.
    """
    playing = _without_one(contenders, seed)
    costs = _costs(combinations(playing, 2), met, _nearest if number % 2 else _at_random(seed))
    return _matched(costs, [each.number for each in playing])


def pair_newcomers(
    newcomers: Sequence[Contender], others: Sequence[Contender], met: Met, seed: bytes
) -> list[Pair]:
    """Return the pairs of a round in which newcomers catch up; each meets the nearest.

    Args:
        newcomers: who has played few rounds.
        others: who may be met besides, each once at most.
        met: as `pair_round` takes it.
        seed: likewise.
    """
    costs = _costs(product(newcomers, others), met, _nearest)
    pairs = _matched(costs, [each.number for each in (*newcomers, *others)])
    paired = {number for pair in pairs for number in pair}
    left = [each for each in newcomers if each.number not in paired]
    among = _costs(combinations(left, 2), met, _at_random(seed))
    return [*pairs, *_matched(among, [each.number for each in left])]


def _without_one(contenders: Sequence[Contender], seed: bytes) -> list[Contender]:
    """Leave out, of an odd number, one of those who have played most."""
    playing = [*contenders]
    if len(playing) % 2:
        playing.remove(max(playing, key=lambda each: (each.rounds, _drawn(seed, each.number))))
    return playing


Rest = Callable[[Contender, Contender], float]


def _nearest(one: Contender, other: Contender) -> float:
    # Squared, so that no two far apart are left over for the sake of the others.
    return (one.rating - other.rating) ** 2


def _at_random(seed: bytes) -> Rest:
    return lambda one, other: _drawn(seed, *sorted((one.number, other.number)))


def _drawn(seed: bytes, *numbers: int) -> float:
    """Return a number from 0 to 1 that follows from others."""
    digest = sha256(seed + b"".join(number.to_bytes(8) for number in numbers)).digest()
    return float(int.from_bytes(digest[:6])) / 2**48


def _costs(pairs: Iterable[tuple[Contender, Contender]], met: Met, rest: Rest) -> _Costs:
    """Return what the pairs cost that may be."""
    found = {}
    for one, other in pairs:
        if one.owner != other.owner:
            pair = frozenset((one.number, other.number))
            found[pair] = _Cost(met.get(pair, 0), rest(one, other))
    return found


def _matched(costs: _Costs, numbers: Sequence[int]) -> list[Pair]:
    """Return pairs in which each number is once at most, so cheap that no two could change better.

    The cheapest pairs are taken first; then partners are exchanged for as long as that is cheaper.
    """
    free = {*numbers}
    pairs: list[Pair] = []
    for pair in sorted(costs, key=lambda pair: (costs[pair], sorted(pair))):
        if pair <= free:
            free -= pair
            one, other = sorted(pair)
            pairs.append((one, other))
    _seat_left(pairs, sorted(free), costs)
    for _ in range(_PASSES):
        if not _improve(pairs, costs):
            break
    return pairs


def _seat_left(pairs: list[Pair], left: list[int], costs: _Costs) -> None:
    """Break a pair for two that are left and may not meet, where its two may meet them."""
    while len(left) > 1:
        one, other = left.pop(), left.pop()
        ways = [
            (both, place, pairing)
            for place, pair in enumerate(pairs)
            for pairing in _ways(*pair, one, other)
            if (both := _together(pairing, costs)) is not None
        ]
        if ways:
            _, place, (first, second) = min(ways)
            pairs[place] = first
            pairs.append(second)


def _improve(pairs: list[Pair], costs: _Costs) -> bool:
    """Exchange partners wherever that is cheaper; return whether it was anywhere."""
    has_improved = False
    for one, other in combinations(range(len(pairs)), 2):
        now = _together((pairs[one], pairs[other]), costs)
        for pairing in _ways(*pairs[one], *pairs[other]):
            both = _together(pairing, costs)
            if both is not None and now is not None and both < now:
                (pairs[one], pairs[other]), now, has_improved = pairing, both, True
    return has_improved


def _ways(one: int, two: int, three: int, four: int) -> Iterator[tuple[Pair, Pair]]:
    """Yield the other ways in which four can be two pairs."""
    yield (one, three), (two, four)
    yield (one, four), (two, three)


def _together(pairing: tuple[Pair, Pair], costs: _Costs) -> _Cost | None:
    """Return what two pairs cost, None if one of them may not be."""
    one, other = (costs.get(frozenset(pair)) for pair in pairing)
    return None if one is None or other is None else one.plus(other)

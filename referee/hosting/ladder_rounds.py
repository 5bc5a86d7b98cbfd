"""Decides on the rounds of a ladder: when one is due, who plays in it, and who meets whom; pure.

In a round everybody plays who is active, once. Who has just come first catches up in rounds of
newcomers, which wait for nothing. A bot that takes far longer than others sits rounds out, so that
it has no more than its share of the workers' time.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from statistics import median
from typing import Final, NamedTuple

from referee.hosting.ladder_history import LadderPlay
from referee.ratings.fitting import MEAN, Rating
from referee.scheduling.ladder import Contender, pair_newcomers, pair_round
from referee.scheduling.rounds import Pair
from referee.store.hosting_models import LadderEntrant

_REMEMBERED: Final = 9
"""Visits of a bot by which its pace is judged."""
_SLOWER: Final = 4.0
"""So many times the usual time of a visit a bot may take in each round."""


class TimeShares:
    """How long the visits of each entrant take, and who has had more than its share."""

    def __init__(self) -> None:
        """Know nothing yet: then everybody plays."""
        self._seconds: defaultdict[int, deque[float]] = defaultdict(
            lambda: deque(maxlen=_REMEMBERED)
        )
        self._debts: defaultdict[int, float] = defaultdict(float)

    def took(self, pair: Pair, seconds: float) -> None:
        """Note how long a visit of two took; it is the slower one's doing."""
        for number in pair:
            self._seconds[number].append(seconds)
        slower = max(pair, key=self.pace)
        self._debts[slower] += seconds

    def pace(self, number: int) -> float:
        """Return how long the visits of an entrant usually take."""
        return median(self._seconds[number]) if self._seconds[number] else 0.0

    @property
    def usual(self) -> float:
        """How long visits take, those of the slowest half aside."""
        paces = [self.pace(number) for number in self._seconds if self._seconds[number]]
        return median(paces) if paces else 0.0

    def may_play(self, numbers: Collection[int]) -> list[int]:
        """Return who may play in the next round; each round pays a part of everybody's debt."""
        allowed = _SLOWER * self.usual
        for number in numbers:
            self._debts[number] = max(0.0, self._debts[number] - allowed)
        return [number for number in numbers if self._debts[number] <= allowed]


class Paired(NamedTuple):
    """A round that is to be played."""

    pairs: Sequence[Pair]
    """By the entrants' numbers on the ladder."""
    everybody: bool
    """Whether it is a round in which everybody plays."""


def next_round(
    play: LadderPlay,
    ratings: Mapping[int, Rating],
    shares: TimeShares,
    seed: bytes,
    now: datetime,
) -> Paired | None:
    """Return the round that is to be played now, if one is.

    Args:
        play: what was played so far.
        ratings: of the entrants that have played.
        shares: who has had more than its share of time.
        seed: decides between what is as good; another one for each round.
        now: the time.
    """
    rounds, met = play.rounds_of_each, play.met
    active = play.of("active")
    contenders = {each.number: _contender(each, ratings, rounds) for each in active}
    newcomers = [each for each in contenders.values() if each.rounds < play.ladder.plan.catch_up]
    others = [each for each in contenders.values() if each not in newcomers]
    if _is_due(play, now):
        allowed = {*shares.may_play([*contenders])}
        playing = [each for number, each in contenders.items() if number in allowed]
        pairs = pair_round(playing, met, _rounds_of_everybody(rounds, others or newcomers), seed)
        if pairs:
            return Paired(pairs, everybody=True)
    pairs = pair_newcomers(newcomers, others, met, seed)
    return Paired(pairs, everybody=False) if pairs else None


def _contender(
    entrant: LadderEntrant, ratings: Mapping[int, Rating], rounds: Mapping[int, int]
) -> Contender:
    # House bots have no owner, and meet each other as anybody.
    owner = f"house {entrant.number}" if entrant.account is None else entrant.account
    rating = ratings.get(entrant.number)
    mean = MEAN if rating is None else rating.mean
    return Contender(entrant.number, owner, mean, rounds[entrant.number])


def _rounds_of_everybody(rounds: Mapping[int, int], others: Sequence[Contender]) -> int:
    """Return a number that is another one after each round: every other takes the nearest."""
    return max((rounds[each.number] for each in others), default=0)


def _is_due(play: LadderPlay, now: datetime) -> bool:
    current = play.epochs[-1]
    return current.paired is None or now >= current.paired + play.ladder.plan.interval

"""Points per hand: what one entrant wins on the same deals, and how sure that is.

A hand counts if it was played out in all rooms of its duel, so luck of the deal falls out. Hands
of one duel hang together, so the error is taken over duels; where duels depend on each other, it
is wider by that (`clusters`). Two bots that play nearly alike tie nearly all hands, and from a few
ties alone nobody knows that they always tie, so a hand that one of them won is imagined for the
error.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from referee.engine.cards import Side
from referee.engine.record import HandRecord, MatchRecord
from referee.engine.seating import sides_of
from referee.ratings import student
from referee.ratings.clusters import effects_on_points, may_depend
from referee.ratings.methods import LATEST, Method
from referee.ratings.results import Result


class Margin(NamedTuple):
    """Points per hand, with the half of its 95 % interval; None where there are too few duels."""

    mean: float | None
    plus_or_minus: float | None
    hands: int
    freedom: int = 0
    """The degrees of freedom the interval was made with: about as many as there are duels."""

    @property
    def error(self) -> float | None:
        """The standard error of the mean."""
        return (
            None if self.plus_or_minus is None else self.plus_or_minus / student.width(self.freedom)
        )


def hand_margins(rooms: Sequence[MatchRecord]) -> list[float]:
    """Return, for each hand dealt in all rooms, what A won with it, in points.

    That is, on average over the rooms, the mean of what its sides scored less that of B's.
    """
    game = rooms[0].game
    seatings = [[sides_of(game, room, entrant) for entrant in (0, 1)] for room in range(len(rooms))]
    return [
        sum(
            _mean(hand.result.points, ours) - _mean(hand.result.points, theirs)
            for hand, (ours, theirs) in zip(hands, seatings, strict=True)
        )
        / len(rooms)
        for hands in _in_all(rooms)
    ]


def _mean(points: Sequence[int], sides: Sequence[Side]) -> float:
    return sum(points[side] for side in sides) / len(sides)


def _in_all(rooms: Sequence[MatchRecord]) -> Iterator[tuple[HandRecord, ...]]:
    """Yield the hands dealt in all rooms: each as it was played in every one."""
    return zip(*(record.hands for record in rooms), strict=False)


def identical_hands(rooms: Sequence[MatchRecord]) -> int:
    """Return how many of the hands dealt in all rooms were played alike, by every action.

    A sits in one room where B sits in another, so two that always decide alike play all hands so.
    """
    return sum(all(hand.actions == hands[0].actions for hand in hands) for hands in _in_all(rooms))


def points_per_hand(duels: Sequence[Sequence[MatchRecord]]) -> Margin:
    """Estimate what A wins in a hand."""
    return margin_of((sum(margins), len(margins)) for margins in map(hand_margins, duels))


def margin_of(
    sums: Iterable[tuple[float, int]], effect: float = 1.0, method: Method = LATEST
) -> Margin:
    """Estimate what A wins in a hand, from what it won in each duel and over how many hands.

    Args:
        sums: points and hands of each duel.
        effect: how many duels say as much as one would that depends on no other.
        method: how the error is computed.
    """
    counted = [(total, count) for total, count in sums if count]
    hands = sum(count for _, count in counted)
    if not hands:
        return Margin(None, None, 0)
    mean = sum(total for total, _ in counted) / hands
    freedom = len(counted) - 1
    if not freedom:
        return Margin(mean, None, hands)
    spread = sum((total - mean * count) ** 2 for total, count in counted)
    error = sqrt(effect * spread * len(counted) / freedom + method.imagined) / hands
    return Margin(mean, student.width(freedom) * error, hands, freedom)


def margins(results: Sequence[Result], method: Method = LATEST) -> Mapping[tuple[int, int], Margin]:
    """Estimate for each pairing what A wins in a hand."""
    sums: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
    for first, second, _, _, margin, hands, _ in results:
        sums[first, second].append((margin, hands))
    clustered = method.clustered and may_depend(map(len, sums.values()))
    effects = effects_on_points(results) if clustered else {}
    return {
        pairing: margin_of(duels, effects.get(pairing, 1.0), method)
        for pairing, duels in sums.items()
    }


def turned(margin: Margin) -> Margin:
    """Return the same from B's side."""
    mean, plus_or_minus, hands, freedom = margin
    return margin if mean is None else Margin(0.0 - mean, plus_or_minus, hands, freedom)


def against_field(margins: Sequence[Margin]) -> Margin:
    """Estimate what an entrant wins against all it met a hand with, each counting alike."""
    met = [margin for margin in margins if margin.mean is not None]
    return combined([(1 / len(met), margin) for margin in met])


def combined(terms: Sequence[tuple[float, Margin]]) -> Margin:
    """Add up margins of different pairings, each times its weight.

    The degrees of freedom are Welch and Satterthwaite's, rounded down.
    """
    hands = sum(margin.hands for _, margin in terms)
    means = [weight * margin.mean for weight, margin in terms if margin.mean is not None]
    if not terms or len(means) < len(terms):
        return Margin(None, None, hands)
    errors = [
        (weight * margin.error, margin.freedom)
        for weight, margin in terms
        if margin.error is not None
    ]
    if len(errors) < len(terms):
        return Margin(sum(means), None, hands)
    variance = sum(error**2 for error, _ in errors)
    wobble = sum(error**4 / freedom for error, freedom in errors)
    # Rounded down, but not by an error in the last digit, which differs between machines.
    freedom = int(variance**2 / wobble + 1e-9) if wobble else sum(freedom for _, freedom in errors)
    return Margin(sum(means), student.width(freedom) * sqrt(variance), hands, freedom)


def ahead(margin: Margin) -> float:
    """Return the probability that the true mean is above 0; a half where nothing is known."""
    if margin.mean is None or margin.error is None:
        return 0.5
    if not margin.error:
        return 0.5 + (margin.mean > 0) / 2 - (margin.mean < 0) / 2
    return student.chance(margin.mean / margin.error, margin.freedom)

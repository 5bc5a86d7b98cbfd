"""How much duels that were played one after the other depend on each other.

A bot's processes live as long as a visit, and whatever happens to go well or badly in one goes so
in all of its duels. Ten such duels say less than ten that do not depend on each other. What is a
visit is not stored, and the tables must not depend on how a league was cut into visits, so the
duels of a pairing are put into blocks by their numbers: of 2, 4, 8 and so on, as long as a pairing
has two blocks at least. How much the blocks' sums stray, against what they would if no duel
depended on another, is their effect.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from referee.ratings.results import Result, Won

Pairing = tuple[int, int]
Strays = Mapping[Pairing, Sequence[tuple[int, float]]]
"""Of each pairing, the numbers of its duels, and how far each strays from the pairing's mean."""

_LEAGUE_DOUBT: Final = 10
"""How many blocks speak for no effect before any is looked at."""
_SHORTEST: Final = 2
"""How many duels the smallest blocks have."""
_PAIRING_DOUBT: Final = 20
"""How many speak for a pairing's being like all others."""


class _Effect(NamedTuple):
    """By how much the blocks of a pairing stray more than they would."""

    blocks: int
    """But one, which is the mean's."""
    ratio: float


def may_depend(duels: Iterable[int]) -> bool:
    """Return whether any pairing has the duels for two blocks, of these numbers of duels."""
    return max(duels, default=0) >= 2 * _SHORTEST


def effects_on_wins(results: Iterable[Result] | Iterable[Won]) -> Mapping[Pairing, float]:
    """Return how many duels of each pairing say as much as one would that depends on no other."""
    wins: dict[Pairing, list[tuple[int, int]]] = defaultdict(list)
    for first, second, number, won, *_ in results:
        wins[first, second].append((number, won))
    strays = {}
    for pairing, duels in wins.items():
        mean = sum(won for _, won in duels) / len(duels)
        strays[pairing] = [(number, won - mean) for number, won in duels]
    return effects(strays)


def effects_on_points(results: Iterable[Result]) -> Mapping[Pairing, float]:
    """Return the same for points a hand."""
    played: dict[Pairing, list[tuple[int, float, int]]] = defaultdict(list)
    for first, second, number, _, margin, hands, _ in results:
        if hands:
            played[first, second].append((number, margin, hands))
    strays = {}
    for pairing, duels in played.items():
        mean = sum(margin for _, margin, _ in duels) / sum(hands for *_, hands in duels)
        strays[pairing] = [(number, margin - mean * hands) for number, margin, hands in duels]
    return effects(strays)


def effects(strays: Strays) -> Mapping[Pairing, float]:
    """Return the effect in each pairing: that of the whole league, and a little its own."""
    size, longest = _SHORTEST, max((len(duels) for duels in strays.values()), default=0)
    most, at_most = 1.0, {}
    while 2 * size <= longest:
        found = {pairing: _effect(duels, size) for pairing, duels in strays.items()}
        whole = _shrunk(found.values(), 1.0, _LEAGUE_DOUBT)
        if whole > most:
            most, at_most = whole, found
        size *= 2
    return {
        pairing: max(1.0, _shrunk([found], most, _PAIRING_DOUBT))
        for pairing, found in at_most.items()
    }


def _shrunk(found: Iterable[_Effect], usual: float, doubt: int) -> float:
    blocks, total = doubt, doubt * usual
    for effect in found:
        blocks += effect.blocks
        total += effect.blocks * effect.ratio
    return total / blocks


def _effect(duels: Sequence[tuple[int, float]], size: int) -> _Effect:
    sums: dict[int, float] = defaultdict(float)
    counts: dict[int, int] = defaultdict(int)
    squares = 0.0
    for number, stray in duels:
        sums[number // size] += stray
        counts[number // size] += 1
        squares += stray * stray
    if len(counts) < 2 or not squares:
        return _Effect(0, 1.0)
    count = len(duels)
    expected = (
        squares / (count - 1) * (count - sum(each * each for each in counts.values()) / count)
    )
    return _Effect(len(counts) - 1, sum(each * each for each in sums.values()) / expected)

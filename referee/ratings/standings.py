"""The table and the crosstable of a league, from all that was played."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import numpy as np

from referee.ratings.clusters import effects_on_wins
from referee.ratings.columns import ResultColumns, between, of_entrant, result_columns
from referee.ratings.fitting import (
    Chances,
    Effects,
    Fit,
    Rating,
    better_in_pairs,
    posterior,
    summary,
)
from referee.ratings.intervals import RatingInterval, intervals
from referee.ratings.live import live
from referee.ratings.margins import fields, margins
from referee.ratings.methods import LATEST, Method
from referee.ratings.pairs import ByPair, PairCount, count_pairs
from referee.ratings.points import Margin, turned
from referee.ratings.ranks import Ranks, rank_ranges
from referee.ratings.results import Result, Results
from referee.ratings.suspension import at_fault_in_most

_NONE: Final[Mapping[int, int]] = MappingProxyType({})


WhyApart = Literal["suspended", "withdrawn", "faults"]
"""Why an entrant is listed apart; for `faults` only in leagues from before there were suspensions.
"""


class Standing(NamedTuple):
    """An entrant in the table."""

    entrant: int
    ranks: Ranks
    rating: Rating
    """By all duels at once."""
    interval: RatingInterval
    """Where the true rating lies, with 95 % certainty; both ends open for who has not played."""
    live: Rating
    """By one duel after the other."""
    duels: int
    won: int
    drawn: int
    lost: int
    points: Margin
    """Per hand, against the field."""
    faults: int
    voids: int
    better_than_next: float | None
    """The probability of that; None for the last, and where one of the two has not played."""
    against_next: Chances | None
    """How a duel against the next is likely to end; None as above."""
    in_field: Chances | None
    """How a duel against any of the others is likely to end; None for who has not played."""


class Apart(NamedTuple):
    """An entrant below the table, whose duels count for nobody."""

    entrant: int
    why: WhyApart
    duels: int
    faults: int
    voids: int


class Cell(NamedTuple):
    """How an entrant did against another."""

    won: int
    drawn: int
    lost: int
    points: Margin
    """Per hand."""
    better: float
    """The probability that it is the better one, by the duels of the two alone."""


class Standings(NamedTuple):
    """A league as it stands."""

    rows: tuple[Standing, ...]
    """The best first: by mean rating, then by number; who has not played comes last."""
    apart: tuple[Apart, ...]
    fit: Fit
    cells: Mapping[tuple[int, int], Cell]
    """For each two that met, both ways round; made when they are asked for."""
    voids: int
    unplayed: int
    """Duels that were void so often that they are not tried again."""


def standings(  # noqa: PLR0913 (what a table is made from)
    entrants: Sequence[int],
    results: Iterable[Result],
    withdrawn: Collection[int] = (),
    voids: Mapping[int, int] = _NONE,
    unplayed: int = 0,
    *,
    suspended: Collection[int] = (),
    suspends: bool = True,
    method: Method = LATEST,
    anchors: Collection[int] = (),
    listed: Collection[int] | None = None,
) -> Standings:
    """Make the tables; the order of the results does not matter.

    Args:
        entrants: The numbers of all, those withdrawn with them.
        results: All that is stored.
        withdrawn: Whose duels no longer count.
        voids: How many duels of each entrant were void.
        unplayed: How many duels were given up.
        suspended: Who is.
        suspends: Whether anybody is; else the duels of those at fault in most do not count.
        method: How they are computed.
        anchors: By whose mean ratings are measured; by that of all if nobody is named.
        listed: Who is in the table, if not everybody is whose duels count.
    """
    kept = results if isinstance(results, Results) else Results(results)
    everything = result_columns(kept)
    faulty = set() if suspends else at_fault_in_most(kept)
    excluded = {*withdrawn, *suspended, *faulty}
    sound = sorted({*entrants} - excluded)
    counting = between(everything, sound)
    counts = count_pairs(counting.won)
    effects: Effects = effects_on_wins(counting.won) if method.clustered else {}
    found = posterior(sound, counts, effects, method, anchors=anchors)
    fitted = summary(found)
    cells = _Cells(counts, margins(counting, method), fitted, effects)
    return Standings(
        _rows(
            sound,
            counting,
            _Rated(fitted, intervals(found)),
            cells,
            voids,
            sound if listed is None else listed,
        ),
        tuple(
            _apart(entrant, _why(entrant, withdrawn, faulty), everything, voids)
            for entrant in sorted({*entrants} & excluded)
        ),
        fitted,
        cells,
        sum(voids.values()) // 2,
        unplayed,
    )


class _Cells(Mapping[tuple[int, int], Cell]):
    """A crosstable: of a large league few ever look at more than some of its cells."""

    def __init__(
        self, counts: ByPair[PairCount], points: ByPair[Margin], fitted: Fit, effects: Effects
    ) -> None:
        self.counts = counts
        """Of A's duels, by A and B."""
        self.points = points
        """Likewise."""
        self._fitted = fitted
        self._effects = effects

    @cached_property
    def _better(self) -> Mapping[tuple[int, int], float]:
        return better_in_pairs(self.counts, self._fitted, self._effects)

    def __getitem__(self, pair: tuple[int, int]) -> Cell:
        one, other = pair
        if pair in self.counts:
            return Cell(*self.counts[pair], self.points[pair], self._better[pair])
        won, drawn, lost = self.counts[other, one]
        points, better = self.points[other, one], self._better[other, one]
        return Cell(lost, drawn, won, turned(points), 1 - better)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for first, second in self.counts:
            yield first, second
            yield second, first

    def __len__(self) -> int:
        return 2 * len(self.counts)


class _Met(NamedTuple):
    """How an entrant did against all others."""

    won: int
    drawn: int
    lost: int

    @property
    def duels(self) -> int:
        return sum(self)


def _met(entrants: Sequence[int], counts: ByPair[PairCount]) -> dict[int, _Met]:
    size = max(entrants, default=0) + 1
    as_first, as_second = (
        np.array([np.bincount(of, column, size) for column in counts.columns])
        for of in (counts.first, counts.second)
    )
    both = (as_first + as_second[::-1])[:, [*entrants]].astype(np.int64)
    return {entrant: _Met(*each) for entrant, each in zip(entrants, both.T.tolist(), strict=True)}


class _Rated(NamedTuple):
    """The ratings, and where the true ones lie."""

    fit: Fit
    intervals: Mapping[int, RatingInterval]


def _rows(  # noqa: PLR0913, PLR0917 (all that rows are made from)
    sound: Sequence[int],
    results: ResultColumns,
    rated: _Rated,
    cells: _Cells,
    voids: Mapping[int, int],
    listed: Collection[int],
) -> tuple[Standing, ...]:
    fitted = rated.fit
    met, points = _met(sound, cells.counts), fields(sound, cells.points)
    order = sorted(
        (each for each in sound if each in listed),
        key=lambda entrant: (
            not met[entrant].duels,
            -round(fitted.rating(entrant).mean, 9),
            entrant,
        ),
    )
    faults, lives = _faults(results), live(sound, results.won, fitted.draws)
    following = dict(pairwise(order))
    played = [entrant for entrant in order if met[entrant].duels]
    ranks = rank_ranges(order, fitted, set(played))
    in_field = fitted.chances_in_field(played)

    def row(entrant: int) -> Standing:
        own = met[entrant]
        other = following.get(entrant)
        following_played = other if other is not None and met[other].duels else None
        return Standing(
            entrant,
            ranks[entrant],
            fitted.rating(entrant),
            rated.intervals.get(entrant, RatingInterval(None, None)),
            lives[entrant],
            own.duels,
            own.won,
            own.drawn,
            own.lost,
            points[entrant],
            faults[entrant],
            voids.get(entrant, 0),
            None if following_played is None else fitted.better(entrant, following_played),
            None if following_played is None else fitted.chances(entrant, following_played),
            in_field.get(entrant),
        )

    return tuple(map(row, order))


def _faults(results: ResultColumns) -> Counter[int]:
    faults: Counter[int] = Counter()
    for entrants, numbers in (
        (results.first, results.first_faults),
        (results.second, results.second_faults),
    ):
        at_fault = numbers > 0
        for entrant, number in zip(
            entrants[at_fault].tolist(), numbers[at_fault].tolist(), strict=True
        ):
            faults[entrant] += number
    return faults


def _why(entrant: int, withdrawn: Collection[int], faulty: Collection[int]) -> WhyApart:
    if entrant in withdrawn:
        return "withdrawn"
    return "faults" if entrant in faulty else "suspended"


def _apart(entrant: int, why: WhyApart, results: ResultColumns, voids: Mapping[int, int]) -> Apart:
    own = of_entrant(results, entrant)
    return Apart(
        entrant,
        why,
        len(own.first),
        _faults(own)[entrant],
        voids.get(entrant, 0),
    )

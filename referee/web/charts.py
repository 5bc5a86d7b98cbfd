"""Charts in SVG: intervals and histories; and the colour of a cell of the crosstable."""

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from referee.league.table import drawn_interval
from referee.ratings.standings import Standing
from referee.simulation import Stretch
from referee.store.models import Snapshot

_HEAT: Final = (0.03, 0.1, 0.25, 0.5)
"""Points per hand, won or lost, at which the colour of a cell becomes one step stronger."""
_WIDTH: Final = 100.0
_POINTS: Final = 60
"""The most points of a line: more could not be distinguished."""
LINES: Final = 8
"""How many lines of a history have a style of their own; the others are grey, behind them."""


class Whisker(NamedTuple):
    """An interval on a scale that all rows of a table share, in hundredths of its width."""

    low: float
    mean: float
    high: float


class ChartLine(NamedTuple):
    """The rating of an entrant over the league."""

    entrant: int
    style: int
    """Of the line; 0 is that of all entrants after the first few."""
    path: str


class HistoryChart(NamedTuple):
    """Ratings over the league, on a square of 100 by 100."""

    lines: Sequence[ChartLine]
    low: float
    high: float
    duels: int
    band: str = ""
    """The 95 % interval of a single rating."""


class BranchingChart(NamedTuple):
    """The choices at each decision of a hand, on a square of 100 by 100."""

    path: str
    """The mean."""
    band: str
    """From the least to the most."""
    high: int
    """Of the scale, which begins at 0."""
    last: int
    """The number of the last decision."""
    is_open: bool
    """Whether later ones are counted with it."""
    least_mean: float
    most_mean: float


def branching(stretches: Sequence[Stretch]) -> BranchingChart | None:
    """Return the choices along a hand, as steps: each is as wide as there are decisions in it."""
    if not stretches:
        return None
    final = stretches[-1]
    last = final.last or final.first
    high = max(each.choices.most for each in stretches)
    means: list[str] = []
    least: list[str] = []
    most: list[str] = []
    for each in stretches:
        for decision in (each.first - 1, each.last or last):
            across = f"{decision / last * _WIDTH:.4g}"
            for points, value in (
                (means, each.choices.mean),
                (least, each.choices.least),
                (most, each.choices.most),
            ):
                points.append(f"{across},{(1 - value / high) * _WIDTH:.4g}")
    averages = [each.choices.mean for each in stretches]
    return BranchingChart(
        f"M{' '.join(means)}",
        f"M{' '.join([*most, *reversed(least)])}Z",
        high,
        last,
        final.last is None,
        min(averages),
        max(averages),
    )


def whiskers(rows: Iterable[Standing]) -> dict[int, Whisker]:
    """Return the intervals of all entrants that have played."""
    played = [row for row in rows if row.duels]
    ends = {row.entrant: drawn_interval(row) for row in played}
    low = min((low for low, _ in ends.values()), default=0.0)
    high = max((high for _, high in ends.values()), default=0.0)
    width = high - low or 1.0

    def scaled(rating: float) -> float:
        return round((rating - low) / width * _WIDTH, 1)

    return {
        row.entrant: Whisker(
            scaled(ends[row.entrant][0]),
            scaled(row.rating.mean),
            scaled(ends[row.entrant][1]),
        )
        for row in played
    }


def heat(points: float | None) -> int | None:
    """Return the colour for points per hand: 0 is clearly worse, 4 equal, 8 clearly better."""
    if points is None:
        return None
    step = bisect(_HEAT, abs(points))
    return len(_HEAT) + (step if points > 0 else -step)


def history(snapshots: Sequence[Snapshot], ranked: Sequence[int]) -> HistoryChart | None:
    """Return the ratings of these entrants over the league, the best with styles of their own."""
    taken = _thinned([each for each in snapshots if each.ratings])
    shown = [each for each in ranked if any(each in snapshot.ratings for snapshot in taken)]
    if len(taken) < 2 or not shown:
        return None
    ratings = [
        snapshot.ratings[each][0]
        for snapshot in taken
        for each in shown
        if each in snapshot.ratings
    ]
    scale = _Scale(min(ratings), max(ratings), taken[0].duels, taken[-1].duels)
    lines = [
        ChartLine(each, style if style <= LINES else 0, _path(scale, taken, each))
        for style, each in enumerate(shown, start=1)
    ]
    # The best last, so that nothing covers them.
    return HistoryChart(lines[::-1], scale.low, scale.high, taken[-1].duels)


def own_history(snapshots: Sequence[Snapshot], entrant: int, width: float) -> HistoryChart | None:
    """Return one rating with its interval, `width` standard errors to either side."""
    taken = _thinned([each for each in snapshots if entrant in each.ratings])
    if len(taken) < 2:
        return None
    edges = [
        (each.duels, mean - width * spread, mean + width * spread)
        for each in taken
        for mean, spread in [each.ratings[entrant]]
    ]
    low, high = min(edge[1] for edge in edges), max(edge[2] for edge in edges)
    scale = _Scale(low, high, taken[0].duels, taken[-1].duels)
    above = [scale.point(duels, top) for duels, _, top in edges]
    below = [scale.point(duels, bottom) for duels, bottom, _ in reversed(edges)]
    line = ChartLine(entrant, 1, _path(scale, taken, entrant))
    return HistoryChart((line,), low, high, taken[-1].duels, f"M{' '.join([*above, *below])}Z")


class _Scale(NamedTuple):
    low: float
    high: float
    first: int
    last: int

    def point(self, duels: int, rating: float) -> str:
        across = (duels - self.first) / (self.last - self.first or 1)
        down = (self.high - rating) / (self.high - self.low or 1)
        return f"{across * _WIDTH:.4g},{down * _WIDTH:.4g}"


def _path(scale: _Scale, snapshots: Iterable[Snapshot], entrant: int) -> str:
    points = [
        scale.point(snapshot.duels, rating[0])
        for snapshot in snapshots
        if (rating := snapshot.ratings.get(entrant))
    ]
    return f"M{' '.join(points)}"


def _thinned(snapshots: Sequence[Snapshot]) -> Sequence[Snapshot]:
    """Return at most `_POINTS` snapshots, the first and the last among them."""
    last = len(snapshots) - 1
    if last < _POINTS:
        return snapshots
    return [snapshots[round(index * last / (_POINTS - 1))] for index in range(_POINTS)]


def rank_changes(
    rows: Sequence[Standing], snapshots: Sequence[Snapshot], duels: int
) -> Mapping[int, int]:
    """Return how many places each has gone up since the table of the round before."""
    before = next((each for each in reversed(snapshots) if each.duels < duels), None)
    if before is None:
        return {}
    now = [row.entrant for row in rows if row.entrant in before.ratings]
    then = sorted(now, key=lambda each: -before.ratings[each][0])
    return {each: then.index(each) - index for index, each in enumerate(now)}

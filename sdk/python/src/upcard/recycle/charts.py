"""Points maps, worked out to the score of every card."""

from collections.abc import Iterable, Sequence
from typing import Final

from upcard.recycle import bounds
from upcard.recycle.arithmetic import fitted
from upcard.recycle.values import Award, PointsMap

_REMEMBERED: Final = 200_000
"""How many scores the charts that a recipe remembers may have together."""


class Chart:
    """A points map. It does not change."""

    __slots__ = ("awards", "scores")

    def __init__(self, awards: PointsMap, scores: Sequence[int]) -> None:
        """Hold the awards, and the score of every card by them."""
        self.awards: Final = awards
        self.scores: Final = scores


class Charts:
    """Makes the charts of a program's cards."""

    def __init__(self, cards: Sequence[Iterable[tuple[str, str]]]) -> None:
        """Take the attributes of every card."""
        self._count: Final = len(cards)
        self._having: Final[dict[tuple[str, str], frozenset[int]]] = {}
        having: dict[tuple[str, str], set[int]] = {}
        keys: dict[str, set[int]] = {}
        for card, attributes in enumerate(cards):
            for key, value in attributes:
                having.setdefault((key, value), set()).add(card)
                keys.setdefault(key, set()).add(card)
        everything = frozenset(range(self._count))
        for pair, found in having.items():
            self._having[pair] = frozenset(found)
        for key, found in keys.items():
            self._having[key, ""] = everything - found
        self._keys: Final = frozenset(keys)
        self._everything: Final = everything
        self.empty: Final = Chart((), (0,) * self._count)

    def cost(self, awards: int) -> int:
        """Return the work of a chart of so many awards, in items that are looked at."""
        return awards * (1 + self._count // 8)

    def chart(self, awards: Iterable[Award]) -> Chart:
        """Return the chart of some awards; those of the same attributes add up.

        Raises:
            ArithmeticError: a score is beyond 32 bits, or there are too many awards.
        """
        points: dict[tuple[tuple[str, str], ...], int] = {}
        for award in awards:
            points[award.attributes] = fitted(points.get(award.attributes, 0) + award.points)
        return self._worked_out(points)

    def updated(self, chart: Chart, awards: Iterable[Award]) -> Chart:
        """Return a chart with awards added, or put in the place of those of the same attributes."""
        points = {award.attributes: award.points for award in chart.awards}
        points.update((award.attributes, award.points) for award in self.chart(awards).awards)
        return self._worked_out(points)

    def _worked_out(self, points: dict[tuple[tuple[str, str], ...], int]) -> Chart:
        """Return the chart of awards that all differ in their attributes."""
        if len(points) > bounds.AWARDS:
            raise ArithmeticError(f"a points map has at most {bounds.AWARDS} awards")
        scores = [0] * self._count
        for attributes, number in points.items():
            for card in self._with_all(attributes):
                scores[card] += number
        for score in {min(scores), max(scores)}:
            fitted(score)
        awards = tuple(Award(attributes, number) for attributes, number in points.items())
        return Chart(awards, tuple(scores))

    def _with_all(self, attributes: tuple[tuple[str, str], ...]) -> frozenset[int]:
        """Return the cards that have all those attributes; one they lack reads as empty text."""
        found = self._everything
        for key, value in attributes:
            if key in self._keys or value:
                found &= self._having.get((key, value), frozenset())
        return found


class Recipe:
    """The awards that a program lists, whose texts and numbers may be known only in play."""

    def __init__(self, charts: Charts, awards: Sequence[Sequence[str | int | None]]) -> None:
        """Take of each award every key and value, then the number; None where it is not known."""
        self.cost: Final = charts.cost(len(awards))
        """The work of making a chart."""
        self._charts: Final = charts
        self._awards: Final = awards
        self._made: Final[dict[tuple[str | int, ...], Chart]] = {}
        self._most: Final = _REMEMBERED // len(charts.empty.scores)

    def awards(self, values: tuple[str | int, ...]) -> list[Award]:
        """Return the awards, given what was not known of them, in the order of the text."""
        given = iter(values)
        found = []
        for award in self._awards:
            parts = [next(given) if part is None else part for part in award]
            texts, number = [str(part) for part in parts[:-1]], parts[-1]
            assert isinstance(number, int)
            found.append(Award(tuple(zip(texts[::2], texts[1::2], strict=True)), number))
        return found

    def made(self, values: tuple[str | int, ...]) -> Chart | None:
        """Return the chart if it is there; most games ask for few, again and again."""
        return self._made.get(values)

    def chart(self, values: tuple[str | int, ...]) -> Chart:
        """Make the chart, and remember it."""
        made = self._charts.chart(self.awards(values))
        if len(self._made) >= self._most:
            self._made.clear()
        self._made[values] = made
        return made

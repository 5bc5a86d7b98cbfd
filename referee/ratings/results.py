"""What the ratings are made from: how each duel went, by the numbers of its entrants."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, overload


class Result(NamedTuple):
    """How a duel went."""

    first: int
    """A's number in the league."""
    second: int
    """B's."""
    number: int
    """Of the duel in its pairing, from 0."""
    wins: int
    """How many of the two matches A won."""
    margin: float
    """What A won over all hands that count, in points (`referee.ratings.points`)."""
    hands: int
    """How many hands count: those dealt in both rooms."""
    faults: tuple[int, int]
    """How often each was at fault."""


Won = tuple[int, int, int, int]
"""The first four of these alone, which are all that ratings need."""

_TYPES: Final = "qqqqdqqq"
"""Of the columns: whole numbers, but for the margin."""
_AT_ONCE: Final = 5000


class Results(Sequence[Result]):
    """Results in columns: 64 bytes for each, and no object, as there may be millions."""

    __slots__ = ("columns",)

    def __init__(self, results: Iterable[Result] = ()) -> None:
        """Begin with these."""
        self.columns: tuple[array[Any], ...] = tuple(array(each) for each in _TYPES)
        """One for each field of a result, and for the faults of either."""
        each = iter(results)
        while rows := [(*result[:6], *result.faults) for result in islice(each, _AT_ONCE)]:
            self.extend([*zip(*rows, strict=True)])

    def extend(self, columns: Sequence[Iterable[float]]) -> None:
        """Append results that are given in columns."""
        for column, values in zip(self.columns, columns, strict=True):
            column.extend(values)

    def count_among(self, entrants: Collection[int]) -> int:
        """Return how many are between some entrants."""
        first, second, *_ = self.columns
        among = frozenset(entrants)
        if among.issuperset(first) and among.issuperset(second):
            return len(self)
        return sum(among.issuperset(pair) for pair in zip(first, second, strict=True))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.columns[0])

    def __iter__(self) -> Iterator[Result]:
        """Yield each."""
        return map(_result, *self.columns)

    @overload
    def __getitem__(self, place: int) -> Result: ...
    @overload
    def __getitem__(self, place: slice) -> "Results": ...
    def __getitem__(self, place: int | slice) -> "Result | Results":
        """Return the one at a place, or some of them."""
        if isinstance(place, int):
            return _result(*(column[place] for column in self.columns))
        some = Results()
        some.columns = tuple(column[place] for column in self.columns)
        return some

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same results."""
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]


def _result(*fields: Any) -> Result:  # noqa: ANN401 (of several types)
    first, second, number, wins, margin, hands, *faults = fields
    return Result(first, second, number, wins, margin, hands, (faults[0], faults[1]))

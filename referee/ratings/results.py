"""What the ratings are made from: how each duel went, by the numbers of its entrants."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, overload

from referee.engine.record import MatchRecord
from referee.engine.seating import entrant_at, sides_of

LOST, DRAWN, WON = 0, 1, 2
"""How a duel went for an entrant; of two matches that somebody wins, how many it won."""


class Result(NamedTuple):
    """How a duel went."""

    first: int
    """A's number in the league."""
    second: int
    """B's."""
    number: int
    """Of the duel in its pairing, from 0."""
    wins: int
    """How it went for A: `LOST`, `DRAWN` or `WON`."""
    margin: float
    """What A won over all hands that count, in points (`referee.ratings.points`)."""
    hands: int
    """How many hands count: those dealt in all rooms."""
    faults: tuple[int, int]
    """How often each was at fault."""


Won = tuple[int, int, int, int]
"""The first four of these alone, which are all that ratings need."""


def outcome(rooms: Sequence[MatchRecord]) -> int:
    """Return how a duel went for A: `LOST`, `DRAWN` or `WON`.

    In each room every side of A is compared with every side of B; who is ahead more often has won.
    """
    ahead = sum(lead(room, record) for room, record in enumerate(rooms))
    return DRAWN + (ahead > 0) - (ahead < 0)


def lead(room: int, record: MatchRecord) -> int:
    """Return how much more often a side of A finished before one of B in a match than after it.

    An entrant that forfeited is behind with all of its sides, for none of them plays on.
    """
    game, places = record.game, record.places
    ours, theirs = (sides_of(game, room, entrant) for entrant in (0, 1))
    if record.forfeit:
        won = entrant_at(game, room, record.forfeit.seat)
        return len(ours) * len(theirs) * (1 if won else -1)
    pairs = ((places[own], places[other]) for own in ours for other in theirs)
    return sum((own < other) - (own > other) for own, other in pairs)


def matches_won(rooms: Sequence[MatchRecord]) -> tuple[int, int]:
    """Return in how many rooms of a duel A was ahead, and in how many B was."""
    leads = [lead(room, record) for room, record in enumerate(rooms)]
    return sum(each > 0 for each in leads), sum(each < 0 for each in leads)


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

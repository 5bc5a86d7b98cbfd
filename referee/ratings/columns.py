"""Columns of results as arrays, to be counted at once."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.ratings.pair_bits import DuelWins
from referee.ratings.results import Result, Results, Won

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


class WonColumns(NamedTuple):
    """What ratings need of results."""

    first: Whole
    second: Whole
    number: Whole
    wins: Whole


class ResultColumns(NamedTuple):
    """All of results, in canonical order: by number, then by A, then by B."""

    first: Whole
    second: Whole
    number: Whole
    wins: Whole
    margin: Real
    hands: Whole
    first_faults: Whole
    second_faults: Whole

    @property
    def won(self) -> WonColumns:
        """Return what ratings need of them."""
        return WonColumns(*self[:4])


_Columns = TypeVar("_Columns", WonColumns, ResultColumns)


def where(columns: _Columns, chosen: NDArray[np.bool_]) -> _Columns:
    """Return some of the duels."""
    some: list[Any] = [column[chosen] for column in columns]
    return columns if chosen.all() else type(columns)(*some)


def between(columns: _Columns, entrants: Collection[int]) -> _Columns:
    """Leave out the duels in which anybody else took part."""
    counting = np.array([*entrants], np.int64)
    return where(columns, np.isin(columns.first, counting) & np.isin(columns.second, counting))


def of_entrant(columns: _Columns, entrant: int) -> _Columns:
    """Return the duels of an entrant."""
    return where(columns, (columns.first == entrant) | (columns.second == entrant))


def up_to(columns: _Columns, last: int, of: Mapping[int, int]) -> _Columns:
    """Leave out the duels beyond a number, for some entrants another one."""
    chosen = columns.number <= last
    for entrant, its_last in of.items():
        beyond = columns.number > its_last
        chosen &= ~(beyond & ((columns.first == entrant) | (columns.second == entrant)))
    return where(columns, chosen)


def columns_of(wins: DuelWins) -> WonColumns:
    """Return the duels of a set."""
    bits = np.frombuffer(wins.bits, np.uint8)
    each = np.column_stack([bits >> shift & 3 for shift in range(0, 8, 2)]).ravel()
    places = np.flatnonzero(each)
    pairs, number = np.divmod(places, wins.duels)
    # As `pair_at` does.
    larger = np.sqrt(pairs).astype(np.int64)
    rest = pairs - larger * larger
    swapped = rest >= larger
    first, second = np.where(swapped, larger, rest), np.where(swapped, rest - larger, larger)
    return WonColumns(first, second, number, each[places] - np.int64(1))


def result_columns(results: ResultColumns | Iterable[Result]) -> ResultColumns:
    """Return results as arrays."""
    if isinstance(results, ResultColumns):
        return results
    kept = results if isinstance(results, Results) else Results(results)
    return ResultColumns(*map(np.asarray, in_order(kept).columns))


def in_order(results: Results) -> Results:
    """Return results in canonical order."""
    columns = [np.asarray(column) for column in results.columns]
    first, second, number, *_ = columns
    order = np.lexsort((second, first, number))
    if (order[1:] > order[:-1]).all():
        return results
    found = Results()
    for column, values in zip(found.columns, columns, strict=True):
        column.frombytes(values[order].tobytes())
    return found


def won_columns(results: WonColumns | Iterable[Result] | Iterable[Won]) -> WonColumns:
    """Return what ratings need of results as arrays, in the order they are in."""
    if isinstance(results, WonColumns):
        return results
    rows = np.array([result[:4] for result in results], np.int64).reshape(-1, 4)
    return WonColumns(*rows.T)

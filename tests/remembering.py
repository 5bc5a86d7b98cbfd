"""Makes each table of a league once in a process, however many tests read, export or verify it.

What a table is made of is compared by its bytes, so it is made anew for whatever differs. The tests
in `tests/ratings` make each table anew.
"""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from referee.league import table
from referee.publication import tables
from referee.ratings.standings import Standings

_LARGE: Final = 1 << 16
"""Bytes; what is made of more is not kept."""


@contextmanager
def remembered_tables() -> Iterator[None]:
    """Keep the tables of leagues until the end."""
    known: dict[bytes, Standings] = {}
    with pytest.MonkeyPatch.context() as patch:
        for module in (table, tables):
            patch.setattr(module, "standings", _remembered(module.standings, known))
        yield


def _remembered(
    make: Callable[..., Standings], known: dict[bytes, Standings]
) -> Callable[..., Standings]:
    def standings(*given: object, **named: object) -> Standings:
        key = pickle.dumps((given, sorted(named.items())))
        if len(key) > _LARGE:
            return make(*given, **named)
        if key not in known:
            known[key] = make(*given, **named)
        return known[key]

    return standings

"""Keeps what pages are made from, and makes it anew when a league has changed."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from referee.errors import ConfigError
from referee.league.forecast import pace
from referee.league.table import LeagueTable, league_table
from referee.ratings.results import Result
from referee.store.database import Store
from referee.store.leagues import league_names
from referee.store.leases import lease_holder
from referee.store.models import Snapshot
from referee.store.snapshots import snapshots
from referee.store.stamps import Stamp, stamp
from referee.web.missing import Missing
from referee.web.names import shown

_PATIENCE: Final = 10.0
"""How many times as long as it took to make, an edition is good for without another look."""


class Edition(NamedTuple):
    """A league as it stood at one moment."""

    stamp: Stamp
    table: LeagueTable
    numbers: Mapping[tuple[int, int], Sequence[int]]
    """Of the duels of each pairing, the first first; they are there once it has played."""
    snapshots: Sequence[Snapshot]
    pace: float | None
    """Seconds from duel to duel, while the league goes on."""
    made: dict[str, bytes]
    """What was made from it by `once`."""

    def once(self, what: str, make: Callable[[], bytes]) -> bytes:
        """Return what takes long to make and follows from this alone, as it was first made."""
        if what not in self.made:
            self.made[what] = make()
        return self.made[what]


class LeagueCache:
    """The leagues of a store."""

    def __init__(
        self, store: Store, clock: Callable[[], float] = monotonic, *, once: bool = False
    ) -> None:
        """Take the store, which stays open as long as this is used.

        Args:
            store: where the leagues are.
            clock: gives the time in seconds.
            once: look at each league once, so that all pages of it agree.
        """
        self.store = store
        self._clock = clock
        self._once = once
        self._editions: dict[str, Edition] = {}
        self._good_until: dict[str, float] = {}
        self._making: defaultdict[str, Lock] = defaultdict(Lock)

    def leagues(self) -> list[str]:
        """Name all leagues, the latest first."""
        return league_names(self.store)[::-1]

    def stamp(self, name: str) -> Stamp:
        """Return whether a league has changed.

        Raises:
            Missing: there is no such league.
        """
        with suppress(ConfigError):
            if "\0" not in name:  # which not every database takes
                return stamp(self.store, name)
        raise Missing(f"there is no league “{shown(name)}” here")

    def running(self, name: str) -> bool:
        """Return whether somebody plays the league now; nobody plays what is looked at but once."""
        return not self._once and lease_holder(self.store, name) is not None

    def edition(self, name: str) -> Edition:
        """Return a league as it stands, or as it stood a moment ago if that takes long to find out.

        Raises:
            Missing: there is no such league.
        """
        if edition := self._good(name):
            return edition
        now = self.stamp(name)
        if edition := self._good(name, now):
            return edition
        # While somebody makes it anew, all others have what there is; only the first ones wait.
        edition = self._editions.get(name)
        if not self._making[name].acquire(blocking=edition is None):
            assert edition
            return edition
        try:
            return self._good(name, now) or self._made(name, now)
        finally:
            self._making[name].release()

    def _good(self, name: str, now: Stamp | None = None) -> Edition | None:
        """Return what there is, if it need not be looked at again yet or is found unchanged."""
        edition = self._editions.get(name)
        if edition and (edition.stamp == now or self._clock() < self._good_until[name]):
            return edition
        return None

    def _made(self, name: str, now: Stamp) -> Edition:
        began = self._clock()
        table = league_table(self.store, name)
        going_on = table.league.state == "open"
        made = Edition(
            now,
            table,
            _numbers(table.results),
            snapshots(self.store, name),
            pace(self.store, table.league) if going_on else None,
            {},
        )
        ended = self._clock()
        patience = inf if self._once else _PATIENCE * (ended - began)
        # In this order: whoever finds an edition asks how long it is good for.
        self._good_until[name] = ended + patience
        self._editions[name] = made
        return made


def _numbers(results: Iterable[Result]) -> Mapping[tuple[int, int], Sequence[int]]:
    numbers: dict[tuple[int, int], list[int]] = {}
    for first, second, number, *_ in results:
        numbers.setdefault((first, second), []).append(number)
    return numbers

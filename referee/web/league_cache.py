"""Keeps what pages are made from, and reads a league again when it has changed."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from threading import Lock, Thread
from time import monotonic
from typing import Final, NamedTuple

from referee.errors import ConfigError, NotFoundError
from referee.league.forecast import pace
from referee.league.pending import active_entrants
from referee.league.table import LeagueFacts, LeagueTable, league_facts, league_table
from referee.ratings.results import Result
from referee.ratings.stopping import is_adaptive
from referee.reports.deals import EveryRoom, every_room
from referee.reports.duels import DuelLine
from referee.reports.facts import Facts, facts
from referee.store.database import Store
from referee.store.duels import count_duels
from referee.store.leagues import league as find_league
from referee.store.leases import Run, lease_holder, running_leagues
from referee.store.models import Snapshot
from referee.store.snapshots import snapshots
from referee.store.stamps import Stamp, stamp, stamps
from referee.web.formatting import short_name
from referee.web.kept import PATIENCE, Kept

_MOST_LEAGUES: Final = 64
"""How many leagues are kept at most."""
_IDLE: Final = 1800.0
"""Seconds after which a league that nobody has read is dropped."""
_LARGE: Final = 10_000
"""More duels than this take so long to read that no page of the league or of all waits for it."""
_MOST_REPLAYED: Final = 16 << 20
"""Letters of the replays that are kept, as JSON."""
_LEADERS: Final = 3


class Leader(NamedTuple):
    """One of the best entrants of a league."""

    number: int
    name: str
    rating: float


class Overview(NamedTuple):
    """What a list of leagues shows of one: little, so it is kept for every league."""

    stamp: Stamp
    facts: Facts
    entrants: int
    faults: int
    leaders: Sequence[Leader]


class Glance(NamedTuple):
    """What a list of leagues shows of a large one while its first table is made."""

    league: LeagueFacts
    facts: Facts
    entrants: int
    leaders: Sequence[Leader]
    """By the ratings after the last round of visits; nobody before the first is over."""


class Edition(NamedTuple):
    """A league as it stood at one moment."""

    stamp: Stamp
    table: LeagueTable
    numbers: Mapping[tuple[int, int], Sequence[int]]
    """The numbers of the stored duels of each pairing that has any, in ascending order."""
    snapshots: Sequence[Snapshot]
    pace: float | None
    """Seconds from duel to duel, while the league is open."""
    overview: Overview
    rendered: Kept[bytes]
    """Answers that depend on this edition alone."""


class _Entry:
    """The newest edition of a league, and since when nobody has read it."""

    __slots__ = ("building", "edition", "last_read")

    def __init__(self) -> None:
        self.building = Lock()
        self.edition: tuple[Edition, float] | None = None
        """With the time until which it is used without another look."""
        self.last_read = 0.0

    def current(self, clock: Callable[[], float], now: Stamp | None = None) -> Edition | None:
        """Return the edition if it need not be looked at yet, or if the league is unchanged."""
        if self.edition is None:
            return None
        edition, good_until = self.edition
        return edition if edition.stamp == now or clock() < good_until else None


class LeagueCache:
    """The leagues of a store, read by any number of threads."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float] = monotonic,
        *,
        once: bool = False,
        hidden: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        """Keep nothing yet.

        Args:
            store: where the leagues are; it stays open as long as the cache is used.
            clock: returns the time in seconds.
            once: read each league once, so that all of its pages agree.
            hidden: returns the leagues that no list shows.
        """
        self.store = store
        self._hidden = hidden
        self._clock = clock
        self._once = once
        self._lock = Lock()
        self._entries: dict[str, _Entry] = {}
        """The league that was read last is last."""
        self._overviews: dict[str, Overview] = {}
        self._rooms: Kept[EveryRoom] = Kept(_letters, _MOST_REPLAYED)

    def names(self) -> list[str]:
        """Return the names of all leagues, the latest first."""
        return [*stamps(self.store)]

    def overviews(self) -> list[Overview]:
        """Return what lists show of all leagues, the latest first."""
        found = []
        for name, now in stamps(self.store).items():
            overview = self._overviews.get(name)
            unchanged = overview is not None and overview.stamp == now
            found.append(overview if overview and unchanged else self._edition(name, now).overview)
        with self._lock:
            self._drop_idle()
        return found

    def glances(self) -> list[Overview | Glance]:
        """Return the same without waiting for the table of a large league."""
        found: list[Overview | Glance] = []
        hidden = self._hidden()
        for name, now in stamps(self.store).items():
            if name in hidden:
                continue
            overview = self._overviews.get(name)
            if overview is None or overview.stamp != now:
                edition = self._edition_at_once(name, now)
                overview = edition and edition.overview
            found.append(overview or self.glance(name))
        with self._lock:
            self._drop_idle()
        return found

    def glance(self, name: str) -> Glance:
        """Return what is known of a league without its table."""
        league = league_facts(self.store, name)
        still = frozenset(active_entrants(league.league))
        ratings = [
            (number, mean)
            for snapshot in snapshots(self.store, name)[-1:]
            for number, (mean, _) in snapshot.ratings.items()
            if number in still
        ]
        best = sorted(ratings, key=lambda rated: -rated[1])[:_LEADERS]
        leaders = [Leader(number, league.names[number], mean) for number, mean in best]
        return Glance(league, facts(league), len(league.league.entries), leaders)

    def stamp(self, name: str) -> Stamp:
        """Return what differs once a league has changed.

        Raises:
            NotFoundError: there is no such league.
        """
        with suppress(ConfigError):
            if "\0" not in name:  # which not every database takes
                return stamp(self.store, name)
        raise NotFoundError(f"there is no league “{short_name(name)}” here")

    def running(self, name: str) -> bool:
        """Return whether somebody runs the league now; nobody does in a site that is written."""
        return not self._once and lease_holder(self.store, name) is not None

    def running_leagues(self) -> Mapping[str, Run]:
        """Return the runs that go on, by the names of their leagues."""
        return {} if self._once else running_leagues(self.store)

    def edition(self, name: str) -> Edition:
        """Return a league as it is, or as it was a moment ago if reading it takes long.

        Raises:
            NotFoundError: there is no such league.
        """
        with self._lock:
            entry = self._entries.get(name)
        edition = None if entry is None else entry.current(self._clock)
        if edition is None:
            return self._edition(name, self.stamp(name))
        self._touched(name)
        return edition

    def edition_at_once(self, name: str) -> Edition | None:
        """Return the same, or of a large league that has changed what is there.

        Its table is made anew in the background; None while the first one is.

        Raises:
            NotFoundError: there is no such league.
        """
        with self._lock:
            entry = self._entries.get(name)
        if entry is None or entry.current(self._clock) is None:
            return self._edition_at_once(name, self.stamp(name))
        return self.edition(name)

    def rooms(self, line: DuelLine, names: tuple[str, str]) -> EveryRoom:
        """Return what was played in the rooms of a duel between the two that are called so.

        Nobody may change it: it is played once for all who read it, as moves of a program may take
        long.
        """
        key = (line.game.name, line.game.rules, line.rooms[0].dealt, line.duel.play, names)
        return self._rooms.get(key, lambda: every_room(line.rooms, names))

    def _edition_at_once(self, name: str, now: Stamp) -> Edition | None:
        entry = self._touched(name)
        if edition := entry.current(self._clock, now):
            return edition
        if self._once or not self._is_large(name):
            return self._edition(name, now)
        earlier = entry.edition
        if entry.building.acquire(blocking=False):
            Thread(target=self._build, args=(entry, name, now), daemon=True).start()
        return None if earlier is None else earlier[0]

    def _is_large(self, name: str) -> bool:
        """Return whether its table takes long, and nothing else that a page shows does."""
        if is_adaptive(find_league(self.store, name).plan.until):
            return False
        return count_duels(self.store, name) > _LARGE

    def _build(self, entry: _Entry, name: str, now: Stamp) -> None:
        """Read a league in a thread of its own, which has the lock for that."""
        try:
            if entry.current(self._clock, now) is None:
                self._read(entry, name, now)
        finally:
            entry.building.release()

    def _edition(self, name: str, now: Stamp) -> Edition:
        """Return the edition of a league that exists, whose stamp was just read."""
        entry = self._touched(name)
        if edition := entry.current(self._clock, now):
            return edition
        # While one thread reads a league again, all others use the edition before; they wait
        # only if there is none.
        earlier = entry.edition
        if not entry.building.acquire(blocking=earlier is None):
            assert earlier
            return earlier[0]
        try:
            return entry.current(self._clock, now) or self._read(entry, name, now)
        finally:
            entry.building.release()

    def _touched(self, name: str) -> _Entry:
        """Return the entry of a league, which counts as read now."""
        with self._lock:
            entry = self._entries.pop(name, None) or _Entry()
            self._entries[name] = entry
            entry.last_read = self._clock()
            self._drop_idle()
            return entry

    def _drop_idle(self) -> None:
        """Drop the leagues that nobody has read for long, and those beyond what is kept."""
        long_ago = self._clock() - _IDLE
        excess = len(self._entries) - _MOST_LEAGUES
        for place, (name, entry) in enumerate([*self._entries.items()]):
            if place >= excess and entry.last_read > long_ago:
                return
            del self._entries[name]

    def _read(self, entry: _Entry, name: str, now: Stamp) -> Edition:
        began = self._clock()
        table = league_table(self.store, name)
        overview = _overview(table, now)
        edition = Edition(
            now,
            table,
            _numbers(table.results),
            snapshots(self.store, name),
            pace(self.store, table.league) if table.league.state == "open" else None,
            overview,
            Kept(),
        )
        ended = self._clock()
        patience = inf if self._once else PATIENCE * (ended - began)
        entry.edition = edition, ended + patience
        self._overviews[name] = overview
        return edition


def _letters(rooms: EveryRoom) -> int:
    """Return how long this is as JSON, of which the memory it takes is some small multiple."""
    return len(json.dumps(rooms))


def _overview(table: LeagueTable, now: Stamp) -> Overview:
    leaders = [
        Leader(row.entrant, table.names[row.entrant], row.rating.mean)
        for row in table.standings.rows[:_LEADERS]
    ]
    faults = sum(sum(result.faults) for result in table.results)
    return Overview(now, facts(table), len(table.league.entries), faults, leaders)


def _numbers(results: Iterable[Result]) -> Mapping[tuple[int, int], Sequence[int]]:
    numbers: dict[tuple[int, int], list[int]] = {}
    for first, second, number, *_ in results:
        numbers.setdefault((first, second), []).append(number)
    return numbers

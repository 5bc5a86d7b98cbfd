"""The tables of ladders, each made once for all readers, and again when some time has passed."""

import logging
from collections.abc import Callable, Mapping
from threading import Lock, Thread
from time import monotonic
from typing import Final, NamedTuple

from referee.errors import UpcardError
from referee.hosting.ladder_history import LadderHistory, LadderPlay, ladder_names
from referee.ratings.standings import Standings
from referee.store.database import Store
from referee.store.hosting_models import Ladder, LadderEntrant
from referee.web.kept import PATIENCE, Kept

_GOOD: Final = 3.0
"""Seconds for which a table is shown without another look."""
_LATE: Final = 60.0
"""Seconds after that in which who asks takes it all the same, while it is made anew."""
_LOG: Final = logging.getLogger("upcard.web")


class LadderTable(NamedTuple):
    """A ladder, and how its entrants stand."""

    play: LadderPlay
    standings: Standings
    names: Mapping[int, str]
    """What each entrant is called, by no more than tells them apart."""
    rendered: Kept[bytes]
    """What of pages follows from it alone."""

    @property
    def ladder(self) -> Ladder:
        """The ladder."""
        return self.play.ladder

    def entrant(self, number: int) -> LadderEntrant:
        """Return an entrant by its number."""
        return self.play.entrants[number - 1]


class LadderTables:
    """The tables of all ladders of a host."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        """Make none yet."""
        self._history = LadderHistory(store)
        self._clock = clock
        self._lock = Lock()
        self._locks: dict[int, Lock] = {}
        self._made: dict[int, tuple[LadderTable, float]] = {}

    def table(self, ladder: Ladder) -> LadderTable:
        """Return the table of a ladder as it is, or was a moment ago."""
        with self._lock:
            lock = self._locks.setdefault(ladder.id, Lock())
        made = self._made.get(ladder.id)
        if made and self._clock() < made[1]:
            return self._current(made[0], ladder)
        # Nobody waits for it to be made anew where one of a moment ago is there.
        if made and self._clock() < made[1] + _LATE:
            if lock.acquire(blocking=False):
                Thread(target=self._make_anew, args=(ladder, lock), daemon=True).start()
            return self._current(made[0], ladder)
        with lock:
            return self._make(ladder)

    def _make_anew(self, ladder: Ladder, lock: Lock) -> None:
        try:
            self._make(ladder)
        except UpcardError as error:  # the next who asks tries again
            _LOG.warning("the table of %s was not made anew: %s", ladder.name, error)
        finally:
            lock.release()

    def _make(self, ladder: Ladder) -> LadderTable:
        made = self._made.get(ladder.id)
        if made and self._clock() < made[1]:
            return made[0]
        began = self._clock()
        play = self._history.play(ladder)
        table = LadderTable(play, play.standings(), ladder_names(play), Kept())
        ended = self._clock()
        self._made[ladder.id] = table, ended + max(_GOOD, PATIENCE * (ended - began))
        return table

    @staticmethod
    def _current(table: LadderTable, ladder: Ladder) -> LadderTable:
        """Return a table with the state that the ladder has now."""
        return table._replace(play=table.play._replace(ladder=ladder))

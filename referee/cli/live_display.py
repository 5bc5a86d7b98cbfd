"""What is shown while a league is played: how far it is, how long it takes, and who leads."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from math import inf
from time import monotonic
from typing import Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table as Grid
from rich.text import Text

from referee.league.table import LeagueTable, rating_text
from referee.scheduling.round_robin import Block
from referee.store.models import League, StoredDuel, StoredVoid
from referee.text import counted, plain

_LEADERS: Final = 8
"""How many of the table are shown."""
_EVERY: Final = 2.0
"""Seconds from one look at the table to the next, at least."""
_LINE_EVERY: Final = 10.0
"""Seconds from one line to the next, where there is no terminal."""
_SHARE: Final = 40
"""And so many times as long as the last look took, to leave the time to the play."""


class LiveDisplay(AbstractContextManager["LiveDisplay"]):
    """Shows a run on a terminal; elsewhere it writes a line now and then."""

    def __init__(
        self,
        table: Callable[[], LeagueTable] | None,
        clock: Callable[[], float] = monotonic,
        *,
        commits: bool = True,
        quiet: bool = False,
    ) -> None:
        """Show a run.

        Args:
            table: returns the table as it stands; None if none is shown.
            clock: returns the time in seconds.
            commits: whether statements and commitments are printed.
            quiet: whether nothing is shown of the play itself: the terminal is a bot's.
        """
        self._commits = commits
        side = Console(stderr=True)
        self._table = table
        self._clock = clock
        self._progress = Progress(
            TextColumn("Playing"),
            BarColumn(),
            TextColumn("{task.fields[duels]}/{task.total:.0f}"),
            TextColumn("{task.fields[trouble]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=side,
        )
        self._live = Live(console=side, transient=True, refresh_per_second=4)
        self._shown = side.is_terminal and not quiet
        self._task: TaskID | None = None
        self._next_look = 0.0
        self._next_line = inf if quiet else clock() + _LINE_EVERY
        self._faults = self._voids = self._epochs = 0
        self._played = self._half_played = 0

    def __enter__(self) -> Self:
        """Start to show it."""
        if self._shown:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the terminal as it was."""
        self._live.stop()

    def planned(self, league: League, done: int, planned: int) -> None:
        """Show what is to be played, and what is new of statements and commitments."""
        for epoch in league.epochs[self._epochs :] if self._commits else ():
            # The commitment is in the statement; epochs that are older have none.
            statement = epoch.opening and f"opening statement {epoch.opening.digest}"
            print(statement or f"commitment {epoch.commitment}", file=sys.stderr)
        self._epochs = len(league.epochs)
        self._played = done
        if self._task is None:
            self._task = self._progress.add_task(
                "", total=planned, completed=done, duels=done, trouble="", left=""
            )
            self._look()
        else:
            self._progress.update(self._task, total=planned)
            self._count()

    def note(self) -> str:
        """Return what else is to be shown behind the bar; nothing of a league."""
        return ""

    def half_played(self, duels: int) -> None:
        """Show of how many duels only the first match is over."""
        self._half_played = duels
        self._count()

    def played(self, duel: StoredDuel) -> None:
        """Count a duel, and look at the table now and then."""
        self._faults += len(duel.faults)
        self._played += 1
        self._count()
        if self._shown and self._clock() > self._next_look:
            self._look()

    def voided(self, void: StoredVoid) -> None:
        """Count what nobody is to blame for."""
        del void
        self._voids += 1
        self._count()

    def visited(self, visit: Block, seconds: float) -> None:
        """Take no notice."""

    def estimated(self, seconds_left: float | None) -> None:
        """Show how long it still takes."""
        assert self._task is not None
        left = "" if seconds_left is None else f"about {_duration(seconds_left)} left"
        self._progress.update(self._task, left=left)
        if not self._shown and self._clock() >= self._next_line:
            self._next_line = self._clock() + _LINE_EVERY
            task = self._progress.tasks[self._task]
            duels = f"{self._played} of {task.total:.0f} duels played"
            parts = [duels, *filter(None, (task.fields["trouble"], left))]
            print("; ".join(parts), file=sys.stderr, flush=True)

    def _count(self) -> None:
        assert self._task is not None
        trouble = (self._faults, "fault"), (self._voids, "void")
        parts = [counted(number, what) for number, what in trouble if number]
        parts += filter(None, (self.note(),))
        if self._half_played:
            parts.insert(0, f"{self._half_played} half played")
        self._progress.update(
            self._task,
            # A duel of which one match is over fills half of its part of the bar.
            completed=self._played + self._half_played / 2,
            duels=self._played,
            trouble=", ".join(parts),
        )

    def _look(self) -> None:
        if not self._shown:
            return
        began = self._clock()
        leaders = [_leaders(self._table())] if self._table else []
        self._live.update(Group(*leaders, self._progress))
        ended = self._clock()
        self._next_look = ended + max(_EVERY, _SHARE * (ended - began))


def _duration(seconds: float) -> timedelta:
    return timedelta(seconds=round(seconds))


def _leaders(table: LeagueTable) -> Grid:
    """Show the top of the table as it stands."""
    grid = Grid(box=None, header_style="bold")
    for place, name in enumerate(("", "rating", "duels", "won", "drawn", "lost")):
        grid.add_column(name, justify="right" if place else "left", no_wrap=True)
    for row in table.standings.rows[:_LEADERS]:
        grid.add_row(
            Text(plain(table.names[row.entrant])),
            rating_text(row),
            *map(str, (row.duels, row.won, row.drawn, row.lost)),
        )
    return grid

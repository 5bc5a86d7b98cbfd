"""Plays a league or a shard of it with a display of how it goes, until somebody stops it."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from referee.cli.interrupts import handled_signals
from referee.cli.live_display import LiveDisplay
from referee.league.running import RunOptions, run_league
from referee.league.shards import ShardSummary, ShardTask, play_shard
from referee.league.table import league_table
from referee.store.database import Store


def play_league(store: Store, name: str, options: RunOptions, *, at_once: bool = False) -> None:
    """Play what is missing of a league, and show how it goes.

    A signal stops it after the duels in flight, a second one at once. With `at_once` the first
    signal does, and no commitment is printed, as for a league that nobody resumes or verifies.

    Raises:
        KeyboardInterrupt: it was asked to stop; nothing is lost.
    """
    with (
        counted_stops() as stops,
        LiveDisplay(
            lambda: league_table(store, name),
            commits=not at_once,
            quiet=options.debugged is not None,
        ) as display,
    ):
        run_league(store, name, options, display, lambda: stops() * (1 + at_once))


def play_part(store: Store, task: ShardTask, options: RunOptions) -> ShardSummary:
    """Play what is missing of a shard, and show how it goes; signals are as for `play_league`.

    Raises:
        KeyboardInterrupt: it was asked to stop; nothing is lost.
    """
    with counted_stops() as stops, LiveDisplay(None, commits=False) as display:
        return play_shard(store, task, options, display, stops)


@contextmanager
def counted_stops() -> Iterator[Callable[[], int]]:
    """Count how often somebody asks to stop."""
    asked: list[int] = []
    before = {each: signal.getsignal(each) for each in handled_signals()}
    for each in before:
        signal.signal(each, lambda number, _: asked.append(number))
    try:
        yield lambda: len(asked)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)

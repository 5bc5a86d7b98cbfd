"""A league of a bot that fails by its seed comes out the same however it was run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.arena.limits import Policy
from referee.store.duels import stored_duels
from referee.store.models import Plan
from tests.league.real import TERMS, Watcher, make, run, sound, store_of
from tests.soak.scene import BRITTLE

BOTS = {"brittle": BRITTLE, "other": sound(1)}
DUELS = 6


def played(
    place: Path, block: int, tables: int, stops: Callable[[Watcher], int]
) -> dict[object, tuple[Any, ...]]:
    """Play a league, stopped when that is asked for and resumed, and return what comes of it."""
    with store_of(place, BOTS) as store:
        make(store, [*BOTS], Plan(TERMS._replace(tables=tables, policy=Policy(2)), DUELS, block))
        watcher = Watcher()
        try:
            run(store, watcher, stops=lambda: stops(watcher))
        except KeyboardInterrupt:
            run(store)
        return {
            duel.key: (
                duel.play,
                duel.wins,
                [fault._replace(bundle=None) for fault in duel.faults],
            )
            for duel in stored_duels(store, "spring")
        }


def test_what_a_fault_costs_does_not_depend_on_how_a_league_is_run(tmp_path: Path) -> None:
    alone = played(tmp_path / "alone", 1, 1, lambda _: 0)
    together = played(tmp_path / "together", DUELS, 256, lambda _: 0)
    stopped = played(tmp_path / "stopped", 4, 2, lambda watcher: 2 * bool(watcher.duels))
    assert sum(len(faults) for *_, faults in alone.values()) > 1
    assert together == alone
    assert stopped == alone

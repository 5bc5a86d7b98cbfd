"""What was shown to the world survives a loss of power; duels may be played again."""

from collections.abc import Callable, Iterator
from errno import ENOSPC
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from referee.errors import FileError
from referee.scheduling.keys import DuelKey
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.epochs import OpeningChoices, state
from referee.store.leagues import (
    begin_epoch,
    create_league,
    enter,
    league,
    reinstate,
    set_state,
    withdraw,
)
from referee.store.leases import Lease, lease
from referee.store.log import entries, head
from referee.store.models import Snapshot, StoredVoid
from referee.store.opening import open_store
from referee.store.snapshots import save_snapshot
from tests.store import scenes
from tests.store.saving import save_duel, save_void
from tests.store.scenes import HELD, KEY, NOW, SEED

NORMAL, FULL = 1, 2


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Lease]:
    """Run a league of two in a file; a third bot is there, and one duel is stored."""
    with open_store(str(tmp_path / "upcard.db"), create=True) as store:
        scenes.cup(store, tmp_path, entrants=2)
        scenes.cup(store, tmp_path, name="third")
        with lease(store, "cup") as ours:
            begin_epoch(store, ours, SEED, seed_given=True, now=NOW)
            save_duel(store, ours, scenes.duel(league(store, "cup"), KEY), HELD)
            yield ours


def levels(store: Store, write: Callable[[], object]) -> set[int]:
    """Return how far SQLite synchronizes at each commit of something that writes."""
    found: set[int] = set()

    def note(connection: Connection) -> None:
        cursor = connection.connection.cursor()
        found.add(cursor.execute("PRAGMA synchronous").fetchone()[0])

    event.listen(store.engine, "commit", note)
    try:
        write()
    finally:
        event.remove(store.engine, "commit", note)
    return found


SHOWN: dict[str, Callable[[Lease, Path], object]] = {
    "a league": lambda own, _: create_league(own.store, "new", scenes.plan(), [], NOW),
    "a bot": lambda own, files: add_bot(own.store, scenes.bot(9), scenes.bundle(files / "nine")),
    "a commitment": lambda own, _: begin_epoch(own.store, own, SEED, seed_given=True, now=NOW),
    "a statement": lambda own, _: state(own, league(own.store, "cup"), OpeningChoices(None), NOW),
    "an entry": lambda own, _: enter(own.store, "cup", scenes.bot(3).digest),
    "a withdrawal": lambda own, _: withdraw(own.store, "cup", 1, NOW),
    "a reinstatement": lambda own, _: reinstate(own.store, "cup", 1),
    "a state": lambda own, _: set_state(own.store, own, "complete"),
}
PLAYED: dict[str, Callable[[Lease], object]] = {
    "a duel": lambda own: save_duel(
        own.store, own, scenes.duel(league(own.store, "cup"), DuelKey(1, 2, 1)), HELD
    ),
    "a void": lambda own: save_void(own.store, own, StoredVoid(DuelKey(1, 2, 3), "why", NOW)),
    "a snapshot": lambda own: save_snapshot(own.store, own, Snapshot(NOW, 1, {})),
    "a heartbeat": lambda own: own.renew(),
}


@pytest.mark.parametrize("what", SHOWN)
def test_the_disk_holds_what_was_shown_before_it_is_shown(
    what: str, own: Lease, tmp_path: Path
) -> None:
    assert levels(own.store, lambda: SHOWN[what](own, tmp_path)) == {FULL}


@pytest.mark.parametrize("read", [head, lambda store, name: next(entries(store, name))])
def test_the_disk_holds_a_head_before_it_is_shown(
    own: Lease, monkeypatch: pytest.MonkeyPatch, read: Callable[[Store, str], object]
) -> None:
    synced: list[Path] = []

    def note(number: int) -> None:
        synced.append(Path(f"/proc/self/fd/{number}").readlink())

    monkeypatch.setattr("os.fsync", note)
    read(own.store, "cup")
    assert [path.name for path in synced] == ["upcard.db-wal"]


def test_a_head_that_cannot_be_on_the_disk_is_not_shown(
    own: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_number: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FileError, match=r"upcard.db cannot be written to disk: No space left"):
        head(own.store, "cup")


@pytest.mark.parametrize("what", PLAYED)
def test_nobody_waits_for_the_disk_at_each_duel(what: str, own: Lease) -> None:
    assert levels(own.store, lambda: PLAYED[what](own)) == {NORMAL}

"""The process that works for a host: one at a time, and it ends when a part of it fails."""

from functools import partial
from pathlib import Path
from threading import Event

import pytest

from referee.errors import ConfigError
from referee.hosting.queue import Ladders, Threads, queue_lock
from referee.store.database import Store
from referee.store.ladders import ladder_epochs, set_ladder_state
from tests.hosting.played_ladders import PlayedLadder, play_at_once
from tests.store.hosting_scenes import HOST
from tests.waiting import until


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    with (
        queue_lock(tmp_path),
        pytest.raises(ConfigError, match="another process works on the queue"),
        queue_lock(tmp_path),
    ):
        pass  # pragma: no cover (refused before)


def test_the_lock_goes_with_who_held_it(tmp_path: Path) -> None:
    with queue_lock(tmp_path):
        pass
    with queue_lock(tmp_path):
        pass


def test_threads_are_over_when_all_have_returned() -> None:
    threads, go_on = Threads(), Event()
    threads.start(go_on.wait)
    assert not threads.are_over
    go_on.set()
    until(lambda: threads.are_over)
    threads.raise_failure()


def test_an_error_in_one_thread_is_the_end_of_all() -> None:
    threads, never = Threads(), Event()

    def fail() -> None:
        raise OSError(28, "No space left on device")

    threads.start(never.wait)
    threads.start(fail)
    until(lambda: threads.are_over)
    with pytest.raises(OSError, match="No space left"):
        threads.raise_failure()
    never.set()


@pytest.mark.slow
def test_who_plays_a_ladder_looks_no_more_once_it_has_ended(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_at_once(monkeypatch)
    monkeypatch.setattr("referee.hosting.queue._PAUSE", 0)
    spring, threads, stop = PlayedLadder(store, tmp_path), Threads(), Event()
    spring.house(1, 2)
    assert spring.runner.turn()
    set_ladder_state(store, spring.ladder, "ended", HOST)
    plays = Ladders(store, spring.runner.engine, lambda: spring.now, stop.is_set, threads)
    threads.start(partial(plays.play, "spring"))
    until(lambda: threads.are_over)
    stop.set()
    threads.raise_failure()
    assert [each.ended for each in ladder_epochs(store, spring.ladder)] == [spring.now]

"""The process that works for a host: one at a time, and it ends when a part of it fails."""

from pathlib import Path
from threading import Event

import pytest

from referee.errors import ConfigError
from referee.hosting.queue import Threads, queue_lock
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

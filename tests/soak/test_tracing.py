"""A kill at a write is never missed, and what it leaves of a commit is recognised."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.soak.log_end import is_torn
from tests.soak.tracing import kill_at_write

WRITER = """
import sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None)
while "TracerPid:\\t0" in open("/proc/self/status").read():
    pass
for number in range(int(sys.argv[2])):
    store.execute("BEGIN")
    store.execute("INSERT INTO it VALUES (randomblob(100000))")
    store.execute("COMMIT")
"""


@contextmanager
def writing(place: Path, times: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process that writes so many transactions of many pages, once somebody traces it."""
    with closing(sqlite3.connect(place)) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("CREATE TABLE it (data BLOB)")
        with subprocess.Popen([sys.executable, "-c", WRITER, place, str(times)]) as writer:
            yield writer
            writer.kill()


def rows(place: Path) -> int:
    with closing(sqlite3.connect(place)) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (count,) = store.execute("SELECT count(*) FROM it").fetchone()
        return int(count)


def log_of(place: Path) -> Path:
    return place.with_name(f"{place.name}-wal")


def test_a_kill_at_a_write_hits_the_middle_of_a_commit(tmp_path: Path) -> None:
    place = tmp_path / "store"
    with writing(place, 1_000_000) as writer:
        assert kill_at_write(writer.pid, place, nth=20) is None
        assert writer.wait() == -signal.SIGKILL
        assert is_torn(log_of(place))
        assert rows(place) == 0


def test_who_ends_before_so_many_writes_is_not_killed(tmp_path: Path) -> None:
    place = tmp_path / "store"
    with writing(place, 1) as writer:
        status = kill_at_write(writer.pid, place, nth=1_000_000)
        assert status is not None
        writer.returncode = os.waitstatus_to_exitcode(status)
        assert writer.returncode == 0
        assert not is_torn(log_of(place))
        assert rows(place) == 1


def test_writes_to_other_files_do_not_count(tmp_path: Path) -> None:
    place = tmp_path / "store"
    with writing(place, 1) as writer:
        status = kill_at_write(writer.pid, tmp_path / "other", nth=1)
        assert status is not None
        writer.returncode = os.waitstatus_to_exitcode(status)


def test_a_log_that_is_not_there_is_not_torn(tmp_path: Path) -> None:
    assert not is_torn(tmp_path / "none")

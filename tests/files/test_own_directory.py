"""A directory lasts as long as its owner, and not longer, however that ends."""

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.errors import FileError
from referee.files.own_directory import own_directory, sweep

PREFIX = "ours-"
OWNER = """
import sys
from pathlib import Path
from referee.files.own_directory import own_directory
with own_directory(Path(sys.argv[1]), "ours-") as place:
    (place / "file").write_text("held")
    print(place, flush=True)
    sys.stdin.read()
"""


@contextmanager
def owner(parent: Path) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_it_is_there_for_as_long_as_it_is_needed(tmp_path: Path) -> None:
    with own_directory(tmp_path, PREFIX) as place:
        (place / "file").write_text("")
    assert list(tmp_path.iterdir()) == []


def test_nobody_else_can_enter(tmp_path: Path) -> None:
    with own_directory(tmp_path, PREFIX) as place:
        assert place.stat().st_mode & 0o777 == 0o700


def test_who_comes_next_removes_what_was_left_by_one_that_was_killed(tmp_path: Path) -> None:
    with owner(tmp_path) as (process, left):
        process.kill()
    assert left.is_dir()
    with own_directory(tmp_path, PREFIX):
        assert not left.exists()


def test_what_was_left_can_be_removed_with_nobody_coming_next(tmp_path: Path) -> None:
    with owner(tmp_path) as (process, _):
        process.kill()
    sweep(tmp_path, PREFIX)
    assert list(tmp_path.iterdir()) == []


def test_what_somebody_still_owns_stays(tmp_path: Path) -> None:
    with owner(tmp_path) as (_, held), own_directory(tmp_path, PREFIX):
        assert (held / "file").exists()


def test_what_has_another_name_stays(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    with own_directory(tmp_path, PREFIX):
        assert (tmp_path / "theirs").exists()


def test_where_none_can_be_made_it_says_so_in_words(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file"), own_directory(tmp_path / "no", PREFIX):
        pass


def test_nothing_is_left_by_an_interrupt_while_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fcntl, "flock", interrupted)
    with pytest.raises(KeyboardInterrupt), own_directory(tmp_path, PREFIX):
        pass
    assert list(tmp_path.iterdir()) == []

"""The directory of a build is gone when it is over, or by the next one, with its file system."""

import multiprocessing
import os
from pathlib import Path

import pytest

from referee.bots import build_space
from referee.bots.build_space import build_directory


def test_nothing_is_left_of_it(tmp_path: Path) -> None:
    with build_directory(tmp_path) as (own, space):
        (space / "bot").mkdir()
        (space / "bot" / "source").write_text("x")
        assert space.parent == own
    assert not [*tmp_path.iterdir()]


def _leave(place: Path) -> None:
    with build_directory(place) as (_, space):
        (space / "bot").write_text("x")
        os._exit(0)  # as if it were killed


def test_what_a_kill_left_is_removed_by_the_next_build(tmp_path: Path) -> None:
    killed = multiprocessing.get_context("fork").Process(target=_leave, args=(tmp_path,))
    killed.start()
    killed.join()
    assert len([*tmp_path.iterdir()]) == 1
    with build_directory(tmp_path):
        assert len([*tmp_path.iterdir()]) == 1
    assert str(tmp_path) not in Path("/proc/self/mountinfo").read_text()


def test_where_nothing_can_be_mounted_the_cache_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_space, "_MOUNT", ("false",))
    with build_directory(tmp_path) as (_, space):
        (space / "bot").write_text("x")
        assert not space.is_mount()

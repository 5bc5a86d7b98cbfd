"""A league on a disk that is full or cannot be written: one line says so, and nothing is lost."""

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.e2e.conftest import Disturbed
from tests.soak.scene import Scene
from tests.waiting import PATIENCE


@contextmanager
def disk(place: Path, options: str) -> Iterator[Path]:
    """Mount a disk of its own, small enough to be filled."""
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "upcard-test", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def mount_again(place: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", place], check=True)


def moved(disturbed: Disturbed, place: Path) -> Disturbed:
    """Move a league elsewhere, but not what lies about while it is played."""
    shutil.copytree(disturbed.scene.place, place)
    return disturbed._replace(scene=disturbed.scene._replace(place=place))


def fill(ballast: Path, spared: int) -> None:
    """Fill a disk but for so many bytes."""
    with ballast.open("wb", buffering=0) as opened:
        try:
            while True:
                opened.write(bytes(4096))
        except OSError:
            opened.truncate(opened.tell() - spared)


def is_sound(scene: Scene) -> bool:
    with closing(sqlite3.connect(scene.store)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("spared", [0, 64 << 10])
def test_where_the_disk_is_full_it_stops_and_goes_on_when_there_is_room(
    disturbed: Disturbed, tmp_path: Path, spared: int
) -> None:
    with disk(tmp_path / "disk", "size=4m") as place:
        league = moved(disturbed, place / "league")
        fill(place / "ballast", spared)
        assert league.run().wait(PATIENCE) == 1
        assert league.said.startswith(f"upcard: the store {league.scene.store}: the disk is full")
        (place / "ballast").unlink()
        assert is_sound(league.scene)
        assert league.resumed() == []


def test_where_nothing_can_be_written_it_says_so_and_goes_on_where_it_can(
    disturbed: Disturbed, tmp_path: Path
) -> None:
    with disk(tmp_path / "disk", "size=4m") as place:
        league = moved(disturbed, place / "league")
        mount_again(place, "ro")
        assert league.run().wait(PATIENCE) == 1
        assert league.said == (
            f"upcard: the store {league.scene.store}: it can only be read; change its permissions, "
            "or name another"
        )
        mount_again(place, "rw")
        assert is_sound(league.scene)
        assert league.resumed() == []


@pytest.mark.parametrize("files", [4, 9])
def test_without_room_for_its_sockets_it_says_so_and_goes_on_when_there_is(
    disturbed: Disturbed, files: int
) -> None:
    with disk(disturbed.scene.loose, f"size=1m,nr_inodes={files}"):
        assert disturbed.run().wait(PATIENCE) == 1
    assert disturbed.said.startswith("upcard: ")
    assert disturbed.said.endswith("in TMPDIR")
    assert disturbed.resumed() == []

"""A disk that fills up while a league runs: a file system of its own, as small as it need be."""

import subprocess
import sys
from pathlib import Path

import pytest

from referee.store.opening import open_store
from tests.store import scenes
from tests.store.writer import FURTHER

ROOT = Path(__file__).parents[2]
_MIB = 1 << 20
# Mounted where nobody else sees it, and gone with the process.
_MOUNT = """
mount -t tmpfs -o size=4m tmpfs "$1" && cp -r "$2"/. "$1" && shift 2 && exec "$@"
"""


@pytest.mark.slow
def test_a_full_disk_is_told_and_the_store_goes_on_once_there_is_room(tmp_path: Path) -> None:
    disk, made = tmp_path / "disk", tmp_path / "made"
    for directory in (disk, made):
        directory.mkdir()
    with open_store(str(made / "upcard.db"), create=True) as store:
        scenes.cup(store, tmp_path)
    (made / "ballast").write_bytes(bytes(_MIB))
    inside = ("unshare", "--map-root-user", "--mount", "sh", "-c", _MOUNT, "sh", disk, made)
    fill = (sys.executable, "-W", "error", "-m", "tests.store.writer", "fill", disk / "upcard.db")
    ran = subprocess.run((*inside, *fill), cwd=ROOT, text=True, capture_output=True, check=True)
    *before, said = ran.stdout.splitlines()[: -FURTHER - 1]
    *after, sound = ran.stdout.splitlines()[-FURTHER - 1 :]
    assert said.startswith(f"FileError: the store {disk}/upcard.db: the disk is full; make room")
    assert [*map(int, after)] == [int(before[-1]) + number for number in range(1, FURTHER + 1)]
    assert sound == "ok"

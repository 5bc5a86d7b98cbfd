"""A disk that fills up while a league runs: a file system of its own, as small as it need be."""

from pathlib import Path

import pytest

from referee.store.opening import open_store
from tests.store import scenes
from tests.store.processes import heard, process

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
    inside = ("unshare", "--map-root-user", "--mount", "sh", "-c", _MOUNT, "sh", str(disk))
    with process("fill", str(disk / "upcard.db"), *inside, str(made)) as run:
        numbers: list[int] = []
        while (said := heard(run)).isdigit():
            numbers.append(int(said))
        after = [int(heard(run)) for _ in range(20)]
        sound = heard(run)
    assert said.startswith(f"FileError: the store {disk}/upcard.db: the disk is full; make room")
    assert after == list(range(numbers[-1] + 1, numbers[-1] + 21))
    assert sound == "ok"

"""A copy of a directory can be read by everybody, and is made up to the first problem."""

import os
from pathlib import Path

import pytest

from referee.files.copying import copy_tree


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "source" / "inner").mkdir(parents=True, mode=0o700)
    (tmp_path / "source" / "inner" / "run").touch(mode=0o700)
    (tmp_path / "source" / "text").write_text("words")
    (tmp_path / "source" / "text").chmod(0o600)
    (tmp_path / "source" / "file-link").symlink_to("text")
    (tmp_path / "source" / "directory-link").symlink_to("inner")
    return tmp_path / "source"


def modes(directory: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in directory.rglob("*")}


def test_everybody_can_read_a_copy_and_run_its_programs(source: Path, tmp_path: Path) -> None:
    copy_tree(source, tmp_path / "copy", synced=True)
    assert modes(tmp_path / "copy") == {
        "directory-link": 0o755,
        "file-link": 0o644,
        "inner": 0o755,
        "run": 0o755,
        "text": 0o644,
    }
    assert (tmp_path / "copy" / "text").read_text() == "words"


def test_a_link_is_copied_as_a_link(source: Path, tmp_path: Path) -> None:
    copy_tree(source, tmp_path / "copy")
    links = {path.name: str(path.readlink()) for path in (tmp_path / "copy").glob("*-link")}
    assert links == {"directory-link": "inner", "file-link": "text"}


def test_what_is_left_out_is_left_out_with_all_below_it(source: Path, tmp_path: Path) -> None:
    copy_tree(source, tmp_path / "copy", lambda path: path.name in {"inner", "text"})
    left = {path.name for path in (tmp_path / "copy").iterdir()}
    assert left == {"file-link", "directory-link"}


def test_the_first_problem_ends_a_copy(source: Path, tmp_path: Path) -> None:
    os.mkfifo(source / "pipe")
    with pytest.raises(OSError, match="named pipe"):
        copy_tree(source, tmp_path / "copy")

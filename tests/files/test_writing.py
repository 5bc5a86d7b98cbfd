"""Files and directories appear whole or not at all, and what is replaced is there until then."""

import subprocess
import sys
from pathlib import Path
from signal import SIGKILL

import pytest

from referee.errors import ConfigError
from referee.files import writing
from referee.files.writing import replace_directory, whole_directory, whole_file

KILLED = """
import os, signal, sys
from pathlib import Path
from referee.files import writing

def kill():
    os.kill(os.getpid(), signal.SIGKILL)

class Counted:
    def __init__(self, last, call):
        self.left, self.call = last, call
    def __call__(self, *args):
        self.left -= 1
        if self.left < 0:
            kill()
        done = self.call(*args)
        if self.left == 0:
            kill()
        return done

target, can_exchange, last = Path(sys.argv[1]), sys.argv[2] == "exchange", int(sys.argv[3])
if not can_exchange:
    writing._exchange = lambda one, other: False
with writing.whole_directory(target, lambda path: None) as part:
    (part / "page").write_text("new")
    counted = Counted(last, writing._exchange if can_exchange else Path.rename)
    if can_exchange:
        writing._exchange = counted
    else:
        Path.rename = lambda self, to: counted(self, to)
"""


def test_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with whole_file(path) as out:
        out.write("cards")
        assert not path.exists()
    assert path.read_text() == "cards"


def test_a_file_that_fails_halfway_leaves_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("older")
    with pytest.raises(KeyboardInterrupt), whole_file(path):
        raise KeyboardInterrupt
    assert [file.read_text() for file in tmp_path.iterdir()] == ["older"]


def test_a_disk_without_room_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    """The system lets this process write no more than a thousand bytes to a file."""
    script = (
        "import resource, signal, sys, pathlib; from referee.files import writing\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "with writing.whole_file(pathlib.Path(sys.argv[1])) as out:\n"
        "    out.write('card' * 1000)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "FileError: cannot write" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.touch(mode=0o600)
    with whole_file(path) as out:
        out.write("cards")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out")
    with whole_file(tmp_path / "link") as out:
        out.write("cards")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out").read_text() == "cards"


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    with whole_file(path) as out:
        out.write("cards")
    assert path.read_text() == "cards"


def test_what_is_not_a_regular_file_is_not_replaced(tmp_path: Path) -> None:
    with (
        pytest.raises(ConfigError, match="is not a file that can be written"),
        whole_file(tmp_path),
    ):
        pass


def any_earlier(_path: Path) -> None:
    """Accept any directory that is to be replaced, whatever it holds."""


def pages(directory: Path) -> list[str]:
    return [path.read_text() for path in directory.iterdir()]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "page").write_text("old")
    return tmp_path / "site"


def killed(site: Path, way: str, calls: int) -> None:
    """Replace a directory in a process that is killed before a call that renames, or after it."""
    script = [sys.executable, "-c", KILLED, str(site), way, str(calls)]
    ended = subprocess.run(script, capture_output=True, check=False)
    assert ended.returncode == -SIGKILL, ended.stderr


def test_a_directory_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    with whole_directory(tmp_path / "new") as part:
        (part / "page").write_text("new")
        assert not (tmp_path / "new").exists()
    assert pages(tmp_path / "new") == ["new"]


def test_a_directory_that_holds_something_is_not_replaced_unasked(site: Path) -> None:
    with pytest.raises(ConfigError, match="is not empty"), whole_directory(site):
        pass
    assert pages(site) == ["old"]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_directory_is_replaced_and_nothing_else_is_left(
    site: Path, monkeypatch: pytest.MonkeyPatch, *, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(writing, "_exchange", lambda _one, _other: False)
    with whole_directory(site, any_earlier) as part:
        (part / "page").write_text("new")
    assert pages(site) == ["new"]
    assert [*site.parent.iterdir()] == [site]


def test_a_directory_that_cannot_be_replaced_is_still_there(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_exchange", lambda _one, _other: False)
    earlier = site.with_name("earlier") / "site"
    with pytest.raises(FileNotFoundError):
        replace_directory(site.with_name("none"), site, earlier)
    assert pages(site) == ["old"]


@pytest.mark.parametrize(("calls", "there"), [(0, "old"), (1, "new")])
def test_a_kill_always_leaves_a_directory_where_two_can_be_exchanged(
    site: Path, calls: int, there: str
) -> None:
    killed(site, "exchange", calls)
    assert pages(site) == [there]


@pytest.mark.parametrize(("calls", "there"), [(0, "old"), (1, "old"), (2, "new")])
def test_the_next_start_restores_what_a_kill_between_two_renames_moved_away(
    site: Path, calls: int, there: str
) -> None:
    killed(site, "rename", calls)
    assert site.exists() == (calls != 1)
    with whole_file(site.parent / "other"):
        pass
    assert pages(site) == [there]
    assert {*site.parent.iterdir()} == {site, site.parent / "other"}


def test_what_a_kill_between_two_renames_moved_away_is_replaced_by_the_next_start(
    site: Path,
) -> None:
    killed(site, "rename", 1)
    with whole_directory(site, any_earlier) as part:
        (part / "page").write_text("newer")
    assert pages(site) == ["newer"]
    assert [*site.parent.iterdir()] == [site]

"""Files of records: read line by line, written whole or not at all."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.engine.record import MatchRecord, SeededDeal, play_match, to_json
from referee.errors import ConfigError, FileError
from referee.record_file import LONGEST_LINE, read_records, whole_file
from tests.table import euchre


@pytest.fixture
def record() -> MatchRecord:
    return play_match(euchre(), 3, SeededDeal(bytes(32), ""), lambda state: state.legal[0])


def test_records_are_read_in_order(tmp_path: Path, record: MatchRecord) -> None:
    other = record._replace(first_dealer=1)
    path = tmp_path / "records"
    path.write_text(f"{to_json(record)}\n{to_json(other)}\n")
    assert list(read_records(path)) == [record, other]


def test_a_last_line_without_its_end_is_read(tmp_path: Path, record: MatchRecord) -> None:
    path = tmp_path / "records"
    path.write_text(to_json(record))
    assert list(read_records(path)) == [record]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty; a file of match records has one on each line"),
        (b"{}\n", "records, line 1: schema: is missing or not a whole number"),
        (b"\n", "records, line 1: this is not JSON"),
        (b"\xff\n", "records, line 1: this is not text in UTF-8"),
        (b"[" * (LONGEST_LINE + 2), "records, line 1: this is longer than any record"),
    ],
)
def test_a_file_that_holds_no_records_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "records"
    path.write_bytes(content)
    with pytest.raises(FileError, match=re.escape(said)):
        list(read_records(path))


def test_the_line_of_a_bad_record_is_named(tmp_path: Path, record: MatchRecord) -> None:
    path = tmp_path / "records"
    path.write_text(f"{to_json(record)}\n{to_json(record)[:-5]}\n")
    with pytest.raises(FileError, match="records, line 2: this is not JSON"):
        list(read_records(path))


def test_a_directory_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a directory; name a file of match records"):
        list(read_records(tmp_path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot read .*/none: No such file or directory"):
        list(read_records(tmp_path / "none"))


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
        "import resource, signal, sys, pathlib; from referee import record_file\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "with record_file.whole_file(pathlib.Path(sys.argv[1])) as out:\n"
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


def test_the_records_before_a_bad_line_are_read(tmp_path: Path, record: MatchRecord) -> None:
    path = tmp_path / "records"
    path.write_bytes(f"{to_json(record)}\n".encode() * 30 + b"\xff\n")
    read = read_records(path)
    assert [next(read) for _ in range(30)] == [record] * 30
    with pytest.raises(FileError, match="records, line 31: this is not text in UTF-8"):
        next(read)


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

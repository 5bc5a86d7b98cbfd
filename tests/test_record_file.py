"""Files of records are read line by line."""

import re
from pathlib import Path

import pytest

from referee.engine.record import MatchRecord, SeededDeal, play_match, to_json
from referee.errors import ConfigError, FileError
from referee.record_file import LONGEST_LINE, read_records
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
        (b"[" * (LONGEST_LINE + 2), "records, line 1: this is longer than any match or duel"),
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


def test_the_records_before_a_bad_line_are_read(tmp_path: Path, record: MatchRecord) -> None:
    path = tmp_path / "records"
    path.write_bytes(f"{to_json(record)}\n".encode() * 30 + b"\xff\n")
    read = read_records(path)
    assert [next(read) for _ in range(30)] == [record] * 30
    with pytest.raises(FileError, match="records, line 31: this is not text in UTF-8"):
        next(read)

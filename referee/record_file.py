"""Reads files of match records, one to a line."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from referee import json_fields
from referee.engine.record import MatchRecord, ReplayedHand, from_json, replay
from referee.errors import ConfigError, FileError, RecordError

LONGEST_LINE: Final = 1 << 23
"""In bytes; the longest duel of a built-in game takes a third of that, any other less than that."""


def read_records(path: Path) -> Iterator[MatchRecord]:
    """Read a file of records, one after the other; an error names the line."""
    number = 0
    try:
        if path.is_dir():
            raise ConfigError(f"{path} is a directory; name a file of match records")
        with path.open("rb") as file:
            for line in read_lines(file):
                number += 1
                refuse_too_long(line)
                json_fields.refuse_crowded(line)
                yield from_json(_text(line))
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
    except RecordError as error:
        raise _in_file(path, number, error) from None
    if number == 0:
        raise FileError(f"{path} is empty; a file of match records has one on each line")


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Read line by line; of a line that is too long, one byte more than may be."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line
        if len(line) > LONGEST_LINE:
            return


def refuse_too_long(line: bytes) -> None:
    """Refuse a line that is longer than any match or duel."""
    if len(line) > LONGEST_LINE:
        raise RecordError("", "this is longer than any match or duel")


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise RecordError("", "this is not text in UTF-8") from None


def replayed(path: Path, line: int, record: MatchRecord) -> list[ReplayedHand]:
    """Play a record of a file again by the rules; an error names the line."""
    try:
        return list(replay(record))
    except RecordError as error:
        raise _in_file(path, line, error) from None


def _in_file(path: Path, line: int, error: RecordError) -> FileError:
    return FileError(f"{path}, line {line}: {error}")

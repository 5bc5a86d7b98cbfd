"""Files: of match records, one to a line, and any other that is written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from referee.engine.record import MatchRecord, from_json
from referee.errors import ConfigError, FileError, RecordError


def read_records(path: Path) -> Iterator[MatchRecord]:
    """Read a file of records, one after the other; an error names the line."""
    number = 0
    try:
        if path.is_dir():
            raise ConfigError(f"{path} is a directory; name a file of match records")
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):  # noqa: B007 (told when a line is bad)
                yield from_json(line)
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FileError(f"{path}, line {number + 1}: this is not text in UTF-8") from None
    except RecordError as error:
        raise in_file(path, number, error) from None
    if number == 0:
        raise FileError(f"{path} is empty; a file of match records has one on each line")


def in_file(path: Path, line: int, error: RecordError) -> FileError:
    """Say where in a file a record is wrong."""
    return FileError(f"{path}, line {line}: {error}")


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Open a file to be written: it appears, or replaces an older one, when all went well."""
    part = path.parent / f".{path.name}.{os.getpid()}.part"
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path} is not a file that can be written; name another")
        with part.open("x", encoding="utf-8") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink()

"""Opens an export that may come from a stranger, and checks its files against their sums."""

import os
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from hashlib import file_digest, sha256
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import ConfigError, FileError
from referee.files import reading
from referee.publication.checksums import SUMS

MOST_FILES: Final = 100
LARGEST: Final = 1 << 22
"""In bytes, of a file that is read at once; a league of hundreds takes less than half of that."""
_SUM: Final = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._-]{0,99})")


class VerificationFailure(NamedTuple):
    """One thing that is not as it should be."""

    file: str
    line: int | None
    """From 1; None where it is not about one line."""
    field: str
    reason: str

    def __str__(self) -> str:
        """Return it in a line."""
        where = self.file if self.line is None else f"{self.file}, line {self.line}"
        return ": ".join(filter(None, (where, self.field, self.reason)))


def opened(directory: Path, name: str) -> AbstractContextManager[BufferedReader]:
    """Open a file of the export, and nothing else: no link, no pipe."""
    return reading.opened(directory / name, follow_links=False)


def whole(directory: Path, name: str, most: int) -> bytes:
    """Read a file at once."""
    with opened(directory, name) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise FileError(f"{directory / name} is larger than any league makes it")
    return data


class CheckedSums(NamedTuple):
    """The files of an export."""

    names: Sequence[str]
    digest: str | None
    """Of the sums, and so of the export; None if there are none."""
    failures: list[VerificationFailure]


def check_sums(directory: Path, digest: str | None) -> CheckedSums:
    """Check every file against its sum, and the sums against a digest if there is one."""
    there, failures = _found(directory)
    if SUMS not in there:
        failures.append(VerificationFailure(SUMS, None, "", "is missing; this is no whole export"))
        return CheckedSums([], None, failures)
    data = whole(directory, SUMS, LARGEST)
    found = sha256(data).hexdigest()
    if digest is not None and found != digest:
        failures.append(VerificationFailure(SUMS, None, "", f"its digest is {found}, not {digest}"))
    sums, malformed = _read_sums(data)
    failures += malformed
    for name in sorted({*sums, *there} - {SUMS}):
        failures += _compare(directory, name, sums.get(name), there=name in there)
    return CheckedSums(sorted(sums), found, failures)


def _found(directory: Path) -> tuple[list[str], list[VerificationFailure]]:
    """Return the names of all plain files, and a failure for each other one."""
    try:
        with os.scandir(directory) as entries:
            some = islice(entries, MOST_FILES + 1)
            found = [(entry.name, entry.is_file(follow_symlinks=False)) for entry in some]
    except OSError as error:
        message = f"cannot read {directory}: {error.strerror}; name the directory of an export"
        raise ConfigError(message) from None
    if len(found) > MOST_FILES:
        raise FileError(f"{directory} holds more than {MOST_FILES} files, and so is no export")
    strange = [
        VerificationFailure(name, None, "", "is not a file")
        for name, plain in sorted(found)
        if not plain
    ]
    return [name for name, plain in found if plain], strange


def _read_sums(data: bytes) -> tuple[dict[str, str], list[VerificationFailure]]:
    sums: dict[str, str] = {}
    failures = []
    for number, line in enumerate(data.decode(errors="replace").splitlines(), start=1):
        read = _SUM.fullmatch(line)
        if not read or read[2] in {*sums, SUMS} or number > MOST_FILES:
            reason = "must be a digest, two spaces and the name of a file, each once"
            failures.append(VerificationFailure(SUMS, number, "", reason))
            break
        sums[read[2]] = read[1]
    return sums, failures


def _compare(
    directory: Path, name: str, digest: str | None, *, there: bool
) -> Sequence[VerificationFailure]:
    if digest is None:
        return [VerificationFailure(name, None, "", f"is not in {SUMS}")]
    if not there:
        return [VerificationFailure(name, None, "", "is missing")]
    with opened(directory, name) as file:
        found = file_digest(file, "sha256").hexdigest()
    if found == digest:
        return []
    return [VerificationFailure(name, None, "", f"was changed: it is not what {SUMS} says")]

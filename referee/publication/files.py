"""Writes a directory of files with their sums: whole, or not at all."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, Protocol

from referee.files.writing import whole_directory

SUMS: Final = "SHA256SUMS"
"""What `sha256sum -c` reads."""


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


class _Sheet(NamedTuple):
    hashed: _Hash
    opened: BinaryIO | None


class Sheets(NamedTuple):
    """Files to be written at the same time."""

    open: Callable[[str], BinaryIO | None]
    """Makes a file by its name; None is for those who only want the sums."""
    sheets: dict[str, _Sheet]

    def write(self, name: str, text: str) -> None:
        """Write on in a file; the first time makes it."""
        if name not in self.sheets:
            self.sheets[name] = _Sheet(sha256(), self.open(name))
        hashed, opened = self.sheets[name]
        data = text.encode()
        hashed.update(data)
        if opened:
            opened.write(data)

    @property
    def sums(self) -> str:
        """Return a line for each file."""
        return sums({name: sheet.hashed.hexdigest() for name, sheet in self.sheets.items()})


def sums(digests: Mapping[str, str]) -> str:
    """Write digests of files by their names as `sha256sum` does."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))


def unwritten() -> Sheets:
    """Return sheets of which only the sums remain."""
    return Sheets(lambda _name: None, {})


@contextmanager
def new_directory(directory: Path) -> Iterator[Sheets]:
    """Make a directory of files; it appears when all went well, their sums written last."""
    with whole_directory(directory) as part, ExitStack() as closing:
        yield (sheets := Sheets(_opening(part, closing), {}))
        sheets.write(SUMS, sheets.sums)
        for sheet in sheets.sheets.values():
            _sync(sheet.opened)


def _opening(part: Path, closing: ExitStack) -> Callable[[str], BinaryIO]:
    return lambda name: closing.enter_context((part / name).open("xb"))


def _sync(opened: BinaryIO | None) -> None:
    """Learn of a full disk now, not when the file is closed and it is too late to say so."""
    assert opened
    opened.flush()
    os.fsync(opened.fileno())

"""Writes a directory of files with their SHA-256 sums: whole, or not at all."""

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


class _SummedFile(NamedTuple):
    hashed: _Hash
    opened: BinaryIO | None


class SummedFiles(NamedTuple):
    """Files to be written at the same time."""

    open: Callable[[str], BinaryIO | None]
    """Creates a file of a name, or returns None if only the sums are wanted."""
    files: dict[str, _SummedFile]

    def write(self, name: str, text: str) -> None:
        """Append to a file, which is created the first time."""
        if name not in self.files:
            self.files[name] = _SummedFile(sha256(), self.open(name))
        hashed, opened = self.files[name]
        data = text.encode()
        hashed.update(data)
        if opened:
            opened.write(data)

    @property
    def sums(self) -> str:
        """Return a line for each file."""
        return sums({name: file.hashed.hexdigest() for name, file in self.files.items()})


def sums(digests: Mapping[str, str]) -> str:
    """Return digests of files by their names as `sha256sum` writes them."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))


def sums_only() -> SummedFiles:
    """Return files that are not written; only their sums are made."""
    return SummedFiles(lambda _name: None, {})


@contextmanager
def new_directory(directory: Path) -> Iterator[SummedFiles]:
    """Make a directory of files; it appears when all went well, their sums written last."""
    with whole_directory(directory) as part, ExitStack() as closing:
        yield (files := SummedFiles(_opening(part, closing), {}))
        files.write(SUMS, files.sums)
        for file in files.files.values():
            _sync(file.opened)


def _opening(part: Path, closing: ExitStack) -> Callable[[str], BinaryIO]:
    return lambda name: closing.enter_context((part / name).open("xb"))


def _sync(opened: BinaryIO | None) -> None:
    """Write to disk now: when the file is closed, it would be too late to report a full disk."""
    assert opened
    opened.flush()
    os.fsync(opened.fileno())

"""Finds the shared libraries that programs need, by reading their files.

A program of a bot is never run for that, not even by `ldd`, which runs it.
"""

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_HEADER: Final = struct.Struct("<4sBB26xQ14xHH")
"""Of a 64-bit ELF file: magic, class, byte order, then offset, size and number of segments."""
_SEGMENT: Final = struct.Struct("<I4xQQ8xQ16x")
"""Kind, offset, address and size in the file."""
_SUPPORTED: Final = (b"\x7fELF", 2, 1)
_LOADED, _DYNAMIC = 1, 2
_NEEDED, _STRINGS = 1, 5
_MOST_BYTES: Final = 1 << 13
"""Of what a file says of its linking; some 500 entries."""
_LONGEST_NAME: Final = 256
_LOADED_AT_RUN_TIME: Final = ("libgcc_s.so.1", "libnss_files.so.2")
"""Libraries that the C library loads by itself."""


def libraries_for(
    programs: Iterable[Path], names: Iterable[str], directories: Sequence[Path]
) -> list[Path]:
    """Return the libraries in directories that programs need, and those that these need.

    Args:
        programs: programs and libraries; other files need nothing.
        names: the names of further libraries.
        directories: where libraries are, the first to be searched first.

    Returns:
        the path of each library, in one of the directories.
    """
    loaders = [path for each in directories for path in each.glob("ld-*.so*")]
    wanted = [*_LOADED_AT_RUN_TIME, *names, *(path.name for path in loaders)]
    wanted += [name for program in programs for name in needed(program)]
    found: dict[str, Path] = {}
    for name in wanted:
        paths = (each / name for each in directories if name not in found)
        if path := next((path for path in paths if path.is_file()), None):
            found[name] = path
            wanted += needed(path)
    return [*found.values()]


def needed(program: Path) -> list[str]:
    """Return the names of the libraries that a file says it needs."""
    # Strangers write such files: what is no sound ELF file needs nothing.
    with suppress(OSError, struct.error, OverflowError), _opened(program) as descriptor:
        return [name for name in _needed(descriptor) if "/" not in name]
    return []


@contextmanager
def _opened(program: Path) -> Iterator[int]:
    descriptor = os.open(program, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _needed(descriptor: int) -> Iterator[str]:
    *kind, table, size, count = _HEADER.unpack(os.pread(descriptor, _HEADER.size, 0))
    if tuple(kind) != _SUPPORTED or size != _SEGMENT.size:
        return
    segments = [*_SEGMENT.iter_unpack(os.pread(descriptor, size * count, table))]
    for _, offset, _, length in (each for each in segments if each[0] == _DYNAMIC):
        words = os.pread(descriptor, min(length, _MOST_BYTES), offset)
        entries = [*struct.iter_unpack("<QQ", words)]
        strings = next((value for tag, value in entries if tag == _STRINGS), -1)
        loaded = (each for each in segments if each[0] == _LOADED)
        at = next((o + strings - a for _, o, a, n in loaded if a <= strings < a + n), None)
        for tag, value in entries:
            if tag == _NEEDED and at is not None:
                text = os.pread(descriptor, _LONGEST_NAME, at + value)
                yield text.partition(b"\0")[0].decode(errors="replace")

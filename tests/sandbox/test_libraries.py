"""Libraries are found in files that strangers wrote."""

import shutil
import struct
import sys
from pathlib import Path

import pytest

from referee.sandbox.libraries import libraries_for, needed

PROGRAM = Path(sys.executable).resolve()
HEADER = struct.pack("<4sBB26xQ14xHH", b"\x7fELF", 2, 1, 64, 56, 2) + bytes(6)


def program(dynamic: bytes, *, length: int | None = None) -> bytes:
    """Return a file of a loaded segment and a dynamic one."""
    size = len(dynamic) if length is None else length
    loaded = struct.pack("<I4xQQ8xQ16x", 1, 0, 0, 1 << 20)
    return HEADER + loaded + struct.pack("<I4xQQ8xQ16x", 2, 176, 0, size) + dynamic


def entries(*pairs: tuple[int, int]) -> bytes:
    return b"".join(struct.pack("<QQ", *pair) for pair in pairs)


def test_program_needs_what_it_says() -> None:
    assert "libc.so.6" in needed(PROGRAM)


def test_name_is_read_where_the_strings_are(tmp_path: Path) -> None:
    text = entries((5, 176 + 48), (1, 3), (0, 0)) + b"\0\0\0libx.so\0"
    (tmp_path / "file").write_bytes(program(text))
    assert needed(tmp_path / "file") == []  # the segment is longer than whole entries
    (tmp_path / "file").write_bytes(program(text, length=48))
    assert needed(tmp_path / "file") == ["libx.so"]


def test_name_that_is_a_path_is_left_out(tmp_path: Path) -> None:
    text = entries((5, 176 + 48), (1, 0), (0, 0)) + b"../../etc/shadow\0"
    (tmp_path / "file").write_bytes(program(text, length=48))
    assert needed(tmp_path / "file") == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"#!/bin/sh\n",
        b"\x7fELF",
        HEADER,
        program(entries((5, 2**64 - 1), (1, 2**64 - 1))),
        program(entries((1, 0)), length=2**63),
        program(b"x" * 7),
        PROGRAM.read_bytes()[:300],
    ],
)
def test_broken_file_needs_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    assert needed(tmp_path / "file") == []


def test_missing_file_needs_nothing(tmp_path: Path) -> None:
    assert needed(tmp_path / "nothing") == []


def test_libraries_of_libraries_are_found(tmp_path: Path) -> None:
    text = entries((5, 176 + 48), (1, 0), (0, 0))
    for name, other in (("program", b"one.so\0"), ("one.so", b"two.so\0"), ("two.so", b"one.so\0")):
        (tmp_path / name).write_bytes(program(text + other, length=48))
    (tmp_path / "unneeded.so").touch()
    found = libraries_for([tmp_path / "program"], ["three.so"], [tmp_path])
    assert found == [tmp_path / "one.so", tmp_path / "two.so"]


def test_program_is_not_run(tmp_path: Path) -> None:
    shutil.copy(PROGRAM, tmp_path / "program")
    (tmp_path / "program").chmod(0o600)
    assert "libc.so.6" in needed(tmp_path / "program")

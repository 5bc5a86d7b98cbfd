"""Looks for the referee's secrets: its environment, command lines, mounts, open files."""

import os
from collections.abc import Callable
from pathlib import Path

from tests.hostile.attacks.verdict import FACTS, tell

CLEAN = (
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "LC_CTYPE",
    "PWD",
    "PYTHON",
    "UPCARD_",
    "GRPC_",
    "LD_LIBRARY_PATH",
)


def found(file: str) -> Callable[[], list[str]]:
    return lambda: [
        str(path)
        for path in Path("/proc").glob(f"[0-9]*/{file}")
        if any(word.encode() in _read(path) for word in (FACTS["canary"], FACTS["bundle"]))
    ]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def descriptors() -> list[int]:
    return [number for number in range(3, 256) if _is_open(number)]


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


tell(
    {
        "environment": found("environ"),
        "command line": found("cmdline"),
        "mounts": found("mountinfo"),
        "environment of our own": lambda: [n for n in os.environ if not n.startswith(CLEAN)],
        "descriptors": descriptors,
        "input": lambda: os.read(0, 1),
    }
)

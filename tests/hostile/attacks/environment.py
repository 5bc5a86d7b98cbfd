"""Looks for the referee's secrets: its environment, command lines, open files."""

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


def descriptors() -> list[str]:
    links = (Path(f"/proc/self/fd/{number}") for number in range(3, 256))
    return [str(link.readlink()) for link in links if link.is_symlink()]


tell(
    {
        "environment": found("environ"),
        "command line": found("cmdline"),
        "environment of our own": lambda: [n for n in os.environ if not n.startswith(CLEAN)],
        "descriptors": descriptors,
        "input": lambda: os.read(0, 1),
    }
)

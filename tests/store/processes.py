"""Processes that use a store beside the test."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
Process = subprocess.Popen[str]


@contextmanager
def process(act: str, place: str, *before: str) -> Iterator[Process]:
    """Do one of the acts of `tests.store.writer`; it is killed in the end."""
    command = [*before, sys.executable, "-W", "error", "-m", "tests.store.writer", act, place]
    with subprocess.Popen(
        command, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as started:
        try:
            yield started
        finally:
            started.kill()


def tell(started: Process) -> None:
    """Send it a line, after which it goes on."""
    assert started.stdin
    started.stdin.write("\n")
    started.stdin.flush()


def heard(started: Process) -> str:
    """Return the next line it says."""
    assert started.stdout
    return started.stdout.readline().strip()

"""A terminal, and a command that runs in its foreground, as one that a person starts."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from select import select
from typing import Self

from tests.waiting import PATIENCE

INTERRUPT = "\x03"
"""Ctrl-C."""


class Terminal:
    """What is typed at a terminal, and what is to be seen there."""

    def __init__(self, words: Sequence[str], directory: Path, env: Mapping[str, str]) -> None:
        self._keyboard, screen = os.openpty()
        self._process = subprocess.Popen(
            ["setsid", "--ctty", *words],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            cwd=directory,
            env=env,
        )
        os.close(screen)
        self._unread = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._keyboard)

    def until(self, text: str) -> str:
        """Wait for a text; return all before it that was not returned yet."""
        while text not in self._unread:
            assert self._read(), f"it ended without {text!r}: {self._unread}"
        before, _, self._unread = self._unread.partition(text)
        return before

    def type(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    def end(self) -> tuple[int, str]:
        """Wait for the end; return the exit code, and all that was not returned yet."""
        while self._read():
            pass
        return self._process.wait(), self._unread

    def _read(self) -> bool:
        """Read more of what is shown; return whether there may be still more."""
        ready, _, _ = select([self._keyboard], [], [], PATIENCE)
        assert ready, f"nothing more comes after {self._unread}"
        try:
            shown = os.read(self._keyboard, 65536)
        except OSError:  # all who had it open are gone
            return False
        self._unread += shown.decode(errors="replace").replace("\r\n", "\n")
        return bool(shown)

"""What a bot writes to stdout and stderr: read at once and to the end, kept within bounds."""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from referee.sandbox.limits import KIB

_PIECE: Final = 64 * KIB
_LAST: Final = 16 * KIB
_FLOOD: Final = 64
"""How many times what is kept may be written in all: what is dropped costs time as well."""


class Output:
    """The beginning and the end of what was written."""

    def __init__(self, kept: int) -> None:
        """Say how many bytes are kept from the beginning."""
        self._kept = kept
        self._first = bytearray()
        self._last = bytearray()
        self._count = 0
        self._copy: Callable[[bytes], None] | None = None
        self._is_closed = False

    @property
    def is_flood(self) -> bool:
        """Return whether there was too much even to drop."""
        return self._count > _FLOOD * self._kept

    def read(self, descriptor: int) -> bool:
        """Take what there is to read, a piece at most; false at the end."""
        with suppress(BlockingIOError):
            piece = os.read(descriptor, _PIECE)
            self._add(piece)
            return bool(piece)
        return True

    def read_rest(self, descriptor: int) -> None:
        """Take what is still in the pipe, and wait for nothing."""
        with suppress(BlockingIOError):
            while (piece := os.read(descriptor, _PIECE)) and not self.is_flood:
                self._add(piece)

    def _add(self, piece: bytes) -> None:
        self._count += len(piece)
        room = self._kept - len(self._first)
        self._first += piece[:room]
        if self._copy and room > 0:
            self._copy(piece[:room])
        self._last += piece[room:]
        del self._last[:-_LAST]

    def text(self) -> bytes:
        """Return what was kept, with a line where something was left out."""
        return bytes(self._first) + self._end()

    def _end(self) -> bytes:
        dropped = self._count - len(self._first) - len(self._last)
        gap = f"\n[{dropped} bytes left out]\n".encode() if dropped else b""
        return gap + bytes(self._last)

    def copy_to(self, copy: Callable[[bytes], None]) -> None:
        """Pass on what is kept, as it comes; empty bytes mark the end."""
        self._copy = copy
        if self._first:
            copy(bytes(self._first))
        if self._is_closed:
            self._copy_end(copy)

    def close(self) -> None:
        """Take no more; what is kept of the end is known only now."""
        self._is_closed = True
        if self._copy:
            self._copy_end(self._copy)

    def _copy_end(self, copy: Callable[[bytes], None]) -> None:
        if end := self._end():
            copy(end)
        copy(b"")

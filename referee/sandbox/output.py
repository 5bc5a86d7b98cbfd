"""The output of a bot: read at once and to the end, and kept up to a limit."""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from referee.sandbox.limits import KIB

_CHUNK: Final = 64 * KIB
_LAST: Final = 16 * KIB
_FLOOD: Final = 64
"""How many times as much may be written: reading what is dropped takes time too."""


class Output:
    """The beginning and the end of the output."""

    def __init__(self, limit: int) -> None:
        """Store how many bytes are kept from the beginning."""
        self._limit = limit
        self._first = bytearray()
        self._last = bytearray()
        self._count = 0
        self._copy: Callable[[bytes], None] | None = None
        self._is_closed = False

    @property
    def is_flood(self) -> bool:
        """Whether more was written than may be."""
        return self._count > _FLOOD * self._limit

    def read(self, descriptor: int) -> bool:
        """Read one chunk; return False at the end of the pipe."""
        with suppress(BlockingIOError):
            chunk = os.read(descriptor, _CHUNK)
            self._add(chunk)
            return bool(chunk)
        return True

    def read_rest(self, descriptor: int) -> None:
        """Read what is in the pipe, without waiting."""
        with suppress(BlockingIOError):
            while (chunk := os.read(descriptor, _CHUNK)) and not self.is_flood:
                self._add(chunk)

    def _add(self, chunk: bytes) -> None:
        self._count += len(chunk)
        room = self._limit - len(self._first)
        self._first += chunk[:room]
        if self._copy and room > 0:
            self._copy(chunk[:room])
        self._last += chunk[room:]
        del self._last[:-_LAST]

    def text(self) -> bytes:
        """Return what was kept, with a line where bytes were dropped."""
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

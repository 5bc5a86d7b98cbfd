"""Counts what a bot sends below its messages: connections, HTTP/2 frames, headers and bytes.

gRPC's server answers whatever HTTP/2 allows, as often as it is sent, and counts hardly any of it. A
bot needs a few frames for each message that it sends or gets; so a process has an allowance to
begin with, and each message of the referee adds to it, up to what it was at first. Only what passes
the counters reaches gRPC.
"""

from collections import Counter
from typing import Final

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""What every connection begins with."""
MOST_CONNECTIONS: Final = 32
"""That a process may open, one after the other."""
MOST_HEADERS: Final = 32
"""Frames with headers that a process may send: one is for its stream."""
MOST_HEADER_BYTES: Final = 16384
"""Of headers that a process may send, compressed as they are."""
MOST_FRAMES: Final = 1024
MOST_BYTES: Final = 1280 * 1024
"""More than the longest message that is refused in words."""
_FRAMES_A_MESSAGE: Final = 16
"""What a message of the referee adds to the frames that may be sent, whatever is in it."""
_BYTES_A_FRAME: Final = 32
"""Bytes of such a message that add another one. A turn has more, so that each may be answered in a
message of its own."""
_BYTES_A_MESSAGE: Final = 4096
"""What a message of the referee adds to the bytes, besides its length."""

_KINDS: Final = (
    "DATA",
    "HEADERS",
    "PRIORITY",
    "RST_STREAM",
    "SETTINGS",
    "PUSH_PROMISE",
    "PING",
    "GOAWAY",
    "WINDOW_UPDATE",
    "CONTINUATION",
)
_WITH_HEADERS: Final = frozenset({1, 9})
"""HEADERS and CONTINUATION."""
_HEAD: Final = 9
"""Bytes of a frame before its content: length, kind, flags and stream."""


class Allowance:
    """What one process of a bot may still send."""

    flood = ""
    """What it sent too much of, in words; empty as long as it has not."""

    def __init__(self) -> None:
        """Begin with the whole allowance."""
        self._connections = MOST_CONNECTIONS
        self._headers = MOST_HEADERS
        self._header_bytes = MOST_HEADER_BYTES
        self._frames = MOST_FRAMES
        self._bytes = MOST_BYTES
        self._kinds: Counter[int] = Counter()

    def extend(self, size: int) -> None:
        """Add what a message of the referee of so many bytes may need."""
        frames = self._frames + _FRAMES_A_MESSAGE + size // _BYTES_A_FRAME
        self._frames = min(MOST_FRAMES, frames)
        self._bytes = min(MOST_BYTES, self._bytes + _BYTES_A_MESSAGE + size)

    def use_connection(self) -> None:
        """Count a connection."""
        self._connections -= 1
        if self._connections < 0:
            self.flood = f"opened more than {MOST_CONNECTIONS} connections"

    def use_bytes(self, count: int) -> None:
        """Count bytes."""
        self._bytes -= count
        if self._bytes < 0:
            self.flood = "sent more bytes than its answers have"

    def use_frame(self, kind: int, size: int) -> None:
        """Count a frame with so many bytes of content."""
        self._frames -= 1
        self._kinds[kind] += 1
        if self._frames < 0:
            ((most, _),) = self._kinds.most_common(1)
            name = _KINDS[most] if most < len(_KINDS) else f"of the unknown kind {most}"
            self.flood = f"sent more HTTP/2 frames than its answers need, most of them {name}"
        if kind in _WITH_HEADERS:
            self._headers -= 1
            self._header_bytes -= size
            if self._headers < 0:
                self.flood = f"sent more than {MOST_HEADERS} HTTP/2 frames with headers"
            elif self._header_bytes < 0:
                self.flood = f"sent more than {MOST_HEADER_BYTES} bytes of HTTP/2 headers"


class FrameCounter:
    """Finds the frames in what comes in on one connection."""

    def __init__(self, allowance: Allowance) -> None:
        """Count against an allowance, which other connections may share."""
        self._allowance = allowance
        self._preface = PREFACE
        """What is still to come of it."""
        self._head = b""
        """The beginning of a frame's head whose end has not come in."""
        self._content = 0
        """Bytes of the frame's content that have not come in."""

    def count(self, data: bytes) -> bool:
        """Count what has come in; return whether it may be passed on.

        It may not if it is too much, or is not HTTP/2.
        """
        self._allowance.use_bytes(len(data))
        if self._preface:
            start, data = data[: len(self._preface)], data[len(self._preface) :]
            if not self._preface.startswith(start):
                return False
            self._preface = self._preface[len(start) :]
        self._count_frames(data)
        return not self._allowance.flood

    def _count_frames(self, data: bytes) -> None:
        at, end = self._content, len(data)
        if self._head:
            data = self._head + data
            at, end = 0, len(data)
        while at + _HEAD <= end and not self._allowance.flood:
            size = data[at] << 16 | data[at + 1] << 8 | data[at + 2]
            self._allowance.use_frame(data[at + 3], size)
            at += _HEAD + size
        self._head = data[at:end]
        self._content = max(0, at - end)

"""Bots that flood the referee below their messages while they play as a bot should.

Each has a child that sends HTTP/2 by hand on a connection of its own, from the first frame on.
"""

import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from struct import pack

from wire import Wire

from upcard.v1.referee_pb2 import Answers, PlayRequest

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS = range(5)
PING, WINDOW_UPDATE, CONTINUATION = 6, 8, 9
UNKNOWN = 77
ACK, END_HEADERS = 1, 4
WIDE_OPEN = pack(">I", 2**31 - 1 - 65535)
"""What a window may grow by when it is new."""
FRAMES_AT_ONCE = 4096
CONNECTIONS_AT_ONCE = 64
BEGIN, BEGUN = os.pipe(), os.pipe()
"""What the child waits for before it floods, and its parent before it plays on."""


def frame(kind: int, flags: int = 0, stream: int = 0, content: bytes = b"") -> bytes:
    """Write a frame."""
    return pack(">I", len(content))[1:] + bytes((kind, flags)) + pack(">I", stream) + content


def header(name: bytes, value: bytes) -> bytes:
    """Write a header that no table remembers."""
    return b"\x10" + _length(name) + name + _length(value) + value


def _length(text: bytes) -> bytes:
    size = len(text)
    if size < 127:
        return bytes((size,))
    encoded, size = [127], size - 127
    while size >= 128:
        encoded.append(size % 128 + 128)
        size //= 128
    return bytes((*encoded, size))


CALL = b"".join(
    (
        header(b":method", b"POST"),
        header(b":scheme", b"http"),
        header(b":path", b"/upcard.v1.RefereeService/Play"),
        header(b":authority", b"localhost"),
        header(b"te", b"trailers"),
        header(b"content-type", b"application/grpc"),
    )
)


def connect() -> socket.socket:
    """Dial."""
    line = socket.socket(socket.AF_UNIX)
    line.connect(os.environ["UPCARD_ADDRESS"].removeprefix("unix:"))
    return line


def send_for_ever(frames: Iterator[bytes], at_once: int = FRAMES_AT_ONCE) -> None:
    """Send frames on a new connection, and read what comes for them."""
    line = connect()
    line.sendall(PREFACE + frame(SETTINGS) + frame(WINDOW_UPDATE, 0, 0, WIDE_OPEN))
    line.setblocking(False)
    while True:
        rest = memoryview(b"".join(next(frames) for _ in range(at_once)))
        while rest:
            with suppress(BlockingIOError):
                line.recv(1 << 16)
            with suppress(BlockingIOError):
                rest = rest[line.send(rest) :]
        os.write(BEGUN[1], b"!")


def repeated(sent: bytes) -> Callable[[], None]:
    """Send the same for ever."""
    return lambda: send_for_ever(iter(lambda: sent, None))


def streams(end: Callable[[int], bytes]) -> Iterator[bytes]:
    """Open streams, each followed by what ends it."""
    for number in count(1, 2):
        yield frame(HEADERS, END_HEADERS, number, CALL) + end(number)


def empty_data() -> None:
    """Open a stream and send data without any."""
    opened = iter((frame(HEADERS, END_HEADERS, 1, CALL),))
    send_for_ever(iter(lambda: next(opened, frame(DATA, 0, 1)), None))


def continuation() -> None:
    """Send headers that never end."""
    opened = iter((frame(HEADERS, 0, 1, CALL),))
    more = frame(CONTINUATION, 0, 1, header(b"x", b"y"))
    send_for_ever(iter(lambda: next(opened, more), None))


def large_headers() -> None:
    """Open streams with a megabyte of headers each."""
    more = header(b"x", b"y" * 8000)

    def opened() -> Iterator[bytes]:
        for number in count(1, 2):
            pieces = [frame(CONTINUATION, 0, number, more)] * 128
            last = frame(CONTINUATION, END_HEADERS, number)
            yield b"".join((frame(HEADERS, 0, number, CALL), *pieces, last))

    send_for_ever(opened(), 1)


def growing_headers() -> None:
    """Send a large header once to be remembered, then name it in a byte as often as fits."""
    remembered = b"\x40" + _length(b"x") + b"x" + _length(b"y" * 4000) + b"y" * 4000
    named = b"\xbe" * 8000
    send_for_ever(
        frame(HEADERS, END_HEADERS, number, CALL + remembered + named) for number in count(1, 2)
    )


def connections() -> None:
    """Connect for ever, and say what every connection begins with."""
    while True:
        for _ in range(CONNECTIONS_AT_ONCE):
            with suppress(OSError):
                connect().sendall(PREFACE + frame(SETTINGS))
        os.write(BEGUN[1], b"!")


def silent_connections() -> None:
    """Connect as often as it may, and say nothing."""
    kept = []
    while True:
        for _ in range(CONNECTIONS_AT_ONCE):
            with suppress(OSError):
                kept.append(connect())
        os.write(BEGUN[1], b"!")


def padded_messages() -> None:
    """Send messages with no answer, padded to a length that is no fault, on another stream."""
    padding = b"\x9a\x06" + bytes((0xE0, 0xD4, 0x03)) + bytes(60_000)
    message = PlayRequest(answers=Answers()).SerializeToString() + padding
    prefixed = b"\0" + pack(">I", len(message)) + message
    pieces = [prefixed[at : at + 16384] for at in range(0, len(prefixed), 16384)]
    sent = b"".join(frame(DATA, 0, 1, piece) for piece in pieces)
    opened = iter((frame(HEADERS, END_HEADERS, 1, CALL),))
    send_for_ever(iter(lambda: next(opened, sent), None), 64)


FLOODS = {
    "settings": repeated(frame(SETTINGS)),
    "changed_settings": repeated(frame(SETTINGS, 0, 0, bytes((0, 4, 0, 0, 255, 255)))),
    "settings_acks": repeated(frame(SETTINGS, ACK)),
    "pings": repeated(frame(PING, 0, 0, bytes(8))),
    "ping_acks": repeated(frame(PING, ACK, 0, bytes(8))),
    "windows": repeated(frame(WINDOW_UPDATE, 0, 9, pack(">I", 1))),
    "priorities": repeated(frame(PRIORITY, 0, 1, bytes((0, 0, 0, 0, 9)))),
    "unknown": repeated(frame(UNKNOWN)),
    "resets": lambda: send_for_ever(streams(lambda n: frame(RST_STREAM, 0, n, bytes(4)))),
    "streams": lambda: send_for_ever(streams(lambda _: b"")),
    "empty_data": empty_data,
    "continuation": continuation,
    "large_headers": large_headers,
    "growing_headers": growing_headers,
    "connections": connections,
    "silent_connections": silent_connections,
    "padded_messages": padded_messages,
}


def main() -> None:
    """Play, and flood from the first frame on."""
    if os.fork() == 0:
        os.read(BEGIN[0], 1)
        FLOODS[sys.argv[1]]()
    wire = Wire()
    wire.hello()
    for number, asked in enumerate(wire.frames()):
        if number == 0:
            os.write(BEGIN[1], b"!")
            os.read(BEGUN[0], 1)
        wire.play(asked)


if __name__ == "__main__":
    main()

"""Reaches for networks: of this machine, beyond it, and those that no namespace holds."""

import fcntl
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress

from tests.hostile.attacks.verdict import FACTS, tell

FAMILIES = range(1, 46)
KINDS = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)
GET_NAME = 0x8910
FLAT = ("127.0.0.1", "::1", "192.0.2.1")


def reached(family: int, address: tuple[object, ...] | str) -> str:
    with socket.socket(family, socket.SOCK_STREAM) as ours:
        ours.settimeout(1)
        ours.connect(address)
        return "connected"


def route() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
        ours.connect(("192.0.2.1", 9))
        return str(ours.getsockname())


def families() -> list[int]:
    return [family for family in FAMILIES if family != socket.AF_UNIX and _made(family)]


def _made(family: int) -> bool:
    for kind in KINDS:
        try:
            socket.socket(family, kind).close()
        except OSError:
            continue
        return True
    return False


def interfaces() -> list[str]:
    return [name for name in _named() if name != "lo"]


def _named() -> Iterator[str]:
    with socket.socket(socket.AF_UNIX) as ours:
        for number in range(1, 64):
            with suppress(OSError):
                answer = fcntl.ioctl(ours, GET_NAME, struct.pack("16si20x", b"", number))
                yield answer[:16].rstrip(b"\0").decode()


tell(
    {
        "this machine": lambda: reached(socket.AF_INET, ("127.0.0.1", FACTS["port"])),
        "beyond": route,
        "host of this virtual machine": lambda: reached(socket.AF_VSOCK, (2, 1)),
        "other families": families,
        "pair of another family": lambda: socket.socketpair(socket.AF_TIPC),
        "interfaces": interfaces,
        "abstract socket of the machine": lambda: reached(socket.AF_UNIX, FACTS["abstract"]),
        "name service": lambda: socket.getaddrinfo("example.org", 80),
    }
)

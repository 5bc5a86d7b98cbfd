"""Channels of names that are found by all who know them: of files, sockets, memory and keys."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from .system import NAME, Receive, Send, call, try_both

_KEY = 0x55504352
_FILE = f"{NAME}-file"


def bind_name() -> Send:
    """Bind a socket to an abstract name, or not."""
    bound: list[socket.socket] = []

    def send(bit: int) -> None:
        while bound:
            bound.pop().close()
        if bit:
            bound.append(socket.socket(socket.AF_UNIX))
            bound[0].bind(f"\0{NAME}")
            bound[0].listen()

    return send


def name_is_bound() -> Receive:
    """Connect to the name."""

    def receive() -> float:
        with socket.socket(socket.AF_UNIX) as ours:
            return float(ours.connect_ex(f"\0{NAME}") == 0)

    return receive


def make_file() -> Send:
    """Make a file wherever that is possible, or remove it."""

    def send(bit: int) -> None:
        for place in _PLACES:
            with suppress(OSError):
                file = Path(place, _FILE)
                file.touch() if bit else file.unlink(missing_ok=True)

    return send


_PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/run", "/bot", "/dev", "/")  # noqa: S108 (all are tried)


def file_is_there() -> Receive:
    """Look for the file."""
    return lambda: float(any(Path(place, _FILE).exists() for place in _PLACES))


def make_object(name: str, *size: int) -> Callable[[], Send]:
    """Return a sender that makes and removes an object of System V's communication."""

    def sender() -> Send:
        made: list[int] = []

        def send(bit: int) -> None:
            while made:
                call(f"{name}ctl", made.pop(), 0, 0, 0)
            if bit:
                made.append(call(f"{name}get", _KEY, *size, 0o1666))

        try_both(send)
        return send

    return sender


def object_is_there(name: str, *size: int) -> Callable[[], Receive]:
    """Return what looks for the object."""
    return lambda: _is_found(lambda: call(f"{name}get", _KEY, *size, 0))


def _is_found(look: Callable[[], object]) -> Receive:
    """Return a receiver of whether something is found; another error means that it is refused."""

    def receive() -> float:
        try:
            look()
        except FileNotFoundError:
            return 0.0
        return 1.0

    receive()
    return receive


def make_queue() -> Send:
    """Make or remove a message queue with a name."""

    def send(bit: int) -> None:
        with suppress(FileNotFoundError):
            call("mq_unlink", NAME.encode())
        if bit:
            os.close(call("mq_open", NAME.encode(), os.O_CREAT | os.O_RDWR, 0o666, 0))

    try_both(send)
    return send


def queue_is_there() -> Receive:
    """Look for the queue."""
    return _is_found(lambda: os.close(call("mq_open", NAME.encode(), os.O_RDONLY, 0, 0)))


_USER_KEYRING, _INVALIDATE, _SEARCH = -4, 21, 10


def add_key() -> Send:
    """Add a key to the user's keyring, or remove it."""
    keys: list[int] = []

    def send(bit: int) -> None:
        while keys:
            call("keyctl", _INVALIDATE, keys.pop(), 0, 0, 0)
        if bit:
            name = NAME.encode()
            keys.append(call("add_key", b"user", name, b"hearts", 6, _USER_KEYRING))

    try_both(send)
    return send


def key_is_there() -> Receive:
    """Search for the key."""
    name = NAME.encode()

    def receive() -> float:
        try:
            call("keyctl", _SEARCH, _USER_KEYRING, b"user", name, 0)
        except OSError as error:
            # Without such a key: ENOKEY, or EKEYREVOKED just after it was removed.
            if error.errno in {126, 128}:
                return 0.0
            raise
        return 1.0

    receive()
    return receive

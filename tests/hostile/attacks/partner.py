"""Signals to its partner at the table, or listens for it, on every channel it knows."""

# ruff: noqa: S108 (what is temporary in a sandbox is its own)

import ctypes
import fcntl
import os
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from tests.hostile.attacks.kernel import call, mapped
from tests.hostile.attacks.verdict import FACTS, tell

ROLE = sys.argv[1]
NAME = FACTS["channel"]
KEY = int(FACTS["key"])
SHARED = Path(__file__)
"""Both see this file, and neither can write it."""
PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/run", "/bot", "/dev", "/")
SECONDS = float(sys.argv[2]) if ROLE == "listen" else 0.0
CREATE, USER_KEYRING, SEARCH = 0o1666, -4, 10
SET_LOCK = 37
READ_LOCK, WRITE_LOCK = bytes(32), b"\x01\x00" + bytes(30)
OPENED = 0x20
SET_PIPE_SIZE, GET_PIPE_SIZE = 1031, 1032
WAIT, WAKE = 0, 1
PAGE = os.sysconf("SC_PAGE_SIZE")
MAPPED_BY_ONE = 1 << 56
KEPT: list[object] = []


def abstract() -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0{NAME}")
    listener.listen()
    KEPT.append(listener)


def hear_abstract() -> str:
    with socket.socket(socket.AF_UNIX) as ours:
        ours.connect(f"\0{NAME}")
        return "connected"


def files() -> None:
    for place in PLACES:
        with suppress(OSError):
            Path(place, NAME).write_text("we hold both bowers")


def hear_files() -> list[str]:
    found = [place for place in PLACES if Path(place, NAME).exists()]
    for place in found:
        Path(place, NAME).unlink()
    return found


def locked() -> None:
    file = SHARED.open("rb")
    KEPT.append(file)
    fcntl.flock(file, fcntl.LOCK_EX)


def hear_locked() -> str:
    with SHARED.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return "held by another"
    return ""


def record_locked() -> None:
    file = SHARED.open("rb")
    KEPT.append(file)
    fcntl.fcntl(file, SET_LOCK, READ_LOCK)


def hear_record_locked() -> str:
    with SHARED.open("rb") as file:
        found = fcntl.fcntl(file, fcntl.F_GETLK, WRITE_LOCK)
    return "held by another" if found[:2] != b"\x02\x00" else ""


def touched() -> None:
    def touch() -> None:
        while True:
            SHARED.read_bytes()
            time.sleep(0.01)

    threading.Thread(target=touch, daemon=True).start()


def hear_touched() -> str:
    notified = call("inotify_init1", 0)
    call("inotify_add_watch", notified, bytes(SHARED), OPENED)
    ready, _, _ = select.select([notified], [], [], 0.2)
    return "opened by another" if ready else ""


def hear_read() -> str:
    # Our own looking is not a reading.
    then, since = FACTS["read_at"], SHARED.stat().st_atime
    return f"read at {since}" if since != then else ""


def page_mapped() -> None:
    KEPT.append(ctypes.string_at(mapped(SHARED), 1))


def hear_page_mapped() -> str:
    address = mapped(SHARED)
    ctypes.string_at(address, 1)
    with Path("/proc/self/pagemap").open("rb", buffering=0) as pagemap:
        pagemap.seek(address // PAGE * 8)
        (entry,) = struct.unpack("Q", pagemap.read(8))
    return "" if entry & MAPPED_BY_ONE else "mapped by another"


def futex_waited_for() -> None:
    address = mapped(SHARED)
    word = int.from_bytes(ctypes.string_at(address, 4), "little")

    def wait() -> None:
        while True:
            with suppress(OSError):
                call("futex", ctypes.c_void_p(address), WAIT, word, None)

    threading.Thread(target=wait, daemon=True).start()


def hear_futex_waited_for() -> str:
    woken = call("futex", ctypes.c_void_p(mapped(SHARED)), WAKE, 1, None)
    return f"{woken} woken" if woken else ""


def device_touched() -> None:
    def touch() -> None:
        while True:
            os.utime(0)
            time.sleep(0.01)

    os.utime(0)
    threading.Thread(target=touch, daemon=True).start()


def hear_device_touched() -> str:
    before = os.stat(0).st_mtime_ns
    time.sleep(0.05)
    return "touched by another" if os.stat(0).st_mtime_ns != before else ""


def queued() -> None:
    call("mq_open", NAME.encode(), os.O_CREAT | os.O_RDWR, 0o666, 0)


def hear_queued() -> str:
    return f"queue {call('mq_open', NAME.encode(), os.O_RDONLY, 0, 0)}"


def keyring() -> None:
    call("add_key", b"user", NAME.encode(), b"hearts", 6, USER_KEYRING)


def hear_keyring() -> str:
    return f"key {call('keyctl', SEARCH, USER_KEYRING, b'user', NAME.encode(), 0)}"


def busy() -> None:
    def work() -> None:
        while True:
            if os.fork() == 0:
                os._exit(0)
            os.wait()

    threading.Thread(target=work, daemon=True).start()


def hear_counters() -> list[str]:
    before = _counters()
    time.sleep(0.2)
    after = _counters()
    return [path for path, text in before.items() if after.get(path) != text]


def _counters() -> dict[str, bytes]:
    return {path: text for path, text in _proc() if text}


def _proc() -> Iterator[tuple[str, bytes]]:
    for top, below, names in os.walk("/proc"):
        # What every process has of its own is no channel.
        below[:] = [name for name in below if not name.isdigit() and name[-4:] != "self"]
        for name in names:
            yield f"{top}/{name}", _read(f"{top}/{name}")


def _read(path: str) -> bytes:
    with suppress(OSError, ValueError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            return os.read(descriptor, 1 << 16)
        finally:
            os.close(descriptor)
    return b""


def pipes() -> None:
    with suppress(OSError):
        for _ in range(64):
            pipe = os.pipe()
            KEPT.append(pipe)
            fcntl.fcntl(pipe[0], SET_PIPE_SIZE, 1 << 20)
    while not hear_pipes():
        KEPT.append(os.pipe())


def hear_pipes() -> str:
    ours, theirs = os.pipe()
    size = fcntl.fcntl(ours, GET_PIPE_SIZE)
    os.close(ours)
    os.close(theirs)
    return f"pipes of {size} bytes" if size < 1 << 16 else ""


def made(name: str, *arguments: int) -> Callable[[], object]:
    return lambda: call(f"{name}get", KEY, *arguments)


def hear_made(name: str, *arguments: int) -> Callable[[], str]:
    def hear() -> str:
        number = call(f"{name}get", KEY, *arguments)
        # It would outlive both of us.
        call(f"{name}ctl", number, 0, 0, 0)
        return f"number {number}"

    return hear


CHANNELS: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "abstract socket": (abstract, hear_abstract),
    "files": (files, hear_files),
    "file lock": (locked, hear_locked),
    "record lock": (record_locked, hear_record_locked),
    "notice of reading": (touched, hear_touched),
    "time of reading": (touched, hear_read),
    "page of a file": (page_mapped, hear_page_mapped),
    "time of a device": (device_touched, hear_device_touched),
    "shared memory": (made("shm", 4096, CREATE), hear_made("shm", 0, 0)),
    "semaphore": (made("sem", 1, CREATE), hear_made("sem", 0, 0)),
    "queue": (made("msg", CREATE), hear_made("msg", 0)),
    "named queue": (queued, hear_queued),
    "keyring": (keyring, hear_keyring),
    "counters": (busy, hear_counters),
    "room for pipes": (pipes, hear_pipes),
}


def send() -> None:
    for speak, _ in CHANNELS.values():
        with suppress(OSError):
            speak()
    print("sending", flush=True)
    threading.Event().wait()


def listening(hear: Callable[[], object]) -> Callable[[], object]:
    def attempt() -> object:
        evidence = hear()
        deadline = time.monotonic() + SECONDS / len(CHANNELS)
        while not evidence and time.monotonic() < deadline:
            evidence = hear()
        return evidence

    return attempt


if ROLE == "send":
    send()
tell({name: listening(hear) for name, (_, hear) in CHANNELS.items()})

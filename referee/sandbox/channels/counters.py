"""Channels of numbers and limits that the kernel has for all processes together."""

import ctypes
import fcntl
import math
import os
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from .system import LIBC, NAME, Receive, Send, call, start_child, try_both


def _growth(read: Callable[[], float], modulus: float = math.inf) -> Receive:
    """Return a receiver of how much a number has grown since it was read last."""
    known = [read()]

    def receive() -> float:
        known.append(read())
        return math.fmod(known[-1] - known[-2], modulus)

    return receive


_BURST = 400


def make_pipes() -> Send:
    """Make many pipes, or none."""

    def send(bit: int) -> None:
        for _ in range(_BURST * bit):
            ours, theirs = os.pipe()
            os.close(ours)
            os.close(theirs)

    return send


def pipe_numbers() -> Receive:
    """Compare the numbers of new pipes."""
    return _growth(_pipe_number, _BATCH)


def _pipe_number() -> float:
    ours, theirs = os.pipe()
    try:
        return float(os.fstat(ours).st_ino)
    finally:
        os.close(ours)
        os.close(theirs)


_BATCH = 1024
"""So many numbers a processor takes at once."""


def make_memory_files() -> Send:
    """Make many files in memory, or none."""

    def send(bit: int) -> None:
        for _ in range(_BURST * bit):
            os.close(call("memfd_create", NAME.encode(), 0))

    try_both(send)
    return send


def memory_file_numbers() -> Receive:
    """Compare the numbers of new files in memory."""
    return _growth(_memory_file_number, _BATCH)


def _memory_file_number() -> float:
    file = call("memfd_create", NAME.encode(), 0)
    try:
        return float(os.fstat(file).st_ino)
    finally:
        os.close(file)


_COOKIE, _COOKIE_BATCH = 57, 4096


def make_cookies() -> Send:
    """Take many cookies, or none."""

    def send(bit: int) -> None:
        for _ in range(_BURST * bit):
            _cookie()

    try_both(send)
    return send


def cookies() -> Receive:
    """Compare the cookies of new sockets."""
    return _growth(_cookie, _COOKIE_BATCH)


def _cookie() -> float:
    with socket.socket(socket.AF_UNIX) as ours:
        return float(int.from_bytes(ours.getsockopt(socket.SOL_SOCKET, _COOKIE, 8), "little"))


_CHILDREN = 24


def fork_children() -> Send:
    """Keep many processes, or none."""
    children: list[int] = []

    def send(bit: int) -> None:
        while children:
            os.kill(children[-1], signal.SIGKILL)
            os.waitpid(children.pop(), 0)
        children.extend(start_child(signal.pause) for _ in range(_CHILDREN * bit))

    return send


def process_count() -> Receive:
    """Read how many processes there are."""

    def receive() -> float:
        found = ctypes.create_string_buffer(256)
        call("sysinfo", found)
        return float(struct.unpack_from("<H", found, 80)[0])

    receive()
    return receive


_STARTED = 12


def fork_often() -> Send:
    """Start many processes one after the other, or none."""

    def send(bit: int) -> None:
        for _ in range(_STARTED * bit):
            os.waitpid(start_child(lambda: None), 0)

    return send


def process_numbers() -> Receive:
    """Compare the numbers of new processes."""
    return _growth(_process_number)


def _process_number() -> float:
    descriptor = call("pidfd_open", os.getpid(), 0)
    os.close(descriptor)
    child = start_child(lambda: time.sleep(60))
    try:
        descriptor = call("pidfd_open", child, 0)
        number = os.fstat(descriptor).st_ino
        os.close(descriptor)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return float(number)


def started_processes() -> Receive:
    """Read how many processes were started."""
    return _growth(_started)


def _started() -> float:
    lines = Path("/proc/stat").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("processes")))


def sum_of_counters() -> Receive:
    """Add up counters of the machine."""
    return _growth(_sum)


def _sum() -> float:
    """Add up all numbers in the files of /proc that belong to no process."""
    words = (word for path in _counter_files() for word in _content(path).split())
    return float(sum(int(word) for word in words if word.isdigit()))


def _counter_files() -> Iterator[Path]:
    for directory in ("/proc", "/proc/pressure"):
        with suppress(OSError):
            yield from (entry for entry in Path(directory).iterdir() if entry.is_file())


def _content(path: Path) -> bytes:
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            return os.read(file, 1 << 16)
        finally:
            os.close(file)
    return b""


def hold_events() -> Send:
    """Keep many event descriptors, or none."""
    held: list[int] = []

    def send(bit: int) -> None:
        while held:
            os.close(held.pop())
        held.extend(os.eventfd(0) for _ in range(_EVENT_DESCRIPTORS * bit))

    return send


_EVENT_DESCRIPTORS = 200


def event_numbers() -> Receive:
    """Read the number of a new event descriptor."""

    def receive() -> float:
        event = os.eventfd(0)
        try:
            words = Path(f"/proc/self/fdinfo/{event}").read_text().split()
        finally:
            os.close(event)
        return float(words[words.index("eventfd-id:") + 1]) if "eventfd-id:" in words else 0.0

    receive()
    return receive


_FILES = 300


def make_files() -> Send:
    """Keep many files in the scratch space, or none."""
    place = Path("/dev/shm", f"{NAME}-files")  # noqa: S108 (its own)
    place.mkdir(exist_ok=True)

    def send(bit: int) -> None:
        for number in range(_FILES):
            file = place / str(number)
            file.touch() if bit else file.unlink(missing_ok=True)

    return send


def free_inodes() -> Receive:
    """Read how many files fit into all file systems without a disk."""
    found = ctypes.create_string_buffer(64)

    def receive() -> float:
        total = 0
        for device in range(1, 1024):
            try:
                call("ustat", device, found)
            except OSError as error:
                if error.errno != 22:
                    raise
            else:
                total += int(struct.unpack_from("<Q", found, 8)[0])
        return float(total)

    receive()
    return receive


_SPACE = 16 << 20
_PLACES = ("/tmp", "/dev/shm", "/var/tmp")  # noqa: S108 (all are tried)


def take_space() -> Send:
    """Create a large file, or remove it, in each place where that is possible."""

    def send(bit: int) -> None:
        for place in _PLACES:
            file = Path(place, f"{NAME}-space")
            with suppress(OSError):
                file.write_bytes(bytes(_SPACE)) if bit else file.unlink(missing_ok=True)

    return send


def free_space() -> Receive:
    """Read how much fits into the file systems of all that can be found."""
    places = map(Path, ("/", "/tmp", __file__, "/run/referee.sock"))  # noqa: S108 (as above)
    there = [place for place in places if place.exists()]

    def receive() -> float:
        found = {}
        for place in there:
            status = os.statvfs(place)
            found[place.stat().st_dev] = status.f_bfree * status.f_frsize
        return float(sum(found.values()))

    receive()
    return receive


_TERMINALS = 16


def take_terminals() -> Send:
    """Keep many terminals, or none."""
    held: list[int] = []

    def send(bit: int) -> None:
        while held:
            os.close(held.pop())
        for _ in range(_TERMINALS * bit):
            held.extend(os.openpty())

    try_both(send)
    return send


def terminal_numbers() -> Receive:
    """Read the number of a new terminal, which is the lowest that is free."""

    def receive() -> float:
        ours, theirs = os.openpty()
        try:
            return float(os.path.basename(os.ttyname(theirs)))  # noqa: PTH119 (no path is meant)
        finally:
            os.close(ours)
            os.close(theirs)

    receive()
    return receive


_EVENTS = 4096


def take_events() -> Send:
    """Take all events for asynchronous I/O, or none."""
    contexts: list[int] = []

    def send(bit: int) -> None:
        while contexts:
            call("io_destroy", contexts.pop())
        with suppress(BlockingIOError):
            while bit:
                contexts.append(_events())

    contexts.append(_events())
    send(0)
    return send


def _events() -> int:
    context = ctypes.c_ulong()
    call("io_setup", _EVENTS, ctypes.byref(context))
    return int(context.value)


def events_are_taken() -> Receive:
    """Try to take some events."""

    def receive() -> float:
        try:
            call("io_destroy", _events())
        except BlockingIOError:
            return 1.0
        return 0.0

    receive()
    return receive


_AT_ONCE = 250
"""As many descriptors as one message takes; two such are more than may be in flight."""


def put_in_flight() -> Send:
    """Keep many descriptors in messages that nobody has read, or none."""
    pairs = [socket.socketpair() for _ in range(2)]

    def send(bit: int) -> None:
        for ours, theirs in pairs:
            _receive_all(theirs)
            if bit:
                socket.send_fds(ours, [b"x"], [0] * _AT_ONCE)

    for _, theirs in pairs:
        theirs.setblocking(False)
    return send


def _receive_all(end: socket.socket) -> None:
    with suppress(BlockingIOError):
        while True:
            for descriptor in socket.recv_fds(end, 1, _AT_ONCE)[1]:
                os.close(descriptor)


def too_many_are_in_flight() -> Receive:
    """Try to send a descriptor."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)

    def receive() -> float:
        try:
            socket.send_fds(ours, [b"x"], [0])
        except OSError as error:
            return float(error.errno == 109)  # ETOOMANYREFS
        _receive_all(theirs)
        return 0.0

    return receive


_QUEUED = 1024
"""More signals than may be pending."""


def queue_signals() -> Send:
    """Leave as many signals pending as possible, or none."""
    kind = signal.SIGRTMIN
    signal.pthread_sigmask(signal.SIG_BLOCK, [kind])

    def send(bit: int) -> None:
        _drain(kind)
        if bit:
            _queue(kind)

    return send


def _queue(kind: int) -> int:
    """Queue signals for this process, and return how many there was room for."""
    for number in range(_QUEUED):
        if LIBC.sigqueue(os.getpid(), kind, None):
            return number
    return _QUEUED


def _drain(kind: int) -> None:
    while signal.sigtimedwait([kind], 0):
        pass


def room_for_signals() -> Receive:
    """Count how many signals may be pending."""
    kind = signal.SIGRTMIN + 1
    signal.pthread_sigmask(signal.SIG_BLOCK, [kind])

    def receive() -> float:
        room = _queue(kind)
        _drain(kind)
        return float(room)

    return receive


_SET_PIPE_SIZE = 1031
_PIPES, _LARGE, _USUAL = 64, 1 << 20, 1 << 16


def take_pipes() -> Send:
    """Make pipes large, or small."""
    pipes = [os.pipe() for _ in range(_PIPES)]

    def send(bit: int) -> None:
        with suppress(PermissionError):
            for ours, _ in pipes:
                fcntl.fcntl(ours, _SET_PIPE_SIZE, _LARGE if bit else _USUAL)

    return send


def room_for_pipes() -> Receive:
    """Try to have a large pipe."""
    ours, _ = os.pipe()

    def receive() -> float:
        try:
            fcntl.fcntl(ours, _SET_PIPE_SIZE, _LARGE)
        except PermissionError:
            return 1.0
        fcntl.fcntl(ours, _SET_PIPE_SIZE, _USUAL)
        return 0.0

    return receive

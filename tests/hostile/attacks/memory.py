"""Fills memory of one kind with more than the bot may have, and holds on to it."""

# ruff: noqa: S108 (what is temporary in a sandbox is its own)

import ctypes
import errno
import fcntl
import json
import mmap
import os
import platform
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.hostile.attacks.kernel import call
from tests.hostile.attacks.verdict import FACTS

KIND = sys.argv[1]
STEP = 4 << 20
LIMIT = int(FACTS["memory_mib"]) << 20
KEPT: list[Any] = []
FULL = os.pipe()
CREATED: list[int] = []
"""One for each pair of ends that this process has created."""
PIPES: list[tuple[int, int]] = []
PAGE = b"x" * 4096
CHILDREN = 12
OBJECT = 256
"""Bytes of the kernel's own for a mapping, or for a file that an epoll watches."""
_MADV_HUGEPAGE = 14


def filled(space: mmap.mmap) -> None:
    for place in range(0, len(space), 4096):
        space[place] = 120
    KEPT.append(space)


def private() -> None:
    filled(mmap.mmap(-1, STEP, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


def shared() -> None:
    filled(mmap.mmap(-1, STEP, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS))


def zeros() -> None:
    with Path("/dev/zero").open("r+b") as zero:
        filled(mmap.mmap(zero.fileno(), STEP, mmap.MAP_SHARED))


def memfd() -> None:
    file = os.memfd_create("hog")
    os.write(file, PAGE * (STEP // 4096))
    KEPT.append(file)


def sysv() -> None:
    number = call("shmget", 0, STEP, 0o1600)
    place = call("shmat", number, 0, 0)
    call("shmctl", number, 0, 0)
    ctypes.memset(place, 120, STEP)


def scratch(directory: str) -> None:
    Path(directory, str(len(KEPT))).write_bytes(PAGE * (STEP // 4096))
    KEPT.append(None)


def children() -> None:
    """Hold a little in each of many processes."""
    if os.fork() == 0:
        for _ in range(2 * LIMIT // STEP // CHILDREN):
            private()
        signal.pause()
    KEPT.append(None)
    if len(KEPT) == CHILDREN:
        signal.pause()


def leaderless() -> None:
    """Hold a little in each of many processes whose first thread has ended."""
    if os.fork() == 0:
        threading.Thread(target=_fill_alone).start()
        # By the system call: the interpreter's lock was released, and is not taken again.
        ctypes.CDLL(None).syscall(60 if platform.machine() == "x86_64" else 93, 0)
    KEPT.append(None)
    if len(KEPT) == CHILDREN:
        for _ in range(CHILDREN):
            os.read(FULL[0], 1)
        print(json.dumps({"came": {KIND: 2 * LIMIT}, "refused": {}}), flush=True)
        signal.pause()


def _fill_alone() -> None:
    for _ in range(2 * LIMIT // STEP // CHILDREN):
        private()
    os.write(FULL[1], b".")
    while True:
        time.sleep(60)


def tables() -> None:
    """Read a page of zeros every 2 MiB: each costs a page of the page tables, and nothing else."""
    apart = 2 << 20
    space = mmap.mmap(
        -1, STEP // 4096 * apart, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ
    )
    for place in range(0, len(space), apart):
        space[place]
    KEPT.append(space)


def hidden() -> None:
    """Fill shared pages and unmap them: they stay, and belong to no process."""
    with Path("/dev/zero").open("r+b") as zero:
        space = mmap.mmap(zero.fileno(), STEP, mmap.MAP_SHARED)
    filled(space)
    space.madvise(mmap.MADV_DONTNEED)


def sockets() -> int:
    """Fill the buffers of sockets, in as many processes as that takes."""
    held = 1
    with in_a_child_at_the_end_of_files():
        pair = socket.socketpair()
        KEPT.append(pair)
        for end in pair:
            end.setblocking(False)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, STEP // 4)
            with suppress(BlockingIOError):
                while True:
                    held += end.send(PAGE)
    return held


def pipes() -> int:
    """Fill pipes, in as many processes as that takes."""
    held = 1
    with in_a_child_at_the_end_of_files():
        _, end = os.pipe()
        os.set_blocking(end, False)
        with suppress(OSError):
            fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 1 << 20)
        with suppress(BlockingIOError):
            while True:
                held += os.write(end, PAGE * 16)
    return held


@contextmanager
def in_a_child_at_the_end_of_files() -> Iterator[None]:
    """Go on in a child when this process has as many files open as it may.

    Raises:
        OSError: a child that has none open may not create any, either.
    """
    try:
        yield
        CREATED.append(1)
    except OSError as error:
        if error.errno != errno.EMFILE or not CREATED:
            raise
        if os.fork():
            signal.pause()
        os.closerange(3, 256)
        CREATED.clear()


def spliced() -> None:
    """Keep large pages alive by a small page of each in a pipe."""
    large = 2 << 20
    if not PIPES or len(KEPT) % 7 == 0:
        PIPES.append(os.pipe())
    for _ in range(STEP // large):
        # A new mapping each time: what is unmapped counts no longer as this process's.
        space = mmap.mmap(-1, 2 * large, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        space.madvise(_MADV_HUGEPAGE)
        whole = ctypes.c_char.from_buffer(space)
        first = -ctypes.addressof(whole) % large
        space[first] = 120
        page = (ctypes.c_uint64 * 2)(ctypes.addressof(whole) + first, 4096)
        call("vmsplice", PIPES[-1][1], page, 1, 0)
        del whole
        space.close()
    KEPT.append(None)


def inodes() -> None:
    """Make empty files."""
    for number in range(STEP >> 10):
        os.close(os.open(f"/tmp/{len(KEPT)}-{number}", os.O_CREAT | os.O_WRONLY))
    KEPT.append(None)


def mappings() -> int:
    """Map nothing very many times, then fork; the kernel copies the mappings for each process."""
    many = 40_000
    if not KEPT:
        libc: Any = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        KEPT.append(start := libc.mmap(None, many * 4096, mmap.PROT_READ, flags, -1, 0))
        for page in range(0, many, 2):
            if libc.mprotect(ctypes.c_void_p(start + page * 4096), 4096, 0):
                raise OSError("there are too many")
    if os.fork() == 0:
        signal.pause()
    return many * OBJECT


def watches() -> int:
    """Watch the same files by many epolls in each process, under as many numbers as possible."""
    files = [os.eventfd(0) for _ in range(40)]
    epolls = [select.epoll() for _ in range(40)]
    numbers = range(160, 230)
    if os.fork() == 0:
        for file in files:
            for number in numbers:
                os.dup2(file, number)
                for epoll in epolls:
                    epoll.register(number, 0)
        os.write(FULL[1], b".")
        signal.pause()
    os.read(FULL[0], 1)
    for each in (*files, *(epoll.fileno() for epoll in epolls)):
        os.close(each)
    return len(files) * len(epolls) * len(numbers) * OBJECT


fill = {
    "private": private,
    "shared": shared,
    "zeros": zeros,
    "memfd": memfd,
    "sysv": sysv,
    "tmp": lambda: scratch("/tmp"),
    "shm": lambda: scratch("/dev/shm"),
    "children": children,
    "leaderless": leaderless,
    "tables": tables,
    "hidden": hidden,
    "sockets": sockets,
    "pipes": pipes,
    "spliced": spliced,
    "inodes": inodes,
    "mappings": mappings,
    "watches": watches,
}[KIND]
taken = 0
try:
    while taken < 2 * LIMIT:
        taken += fill() or STEP
except (OSError, MemoryError) as error:
    print(json.dumps({"came": {}, "refused": {KIND: repr(error)}, "taken": taken}), flush=True)
else:
    print(json.dumps({"came": {KIND: taken}, "refused": {}}), flush=True)
    signal.pause()

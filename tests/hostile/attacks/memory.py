"""Fills memory of one kind with more than the bot may have, and holds on to it."""

# ruff: noqa: S108 (what is temporary in a sandbox is its own)

import ctypes
import json
import mmap
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.hostile.attacks.kernel import call
from tests.hostile.attacks.verdict import FACTS

KIND = sys.argv[1]
STEP = 4 << 20
LIMIT = int(FACTS["memory_mib"]) << 20
KEPT: list[Any] = []
PAGE = b"x" * 4096
CHILDREN = 12


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
    """Let many hold a little each."""
    if os.fork() == 0:
        for _ in range(2 * LIMIT // STEP // CHILDREN):
            private()
        signal.pause()
    KEPT.append(None)
    if len(KEPT) == CHILDREN:
        signal.pause()


fill = {
    "private": private,
    "shared": shared,
    "zeros": zeros,
    "memfd": memfd,
    "sysv": sysv,
    "tmp": lambda: scratch("/tmp"),
    "shm": lambda: scratch("/dev/shm"),
    "children": children,
}[KIND]
taken = 0
try:
    while taken < 2 * LIMIT:
        fill()
        taken += STEP
except (OSError, MemoryError) as error:
    print(json.dumps({"came": {}, "refused": {KIND: repr(error)}, "taken": taken}), flush=True)
else:
    print(json.dumps({"came": {KIND: taken}, "refused": {}}), flush=True)
    signal.pause()

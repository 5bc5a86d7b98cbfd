"""The workers of a run: processes of their own, each pinned to a core with its bots.

Each is an executor with one process, so one that is killed takes no other along. They end with the
process that started them, whatever ends that.
"""

import ctypes
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import active_children, get_context, resource_tracker
from pathlib import Path
from tempfile import gettempdir
from typing import Final

from referee.files.own_directory import own_directory, sweep
from referee.rpc.server import SEATS
from referee.sandbox import cgroups
from referee.sandbox.launcher import BOTS
from referee.sandbox.limits import MIB, SandboxLimits
from referee.sandbox.private_files import sweep_private_files

_DEATH_SIGNAL: Final = 1
_COPIES_MIB: Final = 256
"""About what each bot's own copy of its files takes."""
_DYING: Final = 5.0
"""Seconds; a process that hangs in the kernel is not waited for any longer."""
_RUN: Final = "upcard-run-"
"""How the names of the directories of runs begin."""
_SHARE: Final = 0.8
"""Of the machine's memory, the most that bots may be allowed."""


def worker_makers(jobs: int) -> list[Callable[[], Executor]]:
    """Return so many functions that start a worker, each on a core of its own if there are any."""
    cores = sorted(os.sched_getaffinity(0))
    _start_tracker()
    return [partial(_worker, cores[number % len(cores)]) for number in range(jobs)]


def _start_tracker() -> None:
    """Start what multiprocessing cleans up with, so that no hangup of the terminal ends it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def default_jobs(limits: Iterable[SandboxLimits], seats: int = BOTS) -> int:
    """Return how many workers this machine has the cores and the memory for.

    Args:
        limits: of the bots.
        seats: how many of them a room has.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    needed = seats * MIB * (_COPIES_MIB + max(each.memory_mib for each in limits))
    return max(1, min(len(os.sched_getaffinity(0)), int(_SHARE * memory / needed)))


def _worker(core: int) -> Executor:
    # Processes are spawned, for a copy of a process that has threads and sockets is no safe start.
    return ProcessPoolExecutor(
        1, get_context("spawn"), initializer=_initialize, initargs=(core, os.getpid())
    )


def _initialize(core: int, coordinator: int) -> None:
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != coordinator:
        os._exit(1)  # it was gone before it could have taken us along
    # The coordinator, which gets the same signals, says when to stop. They are not ignored, for
    # bots would inherit that.
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, _do_nothing)
    # Who may not choose a core plays where the system puts it.
    with suppress(OSError):
        os.sched_setaffinity(0, {core})


def _do_nothing(_number: int, _frame: object) -> None:
    pass


def kill_workers() -> None:
    """Kill all workers at once, and with them their bots."""
    killed = active_children()
    for process in killed:
        process.kill()
    # As long as one is there, nobody removes what it leaves.
    for process in killed:
        process.join(_DYING)


@contextmanager
def worker_directory(*, sandboxed: bool) -> Iterator[Path]:
    """Create the directory of a run; at the end, also remove what killed workers left behind."""
    try:
        with own_directory(Path(gettempdir()), _RUN) as directory:
            yield directory
    finally:
        remove_leftovers(sandboxed=sandboxed)


def remove_leftovers(*, sandboxed: bool) -> None:
    """Remove what coordinators and workers that were killed left behind.

    Who starts next removes their sockets and groups of sandboxes too; but after the last run of a
    league nobody need come.
    """
    for prefix in (_RUN, SEATS):
        sweep(Path(gettempdir()), prefix)
    if sandboxed:
        sweep_private_files()
        cgroups.find()

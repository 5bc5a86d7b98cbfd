"""The referees of this machine: processes of their own, each pinned to a core with its bots.

Each is an executor with one process, so one that is killed takes no other along. They end with the
process that started them, whatever ends that.
"""

import ctypes
import os
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import active_children, get_context
from typing import Final

from referee.sandbox.limits import MIB, SandboxLimits

_DEATH_SIGNAL: Final = 1
_BOTS: Final = 8
"""In a session: two entrants at four seats."""
_DYING: Final = 5.0
"""Seconds; a process that hangs in the kernel is not waited for any longer."""
_SHARE: Final = 0.8
"""Of the machine's memory, the most that bots may be allowed."""


def worker_makers(jobs: int) -> list[Callable[[], Executor]]:
    """Return so many ways to make a referee, each on a core of its own while there are any."""
    cores = sorted(os.sched_getaffinity(0))
    return [partial(_referee, cores[number % len(cores)]) for number in range(jobs)]


def default_jobs(limits: Iterable[SandboxLimits]) -> int:
    """Return how many referees this machine has the cores and the memory for."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    needed = _BOTS * MIB * max(each.memory_mib for each in limits)
    return max(1, min(len(os.sched_getaffinity(0)), int(_SHARE * memory / needed)))


def _referee(core: int) -> Executor:
    # Processes are spawned, for a copy of a process that has threads and sockets is no safe start.
    return ProcessPoolExecutor(
        1, get_context("spawn"), initializer=_take_place, initargs=(core, os.getpid())
    )


def _take_place(core: int, coordinator: int) -> None:
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != coordinator:
        os._exit(1)  # it was gone before it could have taken us along
    # To stop is the coordinator's to say, which hears the same signals. They are not ignored, for
    # that would be handed on to the bots.
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, _hear_nothing)
    # Who may not choose a core plays where the system puts it.
    with suppress(OSError):
        os.sched_setaffinity(0, {core})


def _hear_nothing(_number: int, _frame: object) -> None:
    pass


def kill_workers() -> None:
    """Kill all referees at once, and with them their bots."""
    dismissed = active_children()
    for process in dismissed:
        process.kill()
    # As long as one is there, nobody removes what it leaves.
    for process in dismissed:
        process.join(_DYING)

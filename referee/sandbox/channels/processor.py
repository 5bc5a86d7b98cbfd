"""Channels of the processor, its caches and the memory."""

import os
import signal
import statistics
import time
from collections.abc import Callable

from .system import Receive, Send, start_child

_ROUNDS = 5
_WORK_SECONDS = 0.005


def compute() -> Send:
    """Compute all the time, or not."""
    return _work_while_set(lambda: None)


def copy_much() -> Send:
    """Copy more memory than fits into the caches, or nothing."""
    block = bytearray(_LARGE)
    return _work_while_set(lambda: bytes(block))


def _work_while_set(work: Callable[[], object]) -> Send:
    """Return a sender that has a process at work while a bit is set."""
    children: list[int] = []

    def forever() -> None:
        while True:
            work()

    def send(bit: int) -> None:
        while children:
            os.kill(children[-1], signal.SIGKILL)
            os.waitpid(children.pop(), 0)
        if bit:
            children.append(start_child(forever))

    return send


def share_of_the_processor() -> Receive:
    """Return a receiver of how much longer than its CPU time a piece of work takes."""

    def receive() -> float:
        begin, used = time.perf_counter(), time.thread_time()
        while time.thread_time() - used < _WORK_SECONDS:
            pass
        return time.perf_counter() - begin

    return receive


_LARGE, _SMALL = 16 << 20, 1 << 18


def seconds_of_copying() -> Receive:
    """Measure how long copying takes."""
    block = bytearray(4 << 20)

    def receive() -> float:
        return statistics.median(_cpu_seconds(lambda: bytes(block)) for _ in range(_ROUNDS))

    return receive


def _cpu_seconds(act: Callable[[], object]) -> float:
    begin = time.thread_time_ns()
    act()
    return (time.thread_time_ns() - begin) / 1e9


def fill_the_cache() -> Send:
    """Fill the caches, or leave them as they are."""
    large, small = bytearray(_LARGE), bytearray(_SMALL)

    def send(bit: int) -> None:
        deadline = time.thread_time() + _WORK_SECONDS
        block = large if bit else small
        while time.thread_time() < deadline:
            block.count(1)

    return send


def seconds_of_reading() -> Receive:
    """Measure how long reading takes what was in the cache."""
    block = bytearray(_SMALL)

    def receive() -> float:
        return _cpu_seconds(lambda: block.count(1))

    return receive

"""Plays leagues on a thread of this process.

A worker takes a second of processor time to start, and half a second to copy the files that its
bots can read. Tests of what is played need neither; how processes start and end is tested with real
ones, in `tests/e2e` and where the command runs in a process of its own.
"""

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import pytest

from referee.league import worker_pool

P = ParamSpec("P")
T = TypeVar("T")


class Worker(ThreadPoolExecutor):
    """A worker that is a thread."""

    def __init__(self) -> None:
        super().__init__(1)

    def submit(self, work: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        # As it would reach another process.
        work, args, named = pickle.loads(pickle.dumps((work, args, named)))  # noqa: S301 (our own)
        return super().submit(work, *args, **named)


@contextmanager
def workers_as_threads() -> Iterator[None]:
    """Play leagues on one thread, however many workers are asked for.

    gRPC serves one event loop of a process at a time.
    """

    def makers(_jobs: int) -> list[Callable[[], Executor]]:
        return [Worker]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_pool, "worker_makers", makers)
        yield

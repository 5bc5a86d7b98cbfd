"""Processes that use a store beside the test.

Each is a copy of one that has imported what they need, which takes most of a process of its own.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from typing import Final, NamedTuple, TextIO

from tests.store import writer

_CONTEXT: Final = get_context("forkserver")
_CONTEXT.set_forkserver_preload([writer.__name__])


class Process(NamedTuple):
    """One of them, which can be told something, heard and killed."""

    started: ForkServerProcess
    stdin: TextIO
    stdout: TextIO

    @property
    def pid(self) -> int:
        assert self.started.pid
        return self.started.pid

    def kill(self) -> None:
        self.started.kill()

    def wait(self) -> None:
        """Wait until it is gone."""
        self.started.join()


@contextmanager
def process(act: str, place: str) -> Iterator[Process]:
    """Do one of the acts of `tests.store.writer`; it is killed in the end."""
    (told, telling), (hearing, said) = (_CONTEXT.Pipe(duplex=False) for _ in range(2))
    given = (act, place, dict(os.environ), told, said)
    with told, said:
        started = _CONTEXT.Process(target=writer.copied, args=given)
        started.start()
    with (
        telling,
        hearing,
        os.fdopen(telling.fileno(), "w", closefd=False) as stdin,
        os.fdopen(hearing.fileno(), closefd=False) as stdout,
    ):
        copy = Process(started, stdin, stdout)
        try:
            yield copy
        finally:
            copy.kill()
            copy.wait()


def tell(started: Process) -> None:
    """Send it a line, after which it goes on."""
    started.stdin.write("\n")
    started.stdin.flush()


def heard(started: Process) -> str:
    """Return the next line it says."""
    return started.stdout.readline().strip()

"""A bot that starts processes while it plays, started as a program by a test.

With an argument gRPC is not told to leave forks alone.
"""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

if len(sys.argv) > 1:
    del os.environ["GRPC_ENABLE_FORK_SUPPORT"]

import upcard

WORKERS = 12


class Forking(upcard.Bot):
    """A bot that has other processes at work while it chooses."""

    pool: ProcessPoolExecutor | None = None

    def choose(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
        if Forking.pool is None:
            Forking.pool = ProcessPoolExecutor(WORKERS)
        list(Forking.pool.map(time.sleep, [0.001] * 2 * WORKERS))
        return legal[0]


upcard.run(Forking)

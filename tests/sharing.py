"""Makes what is expensive once for all workers of a test run."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def shared(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a directory of the test run, filled by the first worker that asks for it.

    Nobody may change what is in it.
    """
    run = factory.getbasetemp()
    place = (run.parent if "PYTEST_XDIST_WORKER" in os.environ else run) / "shared" / name
    place.parent.mkdir(exist_ok=True)
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = place.with_suffix(".done")
        if not done.exists():
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            make(place)
            done.touch()
    return place

"""How long tests wait for what has to happen, on any machine."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Final

PATIENCE: Final = 900.0
"""Seconds; only what hangs takes as long, however busy the machine is."""


def until(fact: Callable[[], bool]) -> None:
    """Wait for a fact."""
    deadline = monotonic() + PATIENCE
    while not fact():
        assert monotonic() < deadline, "it does not come about"
        sleep(0.02)

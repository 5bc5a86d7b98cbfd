"""How long tests wait for what has to happen, on any machine."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Final

PATIENCE: Final = 900.0
"""Seconds; only what hangs takes as long, however busy the machine is."""


def until(fact: Callable[[], bool]) -> None:
    """Wait for a fact, and leave most of the time to those who bring it about."""
    looked = monotonic()
    deadline = looked + PATIENCE
    while not fact():
        now = monotonic()
        assert now < deadline, "it does not come about"
        sleep(max(0.02, 4 * (now - looked)))
        looked = monotonic()
